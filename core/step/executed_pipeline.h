// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

#include <optional>

namespace meshwright {

/// A plan's pipeline, executed with the times of its own stages.
struct ExecutedPipeline {
    double makespan_seconds = 0;
    double bubble_of_ideal = 0;
    double bubble_of_total = 0;
    double bubble_of_span = 0;
};

/// Whether the closed forms of the step model are exact for a valid plan's pipeline: one rank, or stages that take the
/// same, sends that take no time and traffic that is seen in full, and where the schedule's form asks for it forward
/// pass and both gradients of one length. Elsewhere they take the mean stage.
bool closed_forms_hold(const Plan &plan);

/// Most operations that are executed for a result; a pipeline of them takes some milliseconds.
inline constexpr std::int64_t most_executed_operations = 400'000;

/// The executed pipeline of a valid plan. Nothing where its schedule has more operations.
std::optional<ExecutedPipeline> executed_pipeline(const Plan &plan);

} // namespace meshwright
