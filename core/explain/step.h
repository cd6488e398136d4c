// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "explain/context.h"

namespace meshwright {

/// Inputs of the schedules' closed forms: stages, microbatches, chunks, and the mean pass times of all ranks but the
/// busiest.
std::vector<Derivation> schedule_inputs(const ExplainContext &context);
/// A figure from the simulated schedule, where each stage has its own times.
Derivation executed_figure(const ExplainContext &context, Labelled what, double value);
Derivation executed_figure(const ExplainContext &context, Labelled what, double value, std::size_t rank);
Derivation closed_form_bubble(const ExplainContext &context, Labelled what);
Derivation closed_form_sends(const ExplainContext &context, Labelled what);
/// Time of one send between stages.
Derivation explain_hop(const ExplainContext &context);
/// Exposed data-parallel communication per step, and the time of the optimizer step.
std::vector<Derivation> explain_data(const ExplainContext &context);

} // namespace meshwright
