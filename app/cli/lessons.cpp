// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/lessons.h"

#include "catalog/library.h"
#include "cli/failure.h"
#include "cli/standard_output.h"
#include "cli/text_table.h"
#include "cli/verbs.h"
#include "exercise/exercise_process.h"
#include "formulas/derivation.h"
#include "formulas/formula.h"
#include "input/field_reader.h"
#include "lessons/judgement.h"
#include "lessons/question.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

struct LessonArguments {
    std::string id; ///< id of a lesson in the catalog, or path of a lesson's file
    std::string step;
    std::optional<std::string> answer;
    std::uint64_t seed = 1;
    bool json = false;
};

void listLessons(bool json) {
    const Lessons &lessons = Lessons::standard();
    Json array = Json::array();
    TextTable table({{"lesson"}, {"steps", Alignment::right}, {"questions", Alignment::right}, {"title"}});
    for (const std::shared_ptr<const Lesson> &lesson : lessons.all()) {
        Json steps = Json::array();
        std::size_t questions = 0;
        for (const LessonStep &step : lesson->steps) {
            steps.push_back({{"id", step.id}, {"title", step.title}, {"kind", name_of(step.kind)}});
            questions += is_question(step.kind) ? 1 : 0;
        }
        table.add({lesson->id, std::to_string(lesson->steps.size()), std::to_string(questions), lesson->title});
        array.push_back({{"id", lesson->id},
                         {"title", lesson->title},
                         {"summary", lesson->summary},
                         {"minutes", lesson->minutes},
                         {"steps", std::move(steps)}});
    }
    Json problems = Json::array();
    for (const InvalidLesson &invalid : lessons.invalid())
        problems.push_back({{"id", invalid.id}, {"problem", invalid.problem}});
    if (json)
        writeJson({{"lessons", std::move(array)}, {"invalid", std::move(problems)}});
    else
        writeText(joined(table.lines()));
    for (const InvalidLesson &invalid : lessons.invalid())
        throw Failure(ExitStatus::rejected, invalid.problem);
}

/// Returns the lesson with this id, or reads the named file. @throws Failure
std::shared_ptr<const Lesson> lessonCalled(const std::string &id) {
    if (std::shared_ptr<const Lesson> lesson = Lessons::standard().find(id))
        return lesson;
    if (id.ends_with(".md") || id.ends_with(".json"))
        return naming(id, [&] { return std::make_shared<const Lesson>(read_lesson_file(id, Library::standard())); });
    std::vector<std::string> ids;
    for (const std::shared_ptr<const Lesson> &lesson : Lessons::standard().all())
        ids.push_back(lesson->id);
    const std::optional<std::string> nearest = nearest_word(id, ids);
    return naming("lesson", [&]() -> std::shared_ptr<const Lesson> {
        throw InputError("", fmt::format("unknown lesson \"{}\"", id.substr(0, 60)),
                         nearest ? fmt::format("did you mean {}?", *nearest)
                                 : "expected a lesson listed by `meshwright-cli lessons`, or a file");
    });
}

const LessonStep &stepCalled(const Lesson &lesson, const std::string &id) {
    // A lesson for discussion need not have a question.
    const LessonStep *const question = lesson.first_question();
    const LessonStep *const first = question == nullptr ? &lesson.steps.front() : question;
    const LessonStep *const step = id.empty() ? first : lesson.find(id);
    if (step != nullptr)
        return *step;
    return *naming("lesson " + lesson.id, [&]() -> const LessonStep * {
        std::vector<std::string> ids;
        for (const LessonStep &each : lesson.steps)
            ids.push_back(each.id);
        throw InputError("", fmt::format("has no step \"{}\"", id.substr(0, 60)), "expected " + listed(ids));
    });
}

Json symbolsJson(const Question &question) {
    Json symbols = Json::array();
    for (const AskedSymbol &symbol : question.symbols) {
        Json json{{"name", symbol.name}};
        if (symbol.is_word)
            json["value"] = symbol.text;
        else
            json["value"] = symbol.value;
        json["unit"] = symbol.unit;
        json["text"] = symbol.text;
        symbols.push_back(std::move(json));
    }
    return symbols;
}

Json questionJson(const Lesson &lesson, const Question &question) {
    const LessonStep &step = *question.step;
    Json json{{"lesson", lesson.id},
              {"step", step.id},
              {"title", step.title},
              {"kind", name_of(step.kind)},
              {"seed", question.seed},
              {"text", filled_in(step.text, question)},
              {"question", question.text},
              {"symbols", symbolsJson(question)},
              {"unit", question.unit.empty() ? "1" : question.unit}};
    if (step.kind == StepKind::number)
        json["tolerance"] = step.tolerance;
    if (!question.options.empty()) {
        json["options"] = Json::array();
        for (const AskedOption &option : question.options) {
            Json each{{"key", option.key}, {"text", option.text}};
            if (step.kind == StepKind::bug) {
                each["line"] = step.options[option.index].line;
                each["code"] = step.options[option.index].code;
            }
            json["options"].push_back(std::move(each));
        }
    }
    if (!step.program.empty())
        json["program"] = step.program;
    if (step.kind == StepKind::code) {
        json["function"] = step.function;
        json["parameters"] = step.parameters;
    }
    for (const FreeField &field : step.fields)
        json["fields"][field.field] = field.values;
    for (const DesignGoal &goal : step.goals)
        json["goals"].push_back(goal.text);
    return json;
}

