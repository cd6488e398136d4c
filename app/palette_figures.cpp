// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/result.h"
#include "figures/figure_text.h"
#include "palette_items.h"

#include <QCoreApplication>

#include <cmath>

namespace meshwright {

namespace {

struct NamedFigure {
    const char *path;
    const char *title;
    const char *otherNames; ///< comma-separated
    Quantity quantity;
    double (*value)(const Result &);
};

// clang-format off
constexpr NamedFigure namedFigures[] = {
    {"verdict.headroom_bytes", QT_TRANSLATE_NOOP("PaletteFigures", "Headroom"), QT_TRANSLATE_NOOP("PaletteFigures", "memory headroom,free memory,does it fit"), Quantity::bytes, [](const Result &r) { return r.verdict.headroom_bytes; }},
    {"memory.peak_bytes", QT_TRANSLATE_NOOP("PaletteFigures", "Peak memory"), QT_TRANSLATE_NOOP("PaletteFigures", "memory,peak"), Quantity::bytes, [](const Result &r) { return r.memory.peak_bytes; }},
    {"memory.capacity_bytes", QT_TRANSLATE_NOOP("PaletteFigures", "Memory capacity"), QT_TRANSLATE_NOOP("PaletteFigures", "capacity,hbm"), Quantity::bytes, [](const Result &r) { return r.memory.capacity_bytes; }},
    {"step.seconds", QT_TRANSLATE_NOOP("PaletteFigures", "Step time"), QT_TRANSLATE_NOOP("PaletteFigures", "step,time per step,iteration time"), Quantity::seconds, [](const Result &r) { return r.step.seconds; }},
    {"step.mfu", QT_TRANSLATE_NOOP("PaletteFigures", "MFU"), QT_TRANSLATE_NOOP("PaletteFigures", "model flops utilization,utilization,efficiency"), Quantity::share, [](const Result &r) { return r.step.mfu; }},
    {"step.hfu", QT_TRANSLATE_NOOP("PaletteFigures", "HFU"), QT_TRANSLATE_NOOP("PaletteFigures", "hardware flops utilization"), Quantity::share, [](const Result &r) { return r.step.hfu; }},
    {"step.model_flops_per_second_per_accelerator", QT_TRANSLATE_NOOP("PaletteFigures", "Model FLOP/s per accelerator"), QT_TRANSLATE_NOOP("PaletteFigures", "tflops,tflop/s,flops"), Quantity::flops_per_second, [](const Result &r) { return r.step.model_flops_per_second_per_accelerator; }},
    {"step.tokens_per_second", QT_TRANSLATE_NOOP("PaletteFigures", "Tokens per second"), QT_TRANSLATE_NOOP("PaletteFigures", "throughput,tokens/s"), Quantity::tokens, [](const Result &r) { return r.step.tokens_per_second; }},
    {"step.tokens_per_second_per_accelerator", QT_TRANSLATE_NOOP("PaletteFigures", "Tokens per second per accelerator"), QT_TRANSLATE_NOOP("PaletteFigures", "throughput,tokens/s/gpu"), Quantity::tokens, [](const Result &r) { return r.step.tokens_per_second_per_accelerator; }},
    {"pipeline.bubble_of_total", QT_TRANSLATE_NOOP("PaletteFigures", "Pipeline bubble relative to total time"), QT_TRANSLATE_NOOP("PaletteFigures", "bubble,pipeline bubble,idle time"), Quantity::share, [](const Result &r) { return r.pipeline.bubble_of_total; }},
    {"pipeline.bubble_of_ideal", QT_TRANSLATE_NOOP("PaletteFigures", "Pipeline bubble relative to ideal time"), QT_TRANSLATE_NOOP("PaletteFigures", "bubble"), Quantity::share, [](const Result &r) { return r.pipeline.bubble_of_ideal; }},
    {"pipeline.makespan_seconds", QT_TRANSLATE_NOOP("PaletteFigures", "Pipeline makespan"), QT_TRANSLATE_NOOP("PaletteFigures", "makespan"), Quantity::seconds, [](const Result &r) { return r.pipeline.makespan_seconds; }},
    {"run.seconds", QT_TRANSLATE_NOOP("PaletteFigures", "Run time"), QT_TRANSLATE_NOOP("PaletteFigures", "days,training time,duration,run"), Quantity::seconds, [](const Result &r) { return r.run.seconds; }},
    {"run.rental_dollars", QT_TRANSLATE_NOOP("PaletteFigures", "Rental cost"), QT_TRANSLATE_NOOP("PaletteFigures", "cost,rent,dollars,price"), Quantity::dollars, [](const Result &r) { return r.run.rental_dollars; }},
    {"run.accelerator_hours", QT_TRANSLATE_NOOP("PaletteFigures", "GPU-hours"), QT_TRANSLATE_NOOP("PaletteFigures", "accelerator-hours,gpu hours"), Quantity::count, [](const Result &r) { return r.run.accelerator_hours; }},
    {"run.energy_joules", QT_TRANSLATE_NOOP("PaletteFigures", "Energy"), QT_TRANSLATE_NOOP("PaletteFigures", "power,kwh"), Quantity::joules, [](const Result &r) { return r.run.energy_joules; }},
    {"run.goodput", QT_TRANSLATE_NOOP("PaletteFigures", "Goodput"), QT_TRANSLATE_NOOP("PaletteFigures", "availability"), Quantity::share, [](const Result &r) { return r.run.goodput; }},
    {"run.expected_failures", QT_TRANSLATE_NOOP("PaletteFigures", "Expected failures"), QT_TRANSLATE_NOOP("PaletteFigures", "failures,mtbf"), Quantity::number, [](const Result &r) { return r.run.expected_failures; }},
    {"run.checkpoint_bytes", QT_TRANSLATE_NOOP("PaletteFigures", "Checkpoint size"), QT_TRANSLATE_NOOP("PaletteFigures", "checkpoint"), Quantity::bytes, [](const Result &r) { return r.run.checkpoint_bytes; }},
    {"run.checkpoint_interval_seconds", QT_TRANSLATE_NOOP("PaletteFigures", "Checkpoint interval"), QT_TRANSLATE_NOOP("PaletteFigures", "checkpoint"), Quantity::seconds, [](const Result &r) { return r.run.checkpoint_interval_seconds; }},
    {"run.steps", QT_TRANSLATE_NOOP("PaletteFigures", "Optimizer steps"), QT_TRANSLATE_NOOP("PaletteFigures", "steps,iterations"), Quantity::count, [](const Result &r) { return std::round(r.run.steps); }},
    {"parameters.total", QT_TRANSLATE_NOOP("PaletteFigures", "Parameters"), QT_TRANSLATE_NOOP("PaletteFigures", "params,model size"), Quantity::parameters, [](const Result &r) { return r.parameters.total; }},
    {"flops.per_step", QT_TRANSLATE_NOOP("PaletteFigures", "Model FLOPs per step"), QT_TRANSLATE_NOOP("PaletteFigures", "flops,flop"), Quantity::flops, [](const Result &r) { return r.flops.per_step; }},
    {"cluster.accelerators", QT_TRANSLATE_NOOP("PaletteFigures", "Accelerators"), QT_TRANSLATE_NOOP("PaletteFigures", "gpus,number of gpus"), Quantity::count, [](const Result &r) { return r.cluster.accelerators; }},
    {"cluster.total_h100_equivalents", QT_TRANSLATE_NOOP("PaletteFigures", "Compute in H100-equivalents"), QT_TRANSLATE_NOOP("PaletteFigures", "threshold"), Quantity::number, [](const Result &r) { return r.cluster.total_h100_equivalents; }},
};
// clang-format on

QString tr(const char *text) {
    return QCoreApplication::translate("PaletteFigures", text);
}

} // namespace

QVector<PaletteItem> figureItems(const Result &result, const PaletteWays &ways) {
    QVector<PaletteItem> items;
    for (const NamedFigure &figure : namedFigures) {
        const QString path = QLatin1String(figure.path);
        items.append({.group = tr("Figures of this plan"),
                      .title = tr(figure.title),
                      .value = figureText(figure.value(result), figure.quantity),
                      .detail = tr("how it is calculated"),
                      .words = path,
                      .names = tr(figure.otherNames).split(QLatin1Char(',')),
                      .kind = PaletteKind::figure,
                      .icon = QStringLiteral("explain"),
                      .run = [show = ways.showFigure, path] { show(path); }});
    }
    return items;
}

} // namespace meshwright
