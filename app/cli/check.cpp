// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/accelerator.h"
#include "catalog/cluster.h"
#include "catalog/library.h"
#include "catalog/model.h"
#include "catalog/stack.h"
#include "cli/documents.h"
#include "cli/failure.h"
#include "cli/standard_output.h"
#include "cli/verbs.h"
#include "exchange/rate_trace_file.h"
#include "input/field_reader.h"
#include "input/files.h"
#include "input/schema_version.h"
#include "lessons/figure_trial.h"
#include "lessons/lesson_reading.h"
#include "lessons/lesson_trial.h"
#include "plan/plan_json.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

struct CheckArguments {
    std::vector<std::string> files;
    bool json = false;
};

struct Checked {
    std::string file;
    std::vector<Diagnostic> problems;
    bool unreadable = false;

    std::size_t errors() const {
        return static_cast<std::size_t>(std::count_if(problems.begin(), problems.end(), [](const Diagnostic &problem) {
            return problem.severity == Severity::error;
        }));
    }
};

using Check = std::vector<Diagnostic> (*)(const Json &, const Library &);

template <typename Value>
std::vector<Diagnostic> checkValue(const Json &document, const Library &library) {
    std::vector<Diagnostic> problems;
    FieldReader reader(document, "", problems);
    Value value;
    if constexpr (std::is_same_v<Value, Cluster>)
        read_fields(reader, value, library);
    else
        read_fields(reader, value);
    reader.finish();
    return problems;
}

std::vector<Diagnostic> checkPlan(const Json &document, const Library &library) {
    return read_plan(document, library).diagnostics;
}

void requireText(FieldReader &reader, const char *key) {
    std::string text;
    reader.require(key, "expected a string");
    if (reader.text(key, text) && text.empty())
        reader.problem(key, "is empty", "expected a string");
}

/// Checks a card: the description of a run about which too little was published to evaluate it.
std::vector<Diagnostic> checkCard(const Json &document, const Library &) {
    std::vector<Diagnostic> problems;
    FieldReader reader(document, "", problems);
    reader.raw("schema");
    for (const char *const key : {"id", "name", "description"})
        requireText(reader, key);
    reader.require("known", "expected an array of objects");
    reader.objects("known", [](FieldReader &item) {
        for (const char *const key : {"what", "value", "source"})
            requireText(item, key);
    });
    reader.require("unknown", "expected an array of strings");
    const Json *const unknown = reader.raw("unknown");
    if (unknown != nullptr
        && !(unknown->is_array()
             && std::all_of(unknown->begin(), unknown->end(), [](const Json &item) { return item.is_string(); })))
        reader.problem("unknown", "is not an array of strings", "expected an array of strings");
    reader.finish();
    return problems;
}

/// Checks a lesson's fields; then draws its figures, and asks each of its questions with a few sets of random numbers.
std::vector<Diagnostic> checkLesson(const LessonDocument &document, const std::string &id, const Library &library) {
    constexpr std::uint64_t draws = 25;
    LessonReading reading = read_lesson(document, id, library);
    if (reading.problems.empty()) {
        std::vector<Diagnostic> problems = try_figures(reading.lesson, library);
        std::vector<Diagnostic> questions = try_questions(reading.lesson, library, draws);
        std::move(questions.begin(), questions.end(), std::back_inserter(problems));
        reading.problems = document.with_lines(std::move(problems));
    }
    return std::move(reading.problems);
}

std::vector<Diagnostic> checkLessonJson(const Json &document, const Library &library) {
    return checkLesson({.json = document, .lines = {}}, "lesson", library);
}

const std::map<std::string, Check> &checksBySchema() {
    static const std::map<std::string, Check> checks{{"meshwright.plan/1", checkPlan},
                                                     {"meshwright.card/1", checkCard},
                                                     {std::string(lesson_schema), checkLessonJson},
                                                     {"meshwright.model/1", checkValue<Model>},
                                                     {"meshwright.accelerator/1", checkValue<Accelerator>},
                                                     {"meshwright.cluster/1", checkValue<Cluster>},
                                                     {"meshwright.stack/1", checkValue<Stack>}};
    return checks;
}

