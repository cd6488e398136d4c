// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pipeline/executed_order.h"
#include "pipeline/idle_shares.h"
#include "step/step_model.h"

#include <optional>

namespace meshwright {

/// Whether closed forms are exact for a valid plan's pipeline. They are exact for a single rank, and for equal stages
/// with instantaneous sends and fully exposed communication; some schedules additionally need equal times of the
/// forward pass and both gradients. In all other cases, closed forms use the mean stage.
bool closed_forms_hold(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs);

/// The pipeline order to execute for a valid plan; empty if it is too long. On a single rank, every microbatch repeats
/// the same operations, so only a few are executed.
std::optional<ExecutedOrder> executed_order(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs);

/// Whether idle time is split into the schedule's bubble and the time that sends add. A split takes a second execution.
enum class Idle { split, as_one };

/// Step time of a valid plan, by executing its pipeline with each stage's own times. The bubble is the idle time with
/// instantaneous sends; the pipeline term is the time that sends add. The makespan is the same for all ranks, so the
/// data and optimizer terms are those of the rank where they are longest. Closed forms are used if they are exact or if
/// no order is given.
/// @param idle `as_one` leaves all idle time in the bubble
StepSeconds executed_step_seconds(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                                  const Assumptions &assumptions, const ExecutedOrder *order, Idle idle = Idle::split);

/// Idle time of all ranks of a valid plan's pipeline by cause, from executing the order. Without an order, it is
/// calculated from the ranks' own times and the closed forms; their bubble counts as warm-up and drain.
IdleShares idle_of_ranks(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                         const Assumptions &assumptions, const ExecutedOrder *order);

} // namespace meshwright
