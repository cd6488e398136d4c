// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/design_answer.h"

#include "evaluate/evaluate.h"
#include "explain/explain.h"
#include "input/diagnostic.h"
#include "input/field_reader.h"
#include "input/json_document.h"
#include "lessons/step_parts.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <optional>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::size_t most_combinations = 4096;

std::string setting_text(const std::string &field, const Json &value) {
    return fmt::format("{}={}", field, value.is_string() ? value.get<std::string>() : value.dump());
}

std::string settings_text(const std::vector<FieldSetting> &settings) {
    std::string text;
    for (const FieldSetting &setting : settings)
        text += (text.empty() ? "" : " ") + setting_text(setting.field, setting.value);
    return text;
}

Json value_in(std::string_view text) {
    try {
        return parse_json(text);
    } catch (const InputError &) {
        return std::string(text);
    }
}

/// The settings in an answer. @throws InputError for anything but a setting of a free field
std::vector<FieldSetting> settings_in(std::string_view answer, const LessonStep &step) {
    std::vector<std::string> fields;
    for (const FreeField &field : step.fields)
        fields.push_back(field.field);
    const std::string expected =
        "expected settings such as " + setting_text(step.fields.front().field, step.fields.front().values.front());
    std::vector<FieldSetting> settings;
    constexpr std::string_view marks = " \t\n,;";
    for (;;) {
        const std::size_t begin = answer.find_first_not_of(marks);
        if (begin == std::string_view::npos)
            break;
        answer.remove_prefix(begin);
        const std::size_t end = std::min(answer.find_first_of(marks), answer.size());
        const std::string_view word = answer.substr(0, end);
        answer.remove_prefix(end);
        const std::size_t equals = word.find('=');
        if (equals == std::string_view::npos || equals == 0)
            throw InputError("", fmt::format("\"{}\" does not set a field", word.substr(0, 40)), expected);
        const std::string field(word.substr(0, equals));
        if (std::find(fields.begin(), fields.end(), field) == fields.end())
            throw InputError("", fmt::format("{} cannot be changed in this step", field.substr(0, 60)),
                             "expected " + listed(fields));
        settings.push_back({.field = field, .value = value_in(word.substr(equals + 1)), .expression = {}});
    }
    if (settings.empty())
        throw InputError("", "the answer sets no field", expected);
    return settings;
}

std::vector<FieldSetting> after_start(const LessonStep &step, const std::vector<FieldSetting> &settings) {
    std::vector<FieldSetting> all = step.start;
    all.insert(all.end(), settings.begin(), settings.end());
    return all;
}

bool are_reached(const std::vector<ReachedGoal> &goals) {
    return std::all_of(goals.begin(), goals.end(), [](const ReachedGoal &goal) { return goal.reached; });
}

/// Enumerates all combinations of the free fields' values.
template <typename Use>
void for_each_combination(const LessonStep &step, const Use &use) {
    std::size_t combinations = 1;
    for (const FreeField &field : step.fields)
        combinations = std::min(most_combinations, combinations * field.values.size());
    for (std::size_t i = 0; i < combinations; ++i) {
        std::vector<FieldSetting> settings;
        std::size_t rest = i;
        for (const FreeField &field : step.fields) {
            settings.push_back(
                {.field = field.field, .value = field.values[rest % field.values.size()], .expression = {}});
            rest /= field.values.size();
        }
        use(settings);
    }
}

std::vector<FieldSetting> solved_settings(const LessonStep &step, LessonEngine &engine) {
    std::optional<std::vector<FieldSetting>> best;
    double best_seconds = std::numeric_limits<double>::infinity();
    for_each_combination(step, [&](const std::vector<FieldSetting> &settings) {
        try {
            const std::shared_ptr<const Result> result = engine.result_with(after_start(step, settings), {});
            if (result->step.seconds < best_seconds && are_reached(reached_goals(step, *result, engine))) {
                best = settings;
                best_seconds = result->step.seconds;
            }
        } catch (const InputError &) {
            return; // invalid plans are skipped
        }
    });
    if (!best)
        throw InputError("", fmt::format("step {} has goals that no combination of its values meets", step.id),
                         "expected goals that at least one combination meets");
    return *best;
}

} // namespace

std::vector<ReachedGoal> reached_goals(const LessonStep &step, const Result &result, LessonEngine &engine) {
    std::vector<ReachedGoal> goals;
    for (const DesignGoal &goal : step.goals) {
        ReachedGoal reached{.goal = &goal, .figure = engine.figure_of(result, goal.figure), .reached = true};
        const double value = reached.figure.value;
        reached.reached = (!goal.at_least || value >= *goal.at_least) && (!goal.at_most || value <= *goal.at_most)
            && (!goal.is || (value != 0) == *goal.is);
        goals.push_back(std::move(reached));
    }
    return goals;
}

std::vector<ReachedGoal> goals_with(const LessonStep &step, std::string_view answer, LessonEngine &engine) {
    const std::vector<FieldSetting> settings = settings_in(answer, step);
    return reached_goals(step, *engine.result_with(after_start(step, settings), {}), engine);
}

std::string reached_text(const ReachedGoal &goal) {
    return text_of(goal.figure.value, goal.figure.kind);
}

std::string asked_text(const ReachedGoal &goal) {
    if (goal.goal->is)
        return *goal.goal->is ? "yes" : "no";
    std::string text;
    for (const auto &[words, limit] :
         {std::pair("at least", goal.goal->at_least), std::pair("at most", goal.goal->at_most)})
        if (limit)
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", words, text_of(*limit, goal.figure.kind));
    return text;
}

Judgement judge_design(const Question &question, std::string_view answer, LessonEngine &engine) {
    const LessonStep &step = *question.step;
    try {
        for (const ReachedGoal &goal : goals_with(step, answer, engine))
            if (!goal.reached)
                return {.correct = false,
                        .hint = fmt::format("Not yet: {} (now {}).", goal.goal->text, reached_text(goal)),
                        .slip = {}};
        return {.correct = true, .hint = {}, .slip = {}};
    } catch (const InputError &error) {
        return {.correct = false, .hint = problem_text(error) + ".", .slip = {}};
    }
}

std::string solved_design(const LessonStep &step, LessonEngine &engine) {
    return settings_text(solved_settings(step, engine));
}

Derivation design_derivation(const LessonStep &step, LessonEngine &engine) {
    const std::vector<FieldSetting> settings = solved_settings(step, engine);
    const std::shared_ptr<const Result> result = engine.result_with(after_start(step, settings), {});
    const Derivation tree = explain(*result);
    Derivation node;
    node.name = "answer";
    node.title = settings_text(settings);
    node.source = "the lesson's question";
    for (const DesignGoal &goal : step.goals) {
        if (const Derivation *const figure = find_figure(tree, goal.figure)) {
            Derivation input = *figure;
            for (Derivation &below : input.inputs.own()) {
                below.inputs = {};
                below.formula.clear();
            }
            node.inputs.push_back(std::move(input));
        }
    }
    return node;
}

} // namespace meshwright