/// Wraps the paragraphs of a Markdown text; lists, tables and code keep their lines.
void addLines(std::vector<std::string> &lines, std::string_view text) {
    std::string paragraph;
    bool isCode = false;
    const auto flush = [&] {
        if (!paragraph.empty())
            for (std::string &line : wrapped(paragraph, pageColumns))
                lines.push_back(std::move(line));
        paragraph.clear();
    };
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const bool isFence = line.starts_with("```");
        const bool isOwn = line.starts_with("- ") || line.starts_with("* ") || line.starts_with("|");
        if (line.empty() || isFence || isOwn || isCode)
            flush();
        if (isFence)
            isCode = !isCode;
        else if (line.empty() || isCode)
            lines.emplace_back(line);
        else
            paragraph += (paragraph.empty() ? "" : " ") + std::string(line);
    }
    flush();
}

std::vector<std::string> questionLines(const Lesson &lesson, const Question &question) {
    const LessonStep &step = *question.step;
    std::vector<std::string> lines{fmt::format("{}: {}", lesson.title, step.title), {}};
    if (!step.text.empty()) {
        addLines(lines, filled_in(step.text, question));
        lines.emplace_back();
    }
    addLines(lines, question.text);
    if (!step.program.empty())
        lines.emplace_back();
    for (std::size_t i = 0; i < step.program.size(); ++i)
        lines.push_back(fmt::format("  {}  {}", i + 1, step.program[i]));
    if (!question.options.empty())
        lines.emplace_back();
    for (const AskedOption &option : question.options) {
        const StepOption &own = step.options[option.index];
        lines.push_back(step.kind == StepKind::bug
                            ? fmt::format("  {}  line {}: {}  ({})", option.key, own.line, own.code, option.text)
                            : fmt::format("  {}  {}", option.key, option.text));
    }
    if (step.kind == StepKind::code)
        lines.push_back(fmt::format("\nfunction {}({})", step.function, fmt::join(step.parameters, ", ")));
    for (const DesignGoal &goal : step.goals)
        lines.push_back("  Goal: " + goal.text);
    for (const FreeField &field : step.fields) {
        std::string values;
        for (const Json &value : field.values)
            values += (values.empty() ? "" : ", ") + (value.is_string() ? value.get<std::string>() : value.dump());
        lines.push_back(fmt::format("  {} = {}", field.field, values));
    }
    return lines;
}

void showText(const Lesson &lesson, const LessonStep &step, const LessonArguments &options) {
    LessonEngine engine(lesson, Library::standard());
    const std::string text = filled_in(step.text, ask(step, options.seed, engine));
    if (options.json) {
        Json json{{"lesson", lesson.id},  {"step", step.id}, {"title", step.title}, {"kind", name_of(step.kind)},
                  {"seed", options.seed}, {"text", text},    {"question", ""},      {"symbols", Json::array()},
                  {"unit", "1"}};
        if (options.answer)
            json.update(Json{{"correct", false},
                             {"hint", "This step does not ask a question."},
                             {"expected", nullptr},
                             {"derivation", nullptr}});
        writeJson(json);
        return;
    }
    std::vector<std::string> lines{fmt::format("{}: {}", lesson.title, step.title), {}};
    addLines(lines, text);
    if (options.answer)
        lines.emplace_back("\nThis step does not ask a question.");
    writeText(joined(lines));
}

void showQuestion(const Lesson &lesson, const LessonStep &step, const LessonArguments &options) {
    LessonEngine engine(lesson, Library::standard());
    const Question question = ask(step, options.seed, engine);
    Json json = questionJson(lesson, question);
    std::vector<std::string> lines = questionLines(lesson, question);
    if (options.answer) {
        const Judgement judgement = judge(question, *options.answer, engine, run_in_process);
        const Derivation derivation = derivation_of(question, engine);
        json["correct"] = judgement.correct;
        json["hint"] = judgement.hint;
        json["slip"] = judgement.slip;
        json["expected"] = expected_answer(question, engine);
        json["derivation"] = to_json(derivation);
        lines.emplace_back();
        lines.emplace_back(judgement.correct ? "Right." : "Not right.");
        if (!judgement.hint.empty())
            addLines(lines, judgement.hint);
        lines.push_back("Expected  " + expected_text(question, engine));
        if (!derivation.formula.empty()) {
            lines.push_back("Formula   " + derivation.formula);
            lines.push_back("Numbers   " + derivation.substituted());
            lines.push_back("Source    " + derivation.source);
        }
    }
    if (options.json)
        writeJson(json);
    else
        writeText(joined(lines));
}

void showLesson(const LessonArguments &options) {
    const std::shared_ptr<const Lesson> lesson = lessonCalled(options.id);
    const LessonStep &step = stepCalled(*lesson, options.step);
    naming("lesson " + lesson->id,
           [&] { is_question(step.kind) ? showQuestion(*lesson, step, options) : showText(*lesson, step, options); });
}

} // namespace

void addLessons(CLI::App &program) {
    CLI::App *const all = program.add_subcommand("lessons", "List the lessons and their steps");
    const auto json = std::make_shared<bool>(false);
    all->add_flag("--json", *json, "Print JSON");
    all->callback([json] { listLessons(*json); });

    CLI::App *const one =
        program.add_subcommand("lesson", "Print a lesson's question with new random numbers, and check an answer");
    const auto options = std::make_shared<LessonArguments>();
    one->add_option("LESSON", options->id, "Lesson listed by `meshwright-cli lessons`, or a lesson file")->required();
    one->add_option("--step", options->step,
                    "Step of the lesson; by default its first question or, without questions, its first step");
    one->add_option("--seed", options->seed, "Random seed of the numbers; the same seed gives the same question")
        ->capture_default_str();
    one->add_option("--answer", options->answer,
                    "Answer: a number with or without a unit, an option's letter, letters in order, a line number and "
                    "a letter, a JavaScript function, or settings such as parallelism.tensor=8");
    one->add_flag("--json", options->json, "Print JSON");
    one->callback([options] { showLesson(*options); });
}

} // namespace meshwright
