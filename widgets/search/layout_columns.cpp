// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/layout_columns.h"

#include "canvases/axis.h"
#include "panels/figure_text.h"
#include "search/layout_words.h"

#include <QCoreApplication>

#include <cmath>

namespace meshwright {

namespace {

QString tr(const char *text) {
    return QCoreApplication::translate("LayoutColumns", text);
}

QString two(double value) {
    return value >= 100 ? fixedText(value, 1) : fixedText(value, value >= 10 ? 2 : 3);
}

LayoutColumn ofField(const char *key, const QString &title, LayoutField field, const QString &explanation,
                     bool isText = false) {
    return {.key = QLatin1String(key),
            .title = title,
            .explanation = explanation,
            .field = field,
            .figure = {},
            .use = field == LayoutField::expert           ? ColumnUse::experts
                : field == LayoutField::sequence_parallel ? ColumnUse::differing
                                                          : ColumnUse::always,
            .isText = isText};
}

LayoutColumn ofFigure(const char *key, const QString &title, const char *figure, const QString &explanation,
                      ColumnUse use = ColumnUse::always) {
    return {.key = QLatin1String(key),
            .title = title,
            .explanation = explanation,
            .field = {},
            .figure = QLatin1String(figure),
            .use = use,
            .isText = false};
}

std::vector<LayoutColumn> makeColumns() {
    return {
        ofFigure("rank", tr("Rank"), "",
                 tr("Place among all layouts that the constraints admit, best first by the objective. Equal ones: the "
                    "simpler first. A dash: beyond the best thousand. A letter: pinned with Space, so that it stays "
                    "in sight whatever is filtered or searched next.")),
        ofFigure("step", tr("Step, s"), "step.seconds", tr("Time of one optimizer step of one site.")),
        ofFigure("gain", tr("Gain"), "",
                 tr("Against the present plan, by the objective: negative is better. With the step time as objective, "
                    "of the step; of the whole run where batches differ.")),
        ofFigure("peak", tr("Peak, GB"), "memory.peak_bytes",
                 tr("Memory of the fullest accelerator where it stands highest; the bar is its share of the "
                    "capacity.")),
        ofFigure("free", tr("Free, GB"), "verdict.headroom_bytes",
                 tr("What the fullest accelerator has left; negative where the layout does not fit."),
                 ColumnUse::filtering),
        ofField("tensor", tr("Tensor"), LayoutField::tensor,
                tr("Tensor-parallel ranks: every matrix of a layer is split over so many accelerators.")),
        ofField("context", tr("Context"), LayoutField::context,
                tr("Context-parallel ranks: every sequence is split over so many accelerators.")),
        ofField("pipeline", tr("Pipeline"), LayoutField::pipeline,
                tr("Pipeline stages: the layers are split over so many groups of accelerators.")),
        ofField("chunks", tr("Chunks"), LayoutField::chunks,
                tr("Virtual stages on each pipeline rank; slices of a sequence with Seq1F1B.")),
        ofField("expert", tr("Expert"), LayoutField::expert,
                tr("Expert-parallel ranks: the routed experts are spread over so many accelerators.")),
        ofField("data", tr("Data"), LayoutField::data,
                tr("Data-parallel ranks: what a site's accelerators leave for copies of the model.")),
        ofField("micro", tr("Micro"), LayoutField::micro_sequences, tr("Sequences in a microbatch.")),
        ofField("sequence", tr("Seq. par."), LayoutField::sequence_parallel,
                tr("Sequence parallelism: norms and residuals are split over the tensor-parallel ranks."), true),
        ofField("zero", tr("ZeRO"), LayoutField::zero_stage,
                tr("What data-parallel ranks share: 1 optimizer state, 2 also gradients, 3 also weights.")),
        ofField("recompute", tr("Recompute"), LayoutField::recompute,
                tr("Activations that are computed again in the backward pass instead of being kept."), true),
        ofField("schedule", tr("Schedule"), LayoutField::schedule,
                tr("The order of forward and backward passes on the pipeline's ranks."), true),
        ofFigure("mfu", tr("MFU, %"), "step.mfu",
                 tr("Model FLOPs utilisation: the model's own operations over what the accelerators could do.")),
        ofFigure("cost", tr("Run, k$"), "run.rental_dollars", tr("Rent of all accelerators for the whole run."),
                 ColumnUse::cost),
        ofFigure("energy", tr("Run, GWh"), "run.energy_joules", tr("Energy of all accelerators for the whole run."),
                 ColumnUse::energy),
        ofFigure("accelerators", tr("GPUs"), "cluster.accelerators", tr("Accelerators of all sites."),
                 ColumnUse::accelerators),
    };
}

} // namespace

const std::vector<LayoutColumn> &layoutColumns() {
    static const std::vector<LayoutColumn> columns = makeColumns();
    return columns;
}

LayoutFigures::LayoutFigures(const SearchAnswer &answer)
    : m_objective(answer.question.objective)
    , m_stepsCompare(stepsCompare(answer)) {
    if (const LayoutRow *present = answer.presentRow())
        m_present = figureOf(present->entry, m_objective, m_stepsCompare);
}

double LayoutFigures::gain(const SearchEntry &entry) const {
    return m_present > 0 ? figureOf(entry, m_objective, m_stepsCompare) / m_present - 1 : 0;
}

QString LayoutFigures::compared() const {
    switch (m_objective) {
    case Objective::cost:
    case Objective::tokens_per_dollar:
        return QStringLiteral("run.rental_dollars");
    case Objective::accelerators:
        return QStringLiteral("cluster.accelerators");
    case Objective::energy:
        return QStringLiteral("run.energy_joules");
    case Objective::time:
        break;
    }
    return m_stepsCompare ? QStringLiteral("step.seconds") : QStringLiteral("run.seconds");
}

double LayoutFigures::value(const LayoutRow &row, ColumnId column) const {
    constexpr double joulesPerGigawattHour = 3.6e12;
    const LayoutColumn &shown = layoutColumns()[static_cast<std::size_t>(column)];
    if (shown.field)
        return static_cast<double>(value_of(row.entry.plan, *shown.field));
    switch (column) {
    case ColumnId::rank:
        return row.rank > 0 ? row.rank : static_cast<double>(mostListed) + row.entry.step_seconds;
    case ColumnId::peak:
        return row.entry.peak_bytes / 1e9;
    case ColumnId::headroom:
        return row.entry.headroom_bytes / 1e9;
    case ColumnId::step:
        return row.entry.step_seconds;
    case ColumnId::mfu:
        return 100 * row.entry.mfu;
    case ColumnId::cost:
        return row.entry.dollars / 1e3;
    case ColumnId::energy:
        return row.entry.joules / joulesPerGigawattHour;
    case ColumnId::accelerators:
        return row.entry.accelerators;
    default:
        return 100 * gain(row.entry);
    }
}

QString LayoutFigures::text(const LayoutRow &row, ColumnId column) const {
    const LayoutColumn &shown = layoutColumns()[static_cast<std::size_t>(column)];
    if (shown.field)
        return layoutValueText(row.entry.plan, *shown.field);
    const double number = value(row, column);
    switch (column) {
    case ColumnId::rank:
        return (row.pin.isEmpty() ? QString() : row.pin + QLatin1Char(' '))
            + (row.rank > 0 ? QString::number(row.rank) : QStringLiteral("–"));
    case ColumnId::step:
        return two(number);
    case ColumnId::accelerators:
        return countText(number);
    case ColumnId::gain:
        if (row.present)
            return tr("present");
        if (row.elsewhere)
            return QStringLiteral("–");
        return (number > 0 ? QStringLiteral("+") : QString()) + fixedText(number, 1) + QStringLiteral(" %");
    case ColumnId::cost:
    case ColumnId::energy:
        return figure(number);
    default:
        return fixedText(number, 1);
    }
}

} // namespace meshwright
