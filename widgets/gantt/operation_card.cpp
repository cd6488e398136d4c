// SPDX-License-Identifier: GPL-3.0-or-later
#include "gantt/operation_card.h"

#include "figures/figure_text.h"
#include "theme/theme.h"
#include "timeline/time_ticks.h"

#include <QCoreApplication>

#include <cmath>

namespace meshwright {
namespace {

QString tr(const char *text) {
    return QCoreApplication::translate("OperationCard", text);
}

QString passName(OperationKind kind) {
    switch (kind) {
    case OperationKind::forward:
        return tr("Forward");
    case OperationKind::backward:
        return tr("Backward");
    case OperationKind::input_gradient:
        return tr("Input gradient");
    case OperationKind::weight_gradient:
        return tr("Weight gradient");
    }
    return {};
}

QString letterOf(OperationKind kind) {
    return kind == OperationKind::forward       ? QStringLiteral("F")
        : kind == OperationKind::backward       ? QStringLiteral("B")
        : kind == OperationKind::input_gradient ? QStringLiteral("I")
                                                : QStringLiteral("W");
}

class Description {
public:
    Description(const PlanPipeline &pipeline, const TimeRange &visible)
        : m_pipeline(pipeline)
        , m_order(pipeline.order)
        , m_timeline(pipeline.timeline)
        , m_visible(visible) { }

    HoverContent operation(std::uint32_t index) {
        const Operation &operation = m_order.operations[index];
        m_content.title = tr("%1 of microbatch %2").arg(passName(operation.kind)).arg(numberOf(m_order, operation));
        place(index);
        times(m_timeline.start[index], m_timeline.end[index]);
        block(index);
        waiting(index);
        bytes(index);
        return m_content;
    }

    HoverContent idle(const TimelineStyle &style, const TimeRange &time, std::int32_t before) {
        m_content.title = style.name;
        m_content.title[0] = m_content.title[0].toUpper();
        times(time.begin, time.end);
        if (before >= 0) {
            const Operation &next = m_order.operations[static_cast<std::size_t>(before)];
            add(tr("Next operation"), letterOf(next.kind) + QString::number(numberOf(m_order, next)));
            waiting(static_cast<std::uint32_t>(before));
        }
        return m_content;
    }

    HoverContent traffic(const TimelineStyle &style, const TimeRange &time, std::uint32_t index) {
        const Operation &operation = m_order.operations[index];
        m_content.title = style.name;
        m_content.title[0] = m_content.title[0].toUpper();
        add(tr("Operation"), letterOf(operation.kind) + QString::number(numberOf(m_order, operation)));
        times(time.begin, time.end);
        return m_content;
    }

private:
    void add(const QString &name, const QString &value) { m_content.rows.append({name, value}); }

    std::int64_t rankOf(const Operation &operation) const {
        return m_order.rank_of[static_cast<std::size_t>(operation.direction * m_order.stages + operation.stage)];
    }

    void place(std::uint32_t index) {
        const Operation &operation = m_order.operations[index];
        QString where = tr("rank %1").arg(rankOf(operation));
        if (m_order.stages > m_order.ranks)
            where += tr(" · chunk %1").arg(m_order.chunk_of(operation));
        if (m_order.slices > 1)
            where += tr(" · slice %1").arg(m_order.slice_of(operation));
        if (m_order.directions > 1)
            where += tr(" · direction %1").arg(operation.direction);
        add(tr("Location"), where);
        add(tr("Stage"), tr("%1 of %2").arg(operation.stage).arg(m_order.stages));
    }

    void times(double start, double end) {
        add(tr("Start · end"), timeText(start, m_visible) + QStringLiteral(" · ") + timeText(end, m_visible));
        add(tr("Duration"), durationText(end - start));
    }

    void block(std::uint32_t index) {
        const BlockHalf half = m_order.operations[index].block;
        if (half == BlockHalf::none)
            return;
        const Operation &other = m_order.operations[half == BlockHalf::first_half ? index + 1 : index - 1];
        add(tr("Overlapped with"), letterOf(other.kind) + QString::number(numberOf(m_order, other)));
    }

    void waiting(std::uint32_t index) {
        const std::uint32_t producer = m_timeline.producer[index];
        if (producer == no_operation)
            return;
        const Operation &from = m_order.operations[producer];
        const Operation &operation = m_order.operations[index];
        const std::int64_t sender = rankOf(from);
        const QString what = from.kind == OperationKind::forward ? tr("activations") : tr("gradient");
        if (sender == rankOf(operation)) {
            add(tr("Depends on"), letterOf(from.kind) + QString::number(numberOf(m_order, from)));
            return;
        }
        add(tr("Depends on"), tr("%1 from rank %2").arg(what).arg(sender));
        const double arrival = m_timeline.arrival[producer];
        if (std::isfinite(arrival))
            add(tr("Sent · arrived"),
                timeText(m_timeline.send_start[producer], m_visible) + QStringLiteral(" · ")
                    + timeText(arrival, m_visible));
        if (m_pipeline.message_bytes > 0)
            add(tr("Message size"), figureText(m_pipeline.message_bytes, Quantity::bytes));
    }

    void bytes(std::uint32_t index) {
        const Operation &operation = m_order.operations[index];
        const StageWork &work = m_pipeline.work.stages[operation.stage];
        const double untilWeights = work.weight_gradient_bytes;
        const double freed = operation.kind == OperationKind::weight_gradient ? untilWeights
            : operation.kind == OperationKind::input_gradient                 ? work.activation_bytes - untilWeights
                                                                              : work.activation_bytes;
        if (freed > 0)
            add(operation.kind == OperationKind::forward ? tr("Saved for backward") : tr("Frees"),
                figureText(freed, Quantity::bytes));
        if (const double needed = working_bytes(m_order, m_pipeline.work, index); needed > 0)
            add(tr("Working memory"), figureText(needed, Quantity::bytes));
        add(tr("In flight · activations"),
            tr("%1 · %2")
                .arg(m_timeline.in_flight[index])
                .arg(figureText(m_timeline.activation_bytes[index], Quantity::bytes)));
    }

    const PlanPipeline &m_pipeline;
    const OperationOrder &m_order;
    const Timeline &m_timeline;
    const TimeRange m_visible;
    HoverContent m_content;
};

} // namespace

HoverContent describeSpan(const PlanPipeline &pipeline, const PipelineTimeline &timeline, SpanIndex span,
                          const TimeRange &visible, const Theme &theme) {
    const TimelineTrack &track = timeline.model->tracks[static_cast<std::size_t>(span.track)];
    const SpanLook &look = track.look(span.span);
    const TimelineStyle &style = timeline.model->styles[look.style];
    const TimeRange time = track.time(span.span);
    Description description(pipeline, visible);
    HoverContent content;
    if (look.style == static_cast<std::uint8_t>(PipelineStyle::Optimizer)) {
        content.title = style.name;
        content.rows.append({tr("Duration"), durationText(time.length())});
    } else if (style.fill == TimelineStyle::Fill::Hatched)
        content = description.idle(style, time, look.source);
    else if (timeline.tracks[static_cast<std::size_t>(span.track)].stream != Stream::compute)
        content = description.traffic(style, time, static_cast<std::uint32_t>(look.source));
    else
        content = description.operation(static_cast<std::uint32_t>(look.source));
    content.swatch = theme.fill(style.kind);
    return content;
}

} // namespace meshwright
