// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pipeline/order.h"
#include "step/step_model.h"

#include <optional>

namespace meshwright {

/// Whether the closed forms of the step model are exact for a valid plan's pipeline: one rank, or stages that take the
/// same, sends that take no time and traffic that is seen in full, and where the schedule's form asks for it forward
/// pass and both gradients of one length. Elsewhere they take the mean stage.
bool closed_forms_hold(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs);

/// Most operations that are executed for a result; a pipeline of them takes some milliseconds.
inline constexpr std::int64_t most_executed_operations = 400'000;

/// The order of a valid plan's pipeline, where that is executed for a result: nothing where it has more operations. One
/// rank alone repeats itself, so that its order ends after some microbatches.
std::optional<OperationOrder> executed_order(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs);

/// Whether a step is taken apart into what its schedule leaves idle and what sends add, which executes it twice.
enum class Idle { taken_apart, as_one };

/// The step of a valid plan with its pipeline executed, every operation with the times of its own stage: the bubble is
/// what the schedule leaves with sends that take no time, the pipeline's term what sends add to that. By closed forms
/// where these are exact. Without an order two shorter ones of the schedule are executed and go on as between them;
/// closed forms are left where not even a round of it is short enough.
/// @param idle  `as_one` leaves all that is idle in the bubble
StepSeconds executed_step_seconds(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                                  const Assumptions &assumptions, const OperationOrder *order,
                                  Idle idle = Idle::taken_apart);

} // namespace meshwright
