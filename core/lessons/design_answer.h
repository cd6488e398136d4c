// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/derivation.h"
#include "lessons/engine_values.h"
#include "lessons/judgement.h"
#include "lessons/lesson.h"

#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

struct ReachedGoal {
    const DesignGoal *goal = nullptr;
    PlanFigure figure;
    bool reached = false;
};

/// The reached value as text, such as "38.2%", "yes" or "no".
std::string reached_text(const ReachedGoal &goal);
/// The required value as text, such as "at least 40%" or "yes".
std::string asked_text(const ReachedGoal &goal);

std::vector<ReachedGoal> reached_goals(const LessonStep &step, const Result &result, LessonEngine &engine);

/// Evaluates the goals for the step's plan with an answer's settings.
/// @throws InputError if a setting is not one of the step's free fields, or if the plan is invalid
std::vector<ReachedGoal> goals_with(const LessonStep &step, std::string_view answer, LessonEngine &engine);

/// Judges settings such as "parallelism.tensor=8, parallelism.pipeline=2". Only the step's free fields may be set.
Judgement judge_design(const Question &question, std::string_view answer, LessonEngine &engine);

/// Finds the values of the free fields that meet all goals with the shortest step time.
/// @throws InputError if no combination meets them
std::string solved_design(const LessonStep &step, LessonEngine &engine);

/// Derives the goals' figures in the solved design. @throws InputError as solved_design()
Derivation design_derivation(const LessonStep &step, LessonEngine &engine);

} // namespace meshwright
