// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/figure_reasons.h"

#include "figures/figure_text.h"
#include "views/result_bars.h"
#include "views/view_mapping.h"

#include <QCoreApplication>

#include <cmath>

namespace meshwright {

namespace {

QString tr(const char *text) {
    return QCoreApplication::translate("FigureReasons", text);
}

Reasoning memoryReasoning(const Result &result) {
    const Memory &memory = result.memory;
    Reasoning reasoning{.title = tr("Peak memory"), .sum = {}, .parts = {}};
    const auto peak = static_cast<std::size_t>(memory.peak_stage);
    if (peak >= memory.stages.size())
        return reasoning;
    reasoning.sum = tr("Peak memory versus device memory. Stage %1 has the highest peak (%2).")
                        .arg(memory.peak_stage)
                        .arg(QString::fromStdString(memory.peak_operation));
    const QVector<double> bytes = memoryBarsView(memory).bars.at(memory.peak_stage).bytes;
    for (int kind = 0; kind < bytes.size(); ++kind) {
        if (bytes.at(kind) > 0)
            reasoning.parts.push_back(
                {MemoryBars::kindName(static_cast<MemoryKind>(kind)), figureText(bytes.at(kind), Quantity::bytes)});
    }
    reasoning.parts.push_back({tr("Total"), figureText(memory.peak_bytes, Quantity::bytes)});
    reasoning.parts.push_back({tr("Capacity"), figureText(memory.capacity_bytes, Quantity::bytes)});
    reasoning.parts.push_back({tr("Headroom"), figureText(result.verdict.headroom_bytes, Quantity::bytes),
                               result.verdict.fits ? ColourRole::Good : ColourRole::Bad});
    if (memory.high_bytes > memory.low_bytes)
        reasoning.parts.push_back(
            {tr("80% interval of the total"),
             tr("%1 to %2")
                 .arg(figureText(memory.low_bytes, Quantity::bytes), figureText(memory.high_bytes, Quantity::bytes))});
    if (memory.host_bytes > 0)
        reasoning.parts.push_back(
            {tr("Host memory, not in the total"), figureText(memory.host_bytes, Quantity::bytes)});
    return reasoning;
}

Reasoning stepReasoning(const Result &result) {
    const Step &step = result.step;
    Reasoning reasoning{.title = tr("Step time"),
                        .sum = tr("Sum of the terms below; overlapped communication is already subtracted."),
                        .parts = {}};
    const QVector<StackedSegment> segments = stepSegments(step);
    for (const StackedSegment &segment : segments) {
        if (segment.value > 0)
            reasoning.parts.push_back({segment.name, figureText(segment.value, Quantity::seconds)});
    }
    reasoning.parts.push_back({tr("Total"), figureText(step.seconds, Quantity::seconds)});
    if (step.high_seconds > step.low_seconds)
        reasoning.parts.push_back({tr("80% interval"),
                                   tr("%1 to %2")
                                       .arg(figureText(step.low_seconds, Quantity::seconds),
                                            figureText(step.high_seconds, Quantity::seconds))});
    return reasoning;
}

Reasoning runReasoning(const Result &result) {
    const RunEstimate &run = result.run;
    Reasoning reasoning{.title = tr("Run time"),
                        .sum = tr("Steps × step time, plus synchronization stalls, failures and checkpoints."),
                        .parts = {}};
    const double step = inner_step_seconds(result);
    const RunFactors factors = run_factors(result);
    reasoning.parts = {{tr("Tokens"), figureText(run.tokens, Quantity::tokens)},
                       {tr("Steps per site"), plainText(run.steps)},
                       {tr("× step time"), figureText(step, Quantity::seconds)},
                       {tr("= all steps"), figureText(run.steps * step, Quantity::seconds)}};
    if (result.outer)
        reasoning.parts.insert(reasoning.parts.end(),
                               {{tr("Rounds"), plainText(factors.times)},
                                {tr("× time per round"), figureText(factors.seconds_each, Quantity::seconds)},
                                {tr("= all rounds"), figureText(factors.training_seconds(), Quantity::seconds)}});
    reasoning.parts.push_back({tr("÷ goodput"), shareText(run.goodput)});
    reasoning.parts.push_back({tr("Run time"), figureText(run.seconds, Quantity::seconds)});
    return reasoning;
}

Reasoning costReasoning(const Result &result) {
    const RunEstimate &run = result.run;
    return {.title = tr("Rental cost"),
            .sum = tr("Accelerators × hours × rental price. Energy is listed separately and not added: the rental "
                      "price includes it."),
            .parts = {{tr("Accelerators"), countText(result.cluster.accelerators)},
                      {tr("× hours"), plainText(run.seconds / 3600)},
                      {tr("= accelerator-hours"), plainText(run.accelerator_hours)},
                      {tr("× rental price"),
                       figureText(result.plan.run.rental_dollars_per_accelerator_hour, Quantity::dollars_per_hour)},
                      {tr("Rental cost"), figureText(run.rental_dollars, Quantity::dollars)},
                      {tr("Energy"), figureText(run.energy_joules, Quantity::joules)},
                      {tr("Energy cost"), figureText(run.energy_dollars, Quantity::dollars)}}};
}

} // namespace

Reasoning reasoningOf(KeyQuantity quantity, const Result &result) {
    switch (quantity) {
    case KeyQuantity::Memory:
        return memoryReasoning(result);
    case KeyQuantity::Step:
        return stepReasoning(result);
    case KeyQuantity::Run:
        return runReasoning(result);
    case KeyQuantity::Cost:
        break;
    }
    return costReasoning(result);
}

} // namespace meshwright
