// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pipeline/executed_order.h"
#include "pipeline/idle_shares.h"
#include "step/step_model.h"

#include <optional>

namespace meshwright {

/// Whether the closed forms of the step model are exact for a valid plan's pipeline: one rank, or stages that take the
/// same, sends that take no time and traffic that is seen in full, and where the schedule's form asks for it forward
/// pass and both gradients of one length. Elsewhere they take the mean stage.
bool closed_forms_hold(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs);

/// What is executed of a valid plan's pipeline for a result; nothing where it is too long even for that. One rank alone
/// repeats itself, so that its order ends after some microbatches.
std::optional<ExecutedOrder> executed_order(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs);

/// Whether a step is taken apart into what its schedule leaves idle and what sends add, which executes it twice.
enum class Idle { taken_apart, as_one };

/// The step of a valid plan with its pipeline executed, every operation with the times of its own stage: the bubble is
/// what the schedule leaves with sends that take no time, the pipeline's term what sends add to that. All ranks take
/// the makespan, so that the data and optimizer terms are those of the rank where they are longest. By closed forms
/// where these are exact, and without an order.
/// @param idle  `as_one` leaves all that is idle in the bubble
StepSeconds executed_step_seconds(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                                  const Assumptions &assumptions, const ExecutedOrder *order,
                                  Idle idle = Idle::taken_apart);

/// Idle time of all ranks of a valid plan's pipeline by cause, executed; without an order by the closed forms of the
/// step, whose bubble is warm-up and drain, and the ranks' own times.
IdleShares idle_of_ranks(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                         const Assumptions &assumptions, const ExecutedOrder *order);

} // namespace meshwright
