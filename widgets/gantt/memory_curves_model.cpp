// SPDX-License-Identifier: GPL-3.0-or-later
#include "gantt/memory_curves_model.h"

#include <QCoreApplication>

#include <algorithm>

namespace meshwright {
namespace {

QString tr(const char *text) {
    return QCoreApplication::translate("MemoryCurvesModel", text);
}

/// Adds the memory curves of a rank. An operation uses its working memory while it runs. At its end, a backward pass
/// frees its activations.
void addRank(const PlanPipeline &pipeline, std::size_t rank, MemoryCurvesModel &model) {
    const Timeline &timeline = pipeline.timeline;
    const double resident = rank < pipeline.work.resident_bytes.size() ? pipeline.work.resident_bytes[rank] : 0;
    StepCurve bytes{{0}, {resident}};
    StepCurve inFlight{{0}, {0}};
    const std::uint32_t end = pipeline.order.rank_begin[rank + 1];
    for (std::uint32_t index = pipeline.order.rank_begin[rank]; index < end; ++index) {
        bytes.times.push_back(timeline.start[index]);
        bytes.values.push_back(resident + timeline.activation_bytes[index]);
        inFlight.times.push_back(timeline.start[index]);
        inFlight.values.push_back(timeline.in_flight[index]);
        const double until = index + 1 < end ? timeline.start[index + 1] : timeline.makespan;
        if (until <= timeline.end[index])
            continue;
        const bool last = index + 1 == end;
        const auto between = [&](std::uint32_t i) {
            return timeline.activation_bytes[i] - working_bytes(pipeline.order, pipeline.work, i);
        };
        bytes.times.push_back(timeline.end[index]);
        bytes.values.push_back(resident + (last ? 0 : std::max(0.0, std::min(between(index), between(index + 1)))));
        inFlight.times.push_back(timeline.end[index]);
        inFlight.values.push_back(last ? 0 : std::min(timeline.in_flight[index], timeline.in_flight[index + 1]));
    }
    model.bytes.push_back(std::move(bytes));
    model.inFlight.push_back(std::move(inFlight));
}

std::vector<MemoryLayer> layersOf(const RankMemory &memory, double resident) {
    std::vector<MemoryLayer> layers;
    double sum = 0;
    const auto add = [&](const QString &name, double bytes, Kind kind) {
        const double shown = std::min(bytes, std::max(0.0, resident - sum));
        if (shown > 0)
            layers.push_back({name, shown, kind});
        sum += shown;
    };
    add(tr("weights"), memory.weights_bytes, Kind::Blue);
    add(tr("gradients"), memory.gradients_bytes, Kind::Cyan);
    add(tr("optimizer states"), memory.master_bytes + memory.moments_bytes, Kind::Purple);
    add(tr("outer state"), memory.outer_bytes, Kind::Purple2);
    add(tr("CUDA context and NCCL buffers"), memory.runtime_bytes, Kind::Grey);
    return layers;
}

} // namespace

double StepCurve::at(double time) const {
    const auto after = std::upper_bound(times.begin(), times.end(), time);
    return after == times.begin() ? 0 : values[static_cast<std::size_t>(after - times.begin()) - 1];
}

StepCurve::Range StepCurve::within(double begin, double end, std::size_t &from) const {
    if (times.empty())
        return {};
    while (from + 1 < times.size() && times[from + 1] <= begin)
        ++from;
    Range range{values[from], values[from]};
    for (std::size_t i = from + 1; i < times.size() && times[i] <= end; ++i) {
        range.low = std::min(range.low, values[i]);
        range.high = std::max(range.high, values[i]);
    }
    return range;
}

double StepCurve::highest() const {
    return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

MemoryCurvesPointer memoryCurvesOf(const ScheduleRun &run) {
    auto model = std::make_shared<MemoryCurvesModel>();
    model->capacityBytes = run.plan.cluster.accelerator.memory_bytes;
    if (run.pipeline == nullptr)
        return model;
    const PlanPipeline &pipeline = *run.pipeline;
    for (std::size_t rank = 0; rank < static_cast<std::size_t>(pipeline.order.ranks); ++rank) {
        addRank(pipeline, rank, *model);
        model->layers.push_back(layersOf(pipeline.memory[rank], pipeline.work.resident_bytes[rank]));
    }
    model->unitWord = pipeline.order.slices > 1        ? tr("slices")
        : pipeline.order.stages > pipeline.order.ranks ? tr("chunks")
                                                       : tr("microbatches");
    return model;
}

} // namespace meshwright
