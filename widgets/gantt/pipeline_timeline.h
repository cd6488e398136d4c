// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gantt/schedule_run.h"
#include "timeline/timeline_canvas.h"
#include "timeline/timeline_model.h"

#include <cstdint>
#include <set>
#include <vector>

namespace meshwright {

/// Styles of a pipeline's timeline, in the order in which they are stacked far away.
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

/// Which ranks show their other streams under their compute.
struct UnfoldedRanks {
    bool all = false;
    std::set<std::int64_t> some;
    bool has(std::int64_t rank) const { return all != some.contains(rank); }
    bool operator==(const UnfoldedRanks &) const = default;
};

/// What a track of a pipeline's timeline stands for.
struct PipelineTrack {
    std::int64_t rank = 0;
    Stream stream = Stream::compute;
};

/// A pipeline as rows of spans, and back from them to its operations.
struct PipelineTimeline {
    TimelineModelPointer model;
    std::vector<PipelineTrack> tracks;

    /// Spans of all operations of a microbatch on their ranks, joined by what each needed.
    std::vector<TimelineLink> chainOf(const PlanPipeline &pipeline, int number) const;
};

/// A number on a block: microbatches of the second direction are counted on.
int numberOf(const OperationOrder &order, const Operation &operation);

PipelineTimeline timelineOf(const PlanPipeline &pipeline, const UnfoldedRanks &unfolded);

/// One rank's compute alone, with the optimizer's step behind the pipeline.
PipelineTimeline rankTimelineOf(const PlanPipeline &pipeline, std::int64_t rank, const TimeRange &optimizer);

} // namespace meshwright
