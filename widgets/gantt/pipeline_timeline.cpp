// SPDX-License-Identifier: GPL-3.0-or-later
#include "gantt/pipeline_timeline.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <unordered_map>

namespace meshwright {
namespace {

QString tr(const char *text) {
    return QCoreApplication::translate("PipelineTimeline", text);
}

PipelineStyle styleOf(OperationKind kind) {
    switch (kind) {
    case OperationKind::forward:
        return PipelineStyle::Forward;
    case OperationKind::backward:
        return PipelineStyle::Backward;
    case OperationKind::input_gradient:
        return PipelineStyle::InputGradient;
    case OperationKind::weight_gradient:
        return PipelineStyle::WeightGradient;
    }
    return PipelineStyle::Nothing;
}

PipelineStyle styleOf(IdleCause cause) {
    switch (cause) {
    case IdleCause::warm_up:
        return PipelineStyle::WarmUp;
    case IdleCause::drain:
        return PipelineStyle::Drain;
    case IdleCause::send:
        return PipelineStyle::WaitingForSend;
    case IdleCause::imbalance:
        return PipelineStyle::Imbalance;
    }
    return PipelineStyle::Nothing;
}

PipelineStyle styleOf(Stream stream) {
    switch (stream) {
    case Stream::p2p:
        return PipelineStyle::Send;
    case Stream::tensor:
        return PipelineStyle::Tensor;
    case Stream::expert:
        return PipelineStyle::Expert;
    case Stream::data:
        return PipelineStyle::Data;
    case Stream::compute:
        break;
    }
    return PipelineStyle::Nothing;
}

struct RowMaker {
    const PlanPipeline &pipeline;
    std::vector<bool> critical;

    SpanLook lookOf(std::uint32_t index) const {
        const OperationOrder &order = pipeline.order;
        const Operation &operation = order.operations[index];
        const std::int64_t parts =
            order.slices > 1 ? order.slices : std::max<std::int64_t>(1, order.stages / order.ranks);
        const std::int64_t part = order.slices > 1 ? order.slice_of(operation) : order.chunk_of(operation);
        constexpr std::int64_t lightest = TimelineColours::Shades - 1;
        return {.number = numberOf(order, operation),
                .source = static_cast<std::int32_t>(index),
                .style = static_cast<std::uint8_t>(styleOf(operation.kind)),
                .shade = static_cast<std::uint8_t>(parts > 1 ? part * std::min(lightest, parts - 1) / (parts - 1) : 0),
                .marked = critical[index],
                .joined = operation.block == BlockHalf::first_half};
    }

    /// The two halves of a block run concurrently and are drawn one above the other. The track stores them one after
    /// the other, each with its fraction of the block's time.
    TimeRange timeOf(std::uint32_t index) const {
        const Operation &operation = pipeline.order.operations[index];
        const TimeRange whole{pipeline.timeline.start[index], pipeline.timeline.end[index]};
        if (operation.block == BlockHalf::none)
            return whole;
        const std::uint32_t first = operation.block == BlockHalf::first_half ? index : index - 1;
        const double before = secondsOf(first);
        const double after = secondsOf(first + 1);
        const double seam = whole.begin + whole.length() * (before + after > 0 ? before / (before + after) : 0.5);
        return operation.block == BlockHalf::first_half ? TimeRange{whole.begin, seam} : TimeRange{seam, whole.end};
    }

    double secondsOf(std::uint32_t index) const {
        const Operation &operation = pipeline.order.operations[index];
        const StageWork &work = pipeline.work.stages[operation.stage];
        switch (operation.kind) {
        case OperationKind::forward:
            return work.forward.total();
        case OperationKind::input_gradient:
            return work.input_gradient.total();
        case OperationKind::weight_gradient:
            return work.weight_gradient.total();
        case OperationKind::backward:
            break;
        }
        return work.input_gradient.total() + work.weight_gradient.total();
    }

    std::vector<TimelineSpan> compute(std::int64_t rank) const {
        const OperationOrder &order = pipeline.order;
        std::vector<TimelineSpan> spans;
        const std::vector<IdleInterval> idle = idle_intervals(order, pipeline.timeline, rank);
        const std::uint32_t begin = order.rank_begin[static_cast<std::size_t>(rank)];
        const std::uint32_t end = order.rank_begin[static_cast<std::size_t>(rank) + 1];
        spans.reserve(end - begin + idle.size());
        auto gap = idle.begin();
        const auto addGaps = [&](double until) {
            for (; gap != idle.end() && gap->start < until; ++gap)
                spans.push_back({{gap->start, gap->end},
                                 {.source = gap->before == no_operation ? -1 : static_cast<std::int32_t>(gap->before),
                                  .style = static_cast<std::uint8_t>(styleOf(gap->cause))}});
        };
        for (std::uint32_t index = begin; index < end; ++index) {
            const TimeRange time = timeOf(index);
            addGaps(time.begin + 1e-15);
            spans.push_back({time, lookOf(index)});
        }
        addGaps(pipeline.timeline.makespan);
        return spans;
    }

