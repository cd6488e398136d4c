// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gantt/schedule_run.h"
#include "timeline/timeline_canvas.h"
#include "timeline/timeline_model.h"

#include <cstdint>
#include <set>
#include <vector>

namespace meshwright {

/// Styles of a pipeline timeline, in the order in which they are stacked when zoomed out.
enum class PipelineStyle : std::uint8_t {
    Nothing,
    Forward,
    Backward,
    InputGradient,
    WeightGradient,
    Send,
    Tensor,
    Expert,
    Data,
    WarmUp,
    Drain,
    WaitingForSend,
    Imbalance,
    Optimizer
};
const std::vector<TimelineStyle> &pipelineStyles();

/// Ranks with communication streams shown below the compute stream.
struct UnfoldedRanks {
    bool all = false;
    std::set<std::int64_t> some;
    bool has(std::int64_t rank) const { return all != some.contains(rank); }
    bool operator==(const UnfoldedRanks &) const = default;
};

struct PipelineTrack {
    std::int64_t rank = 0;
    Stream stream = Stream::compute;
};

/// The timeline of a pipeline, and the rank and stream of each of its rows.
struct PipelineTimeline {
    TimelineModelPointer model;
    std::vector<PipelineTrack> tracks;

    /// Links between the spans of all operations of a microbatch, from producer to consumer.
    std::vector<TimelineLink> chainOf(const PlanPipeline &pipeline, int number) const;
};

/// The number drawn on a block. Microbatches of the second direction are numbered after those of the first.
int numberOf(const OperationOrder &order, const Operation &operation);

PipelineTimeline timelineOf(const PlanPipeline &pipeline, const UnfoldedRanks &unfolded);

/// The timeline of one rank's compute stream, followed by the optimizer step.
PipelineTimeline rankTimelineOf(const PlanPipeline &pipeline, std::int64_t rank, const TimeRange &optimizer);

} // namespace meshwright
