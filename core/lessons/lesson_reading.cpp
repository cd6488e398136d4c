// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/lesson_reading.h"

#include "catalog/library.h"
#include "formulas/formula.h"
#include "input/field_reader.h"
#include "lessons/step_reading.h"
#include "plan/plan_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::size_t most_steps = 200;

bool is_lesson_id(std::string_view id) {
    return !id.empty() && id.size() <= 60 && id.front() != '-' && id.back() != '-'
        && std::all_of(id.begin(), id.end(),
                       [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; });
}

/// A plan's document: given as "preset:ID", as {"preset": ID, "set": {field: value}}, or in full.
Json plan_document(FieldReader &reader, const Library &library) {
    const Json *const given = reader.raw("plan");
    if (given == nullptr || given->is_null())
        return nullptr;
    try {
        Json document = *given;
        if (given->is_string()) {
            document = library.json(PresetKind::plan, given->get<std::string>());
        } else if (given->is_object() && given->contains("preset") && (*given)["preset"].is_string()) {
            document = library.json(PresetKind::plan, (*given)["preset"].get<std::string>());
            if (given->contains("set"))
                for (const auto &item : (*given)["set"].items())
                    set_field(document, item.key() + "=" + item.value().dump(), library);
        }
        const PlanReading plan = read_plan(document, library);
        if (!plan.valid())
            throw InputError(plan.diagnostics);
        return document;
    } catch (const InputError &error) {
        const Diagnostic &first = error.diagnostics().front();
        reader.problem("plan",
                       fmt::format("{}{}{}", first.fields.empty() ? "" : first.fields.front(),
                                   first.fields.empty() || first.fields.front().empty() ? "" : ": ",
                                   first.message.text),
                       first.expected.text);
    } catch (const FileError &error) {
        reader.problem("plan", error.what(), "expected a preset or a plan");
    } catch (const Json::exception &) {
        reader.problem("plan", "is not a plan", "expected the id of a plan preset, or a plan");
    }
    return nullptr;
}

void read_lines(FieldReader &reader, std::string_view key, std::vector<std::string> &lines) {
    const Json *const found = reader.raw(key);
    if (found == nullptr)
        return;
    if (!found->is_array()
        || !std::all_of(found->begin(), found->end(), [](const Json &item) { return item.is_string(); })) {
        reader.problem(key, "is not an array of strings", "expected an array of strings");
        return;
    }
    lines = found->get<std::vector<std::string>>();
}

void check_ids(const Lesson &lesson, std::vector<Diagnostic> &problems) {
    std::set<std::string> ids;
    for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
        const std::string &id = lesson.steps[i].id;
        if (!id.empty() && !ids.insert(id).second)
            problems.push_back({.severity = Severity::error,
                                .code = "field",
                                .message = fmt::format("two steps have the same id \"{}\"", id),
                                .expected = "expected a unique id for each step",
                                .fields = {fmt::format("/steps/{}/id", i)},
                                .fixes = {}});
    }
}

} // namespace

LessonReading read_lesson(const LessonDocument &document, const std::string &id, const Library &library) {
    LessonReading reading;
    Lesson &lesson = reading.lesson;
    FieldReader reader(document.json, "", reading.problems);
    reader.require("schema", fmt::format("expected \"{}\"", lesson_schema));
    if (std::string schema; reader.text("schema", schema) && schema != lesson_schema)
        reader.problem("schema", fmt::format("is \"{}\"", schema.substr(0, 60)),
                       fmt::format("expected \"{}\"", lesson_schema));
    lesson.id = id;
    if (reader.text("id", lesson.id) && !is_lesson_id(lesson.id))
        reader.problem("id", "is malformed", "expected lower-case letters, digits and hyphens");
    reader.require("title", "expected a string");
    reader.text("title", lesson.title);
    reader.text("summary", lesson.summary);
    reader.count("chapter", lesson.chapter, 0, 1000);
    reader.count("minutes", lesson.minutes, 0, 600);
    read_lines(reader, "sources", lesson.sources);
    lesson.plan = plan_document(reader, library);
    reader.require("steps", "expected an array of objects");
    const Json *const steps = reader.raw("steps");
    if (steps != nullptr && steps->is_array() && (steps->empty() || steps->size() > most_steps))
        reader.problem("steps", fmt::format("has {} steps", steps->size()),
                       fmt::format("expected 1 to {} steps", most_steps));
    else
        reader.objects("steps", [&](FieldReader &each) { lesson.steps.push_back(read_step(each, lesson, library)); });
    reader.finish();
    check_ids(lesson, reading.problems);
    reading.problems = document.with_lines(std::move(reading.problems));
    return reading;
}

Lesson lesson_of_text(std::string_view text, const std::string &id, const Library &library) {
    LessonReading reading = read_lesson(lesson_document(text), id, library);
    if (!reading.problems.empty())
        throw InputError(std::move(reading.problems));
    return std::move(reading.lesson);
}

} // namespace meshwright
