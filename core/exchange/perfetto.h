// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "step/plan_pipeline.h"

#include <string>

namespace meshwright {

/// A plan's executed pipeline in the Trace Event Format that Perfetto and Chrome open: ranks as processes, streams as
/// threads, operations and transfers as slices, sends as flow arrows to the operation that needs them, memory as
/// counters. Times are microseconds.
/// @throws InputError with an empty pointer if there are over a million operations
std::string perfetto_trace(const PlanPipeline &pipeline);

} // namespace meshwright
