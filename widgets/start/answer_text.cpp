// SPDX-License-Identifier: GPL-3.0-or-later
#include "start/answer_text.h"

#include "catalog/accelerator.h"
#include "catalog/library.h"
#include "evaluate/result.h"
#include "figures/figure_ref.h"
#include "figures/figure_text.h"
#include "gantt/schedule_names.h"
#include "search/configuration_text.h"
#include "views/view_mapping.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace meshwright {

namespace {

QString tr(const char *text) {
    return QCoreApplication::translate("AnswerText", text);
}

QString overheadText(StepTerm term) {
    switch (term) {
    case StepTerm::compute:
        break;
    case StepTerm::recompute:
        return tr("recomputation");
    case StepTerm::bubble:
        return tr("the pipeline bubble");
    case StepTerm::tensor:
        return tr("exposed tensor-parallel communication");
    case StepTerm::context:
        return tr("exposed context-parallel communication");
    case StepTerm::expert:
        return tr("exposed expert-parallel communication");
    case StepTerm::pipeline:
        return tr("exposed point-to-point communication");
    case StepTerm::data:
        return tr("exposed data-parallel communication");
    case StepTerm::optimizer:
        return tr("the optimizer step");
    }
    return {};
}

/// A sentence with a figure of one of the answer's plans.
SentenceText ofPlan(const QString &plan, double value, Quantity quantity, const QString &figure) {
    return said(figureText(value, quantity), FigureRef::ofPlan(figure, FigureView::start, plan));
}

} // namespace

QString configurationText(const Plan &plan) {
    QStringList parts{degreesText(plan.parallelism)};
    if (plan.parallelism.pipeline > 1)
        parts << layoutValueText(plan, ConfigurationField::schedule);
    parts << tr("ZeRO %1").arg(plan.parallelism.zero_stage);
    parts << (plan.recompute.mode == RecomputeMode::none ? tr("no recomputation")
                  : plan.recompute.mode != RecomputeMode::layers
                  ? tr("%1 recomputation").arg(layoutValueText(plan, ConfigurationField::recompute))
                  : plan.recompute.layers == 1 ? tr("first layer recomputed")
                                               : tr("first %1 layers recomputed").arg(plan.recompute.layers));
    return parts.join(QStringLiteral(" · "));
}

SentenceText whyBest(const FirstPlan &answer, const AnswerNames &names) {
    const Result &result = *answer.result;
    const Step &step = result.step;
    std::size_t largest = 1;
    for (std::size_t i = 1; i < step_term_count; ++i)
        if (step.terms[i] > step.terms[largest])
            largest = i;
    const auto of = [&](double value, Quantity quantity, const QString &figure) {
        return ofPlan(names.best, value, quantity, figure);
    };
    const auto term = [&](std::size_t at) {
        return of(step.terms[at], Quantity::seconds, figurePathOf(QString::fromStdString(step_term_names()[at])));
    };
    return filled(tr("Compute takes %1 of each %2 step, and the largest overhead is %3 at %4; "
                     "%5 of %6 stay free on the fullest GPU."),
                  term(static_cast<std::size_t>(StepTerm::compute)),
                  of(step.seconds, Quantity::seconds, QStringLiteral("step.seconds")),
                  overheadText(static_cast<StepTerm>(largest)), term(largest),
                  of(result.verdict.headroom_bytes, Quantity::bytes, QStringLiteral("verdict.headroom_bytes")),
                  of(result.memory.capacity_bytes, Quantity::bytes, QStringLiteral("memory.capacity_bytes")));
}

SentenceText whyNotNext(const FirstPlan &answer, const AnswerNames &names) {
    if (!answer.next)
        return tr("No other parallel configuration fits.");
    const SearchEntry &next = *answer.next;
    return filled(tr("The next best, %1, would take %2 per step; the run would take %3 and cost %4."),
                  configurationText(next.plan),
                  ofPlan(names.next, next.step_seconds, Quantity::seconds, QStringLiteral("step.seconds")),
                  ofPlan(names.next, next.run_seconds, Quantity::seconds, QStringLiteral("run.seconds")),
                  ofPlan(names.next, next.dollars, Quantity::dollars, QStringLiteral("run.rental_dollars")));
}

QString whyNothing(const FirstPlan &answer, const Library &library) {
    if (!answer.problem.empty())
        return QString::fromStdString(answer.problem);
    if (!answer.fits_on)
        return tr("No configuration fits, not even on up to %1 times as many GPUs. Try a smaller model, shorter "
                  "sequences or GPUs with more memory.")
            .arg(max_tried_growth);
    const auto accelerator = library.accelerator(answer.request.accelerator);
    const std::int64_t nodes = *answer.fits_on / std::max<std::int64_t>(1, accelerator->accelerators_per_node);
    return tr("Every configuration needs more memory than these GPUs have. %1 GPUs (%2 nodes) are enough.")
        .arg(countText(static_cast<double>(*answer.fits_on)), countText(static_cast<double>(nodes)));
}

} // namespace meshwright