std::vector<Diagnostic> checkDocument(const Json &document, const Library &library) {
    if (!document.is_object())
        throw InputError("", "is not an object", "expected an object with a \"schema\"");
    std::vector<std::string> schemas;
    for (const auto &[schema, check] : checksBySchema())
        schemas.push_back(schema);
    const std::string expected = "expected " + listed(schemas);
    if (!document.contains("schema"))
        throw InputError("/schema", "missing", expected);
    const Json &schema = document["schema"];
    const auto found = schema.is_string() ? checksBySchema().find(schema.get<std::string>()) : checksBySchema().end();
    if (found == checksBySchema().end()) {
        const std::string given = schema.is_string() ? schema.get<std::string>() : std::string();
        for (const std::string &known : schemas)
            if (is_newer_schema(given, known))
                throw InputError("/schema", schema_fault(given, known), expected);
        throw InputError("/schema", "names a file type that cannot be checked", expected);
    }
    return found->second(document, library);
}

/// Checks one file. If the file cannot be read, returns one problem with the code "file".
Checked checkFile(const std::string &file, const Library &library) {
    Checked checked{.file = file, .problems = {}, .unreadable = false};
    try {
        if (file.ends_with(".md")) {
            const LessonDocument lesson = lesson_document(read_file(file));
            checked.problems = checkLesson(lesson, std::filesystem::path(file).stem().string(), library);
            return checked;
        }
        Json document = loadDocument(file);
        take_in_rate_traces(document, std::filesystem::path(file).parent_path(), TracePlaces::InFolder);
        checked.problems = checkDocument(document, library);
    } catch (const InputError &error) {
        checked.problems = error.diagnostics();
    } catch (const FileError &error) {
        const std::string what = error.what();
        checked.unreadable = true;
        checked.problems = {{.severity = Severity::error,
                             .code = "file",
                             .message = what.starts_with(file + ": ") ? what.substr(file.size() + 2) : what,
                             .expected = {},
                             .fields = {""},
                             .fixes = {}}};
    }
    return checked;
}

std::string severityName(Severity severity) {
    return severity == Severity::error ? "error" : severity == Severity::warning ? "warning" : "hint";
}

std::string pointerOf(const Diagnostic &problem) {
    return problem.fields.empty() ? std::string() : problem.fields.front();
}

Json toJson(const Checked &checked) {
    Json problems = Json::array();
    for (const Diagnostic &problem : checked.problems)
        problems.push_back({{"pointer", pointerOf(problem)},
                            {"message", problem.message.text},
                            {"expected", problem.expected.text},
                            {"code", problem.code},
                            {"severity", severityName(problem.severity)}});
    return {{"file", checked.file}, {"ok", checked.errors() == 0}, {"problems", std::move(problems)}};
}

std::string toText(const Checked &checked) {
    const std::size_t errors = checked.errors();
    std::string text =
        checked.file + ": " + (errors == 0 ? "valid" : fmt::format("{} error{}", errors, errors == 1 ? "" : "s"));
    for (const Diagnostic &problem : checked.problems)
        text += fmt::format("\n  {:<8} {}: {}{}{}", severityName(problem.severity),
                            pointerOf(problem).empty() ? "/" : pointerOf(problem), problem.message.text,
                            problem.expected.text.empty() ? "" : "; ", problem.expected.text);
    return text + "\n";
}

/// Throws the first error with the number of further errors; does nothing if all files are valid.
void throwFirst(const std::vector<Checked> &all) {
    std::vector<Diagnostic> errors;
    std::string file;
    bool rejected = false;
    for (const Checked &checked : all) {
        if (checked.errors() == 0)
            continue;
        if (errors.empty())
            file = checked.file;
        rejected = rejected || !checked.unreadable;
        errors.insert(errors.end(), checked.problems.begin(), checked.problems.end());
    }
    if (!errors.empty())
        throw Failure(rejected ? ExitStatus::rejected : ExitStatus::fileTrouble, one_line(file, errors));
}

void run(const CheckArguments &options) {
    const Library &library = Library::standard();
    std::vector<Checked> all;
    Json array = Json::array();
    std::string text;
    for (const std::string &file : options.files) {
        all.push_back(checkFile(file, library));
        array.push_back(toJson(all.back()));
        text += toText(all.back());
    }
    if (options.json)
        writeJson(array);
    else
        writeText(text);
    throwFirst(all);
}

} // namespace

void addCheck(CLI::App &program) {
    CLI::App *const verb =
        program.add_subcommand("check", "Validate files: plans, models, accelerators, clusters, stacks, lessons");
    const auto options = std::make_shared<CheckArguments>();
    verb->add_option("FILE", options->files, "The files, or - for standard input")->required();
    verb->add_flag("--json", options->json, "Print JSON");
    verb->callback([options] { run(*options); });
}

} // namespace meshwright