    std::vector<TimelineSpan> stream(std::int64_t rank, Stream stream) const {
        std::vector<TimelineSpan> spans;
        for (const StreamInterval &busy :
             stream_intervals(pipeline.order, pipeline.work, pipeline.timeline, rank, stream))
            spans.push_back({{busy.start, busy.end},
                             {.number = numberOf(pipeline.order, pipeline.order.operations[busy.operation]),
                              .source = static_cast<std::int32_t>(busy.operation),
                              .style = static_cast<std::uint8_t>(styleOf(stream))}});
        return spans;
    }
};

QString streamName(Stream stream) {
    switch (stream) {
    case Stream::p2p:
        return tr("P2P");
    case Stream::tensor:
        return tr("TP");
    case Stream::expert:
        return tr("EP");
    case Stream::data:
        return tr("DP");
    case Stream::compute:
        break;
    }
    return {};
}

} // namespace

const std::vector<TimelineStyle> &pipelineStyles() {
    using Fill = TimelineStyle::Fill;
    static const std::vector<TimelineStyle> styles{
        {},
        {tr("forward"), QStringLiteral("F"), Kind::Blue},
        {tr("backward"), QStringLiteral("B"), Kind::Yellow},
        {tr("input gradient"), QStringLiteral("I"), Kind::Green},
        {tr("weight gradient"), QStringLiteral("W"), Kind::Purple},
        {tr("P2P send"), QStringLiteral("S"), Kind::Cyan},
        {tr("TP communication"), QStringLiteral("T"), Kind::Red},
        {tr("EP communication"), QStringLiteral("X"), Kind::Purple2},
        {tr("DP communication"), QStringLiteral("D"), Kind::Green},
        {tr("idle: warm-up bubble"), {}, Kind::Grey, Fill::Hatched},
        {tr("idle: drain bubble"), {}, Kind::Cyan, Fill::Hatched},
        {tr("idle: waiting for P2P"), {}, Kind::Red, Fill::Hatched},
        {tr("idle: imbalance"), {}, Kind::Yellow, Fill::Hatched},
        {tr("optimizer step"), QStringLiteral("O"), Kind::Purple2},
    };
    return styles;
}

int numberOf(const OperationOrder &order, const Operation &operation) {
    return static_cast<int>(order.microbatch_of(operation) + operation.direction * order.microbatches);
}

PipelineTimeline timelineOf(const PlanPipeline &pipeline, const UnfoldedRanks &unfolded) {
    RowMaker maker{pipeline, std::vector<bool>(pipeline.order.operations.size())};
    for (const std::uint32_t index : pipeline.timeline.critical_path)
        maker.critical[index] = true;
    auto model = std::make_shared<TimelineModel>();
    model->styles = pipelineStyles();
    model->trackWord = tr("rank");
    PipelineTimeline made;
    double end = pipeline.timeline.makespan;
    for (std::int64_t rank = 0; rank < pipeline.order.ranks; ++rank) {
        model->tracks.emplace_back(QString::number(rank), maker.compute(rank));
        made.tracks.push_back({rank, Stream::compute});
        if (!unfolded.has(rank))
            continue;
        for (const Stream stream : {Stream::p2p, Stream::tensor, Stream::expert, Stream::data}) {
            std::vector<TimelineSpan> spans = maker.stream(rank, stream);
            if (spans.empty())
                continue;
            model->tracks.emplace_back(streamName(stream), spans, 1);
            end = std::max(end, model->tracks.back().extent().end);
            made.tracks.push_back({rank, stream});
        }
    }
    model->whole = {0, std::max(end, 1e-9)};
    made.model = std::move(model);
    return made;
}

PipelineTimeline rankTimelineOf(const PlanPipeline &pipeline, std::int64_t rank, const TimeRange &optimizer) {
    const RowMaker maker{pipeline, std::vector<bool>(pipeline.order.operations.size())};
    std::vector<TimelineSpan> spans = maker.compute(rank);
    if (optimizer.length() > 0)
        spans.push_back({optimizer, {.style = static_cast<std::uint8_t>(PipelineStyle::Optimizer)}});
    auto model = std::make_shared<TimelineModel>();
    model->styles = pipelineStyles();
    model->trackWord = tr("rank");
    model->tracks.emplace_back(QString::number(rank), spans);
    model->whole = {0, std::max(optimizer.end, 1e-9)};
    return {.model = std::move(model), .tracks = {{rank, Stream::compute}}};
}

std::vector<TimelineLink> PipelineTimeline::chainOf(const PlanPipeline &pipeline, int number) const {
    std::vector<TimelineLink> links;
    std::unordered_map<std::int32_t, SpanIndex> places;
    for (std::size_t track = 0; track < tracks.size(); ++track) {
        const TimelineTrack &row = model->tracks[track];
        if (tracks[track].stream != Stream::compute)
            continue;
        for (std::size_t span = 0; span < row.count(); ++span)
            if (row.look(span).number == number)
                places.emplace(row.look(span).source, SpanIndex{static_cast<int>(track), span});
    }
    for (const auto &[source, place] : places) {
        const std::uint32_t producer = pipeline.timeline.producer[static_cast<std::size_t>(source)];
        if (producer == no_operation)
            continue;
        const auto from = places.find(static_cast<std::int32_t>(producer));
        if (from != places.end())
            links.push_back({from->second, place});
    }
    return links;
}

} // namespace meshwright
