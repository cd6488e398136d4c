// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/view_mapping.h"

#include "figures/figure_text.h"
#include "views/result_bars.h"

#include <QCoreApplication>

#include <array>

namespace meshwright {

namespace {

QString tr(const char *text) {
    return QCoreApplication::translate("ViewMapping", text);
}

QString descriptionOf(StepTerm term) {
    switch (term) {
    case StepTerm::compute:
        return tr("Forward and backward passes, including host time, imbalance and stragglers");
    case StepTerm::recompute:
        return tr("Recomputation of activations not saved for backward");
    case StepTerm::bubble:
        return tr("Ranks idle while the pipeline warms up and drains");
    case StepTerm::tensor:
    case StepTerm::context:
    case StepTerm::expert:
    case StepTerm::pipeline:
    case StepTerm::data:
        return tr("Exposed communication: not overlapped with computation");
    case StepTerm::optimizer:
        return tr("Optimizer step and its communication");
    }
    return {};
}

QString layersText(const StageMemory &stage) {
    if (stage.layers <= 0)
        return tr("no layers");
    if (stage.layers == 1)
        return tr("layer %1").arg(stage.first_layer);
    return tr("layers %1–%2").arg(stage.first_layer).arg(stage.first_layer + stage.layers - 1);
}

MemoryBar barOf(const StageMemory &stage, bool chunked) {
    return {.label = tr("Stage %1").arg(stage.stage),
            // With chunks, a stage's layers are not consecutive, so only their number is shown.
            .sublabel = chunked ? tr("%1 layers").arg(stage.layers) : layersText(stage),
            .bytes = {stage.weights_bytes, stage.gradients_bytes, stage.master_bytes, stage.moments_bytes,
                      stage.activations_bytes, stage.logits_bytes, stage.buffers_bytes, stage.outer_bytes,
                      stage.runtime_bytes},
            .totalBytes = stage.total_bytes,
            .peakOperation = QString::fromStdString(stage.peak_operation)};
}

/// Whether stages have several chunks, in which case a stage's layers are not consecutive.
bool isChunked(const Memory &memory) {
    for (std::size_t i = 1; i < memory.stages.size(); ++i) {
        const StageMemory &before = memory.stages[i - 1];
        if (memory.stages[i].layers > 0 && memory.stages[i].first_layer != before.first_layer + before.layers)
            return true;
    }
    return false;
}

} // namespace

MemoryBarsView memoryBarsView(const Memory &memory) {
    MemoryBarsView view;
    view.capacityBytes = memory.capacity_bytes;
    const bool chunked = isChunked(memory);
    for (const StageMemory &stage : memory.stages)
        view.bars.append(barOf(stage, chunked));
    return view;
}

StepBarView stepBarView(const Result &result) {
    StepRow row{.label = tr("This plan"),
                .sublabel = degreesText(result.plan.parallelism),
                .terms = {},
                .note = tr("MFU %1").arg(shareText(result.step.mfu)),
                .noteTone = Tone::Neutral};
    const QVector<StackedSegment> segments = stepSegments(result.step);
    for (int i = 0; i < segments.size(); ++i) {
        const StackedSegment &segment = segments.at(i);
        row.terms.append({.name = segment.name,
                          .seconds = segment.value,
                          .kind = segment.kind,
                          .fill = segment.fill,
                          .letter = segment.letter,
                          .description = descriptionOf(static_cast<StepTerm>(i)),
                          .id = QString::fromStdString(step_term_names()[static_cast<std::size_t>(i)])});
    }
    return {.rows = {row}};
}

ThresholdGaugeView thresholdGaugeView(const Result &result) {
    const ClusterEstimate &cluster = result.cluster;
    ThresholdGaugeView view;
    const auto add = [&](const QString &name, double value, const QString &figure) {
        if (value <= 0)
            return;
        if (!view.markers.isEmpty() && value <= view.markers.last().value * (1 + 1e-9))
            view.markers.last() = {tr("%1, %2").arg(view.markers.last().name, name), value, plainText(value), figure};
        else
            view.markers.append({name, value, plainText(value), figure});
    };
    if (cluster.accelerators > 0)
        add(tr("GPU"), cluster.total_h100_equivalents / cluster.accelerators,
            QStringLiteral("cluster.total_h100_equivalents"));
    add(tr("node"), cluster.node_h100_equivalents, QStringLiteral("cluster.node_h100_equivalents"));
    add(tr("site"), cluster.site_h100_equivalents, QStringLiteral("cluster.site_h100_equivalents"));
    add(tr("fleet"), cluster.total_h100_equivalents, QStringLiteral("cluster.total_h100_equivalents"));
    if (cluster.threshold_h100_equivalents > 0) {
        view.threshold = cluster.threshold_h100_equivalents;
        view.thresholdLabel = tr("threshold %1").arg(plainText(cluster.threshold_h100_equivalents));
        const auto fraction = [&](double value) { return shareText(value / cluster.threshold_h100_equivalents); };
        view.description =
            tr("Threshold: %1 H100-equivalents. A node has %2 of the threshold, a site %3, the fleet %4. %5")
                .arg(plainText(cluster.threshold_h100_equivalents), fraction(cluster.node_h100_equivalents),
                     fraction(cluster.site_h100_equivalents), fraction(cluster.total_h100_equivalents),
                     QString::fromStdString(cluster.definition.text));
    }
    return view;
}

QString figurePathOf(const QString &term) {
    static const QStringList traffic{QStringLiteral("tensor"), QStringLiteral("context"), QStringLiteral("expert"),
                                     QStringLiteral("pipeline"), QStringLiteral("data")};
    return (traffic.contains(term) ? QStringLiteral("step.%1_exposed_seconds") : QStringLiteral("step.%1_seconds"))
        .arg(term);
}

QString figurePathOf(int stage, MemoryKind kind) {
    constexpr std::array<const char *, MemoryKindCount> kinds{
        "weights", "gradients", "master", "moments", "activations", "logits", "buffers", "outer", "runtime"};
    return QStringLiteral("memory.stages.%1.%2_bytes")
        .arg(stage)
        .arg(QLatin1String(kinds[static_cast<std::size_t>(kind)]));
}

QString degreesText(const Parallelism &parallelism) {
    QStringList parts{QStringLiteral("TP%1").arg(parallelism.tensor)};
    if (parallelism.context > 1)
        parts << QStringLiteral("CP%1").arg(parallelism.context);
    parts << QStringLiteral("PP%1").arg(parallelism.pipeline);
    if (parallelism.expert > 1)
        parts << QStringLiteral("EP%1").arg(parallelism.expert);
    if (parallelism.data > 1)
        parts << QStringLiteral("DP%1").arg(parallelism.data);
    return parts.join(QLatin1Char(' '));
}

} // namespace meshwright
