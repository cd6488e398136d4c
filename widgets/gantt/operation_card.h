// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvases/hover_card.h"
#include "gantt/pipeline_timeline.h"

namespace meshwright {

class Theme;

/// Describes a span of a pipeline timeline: an operation with its times, memory and dependency, or the reason why the
/// rank is idle.
HoverContent describeSpan(const PlanPipeline &pipeline, const PipelineTimeline &timeline, SpanIndex span,
                          const TimeRange &visible, const Theme &theme);

} // namespace meshwright
