// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/configuration_columns.h"

#include "canvases/axis.h"
#include "figures/figure_text.h"
#include "gantt/schedule_names.h"
#include "search/configuration_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <limits>

namespace meshwright {

namespace {

QString tr(const char *text) {
    return QCoreApplication::translate("LayoutColumns", text);
}

QString two(double value) {
    return value >= 100 ? fixedText(value, 1) : fixedText(value, value >= 10 ? 2 : 3);
}

ConfigurationColumn ofField(const char *key, const QString &title, ConfigurationField field, const QString &explanation,
                            bool isText = false) {
    return {.key = QLatin1String(key),
            .title = title,
            .explanation = explanation,
            .field = field,
            .figure = {},
            .use = field == ConfigurationField::expert           ? ColumnUse::experts
                : field == ConfigurationField::sequence_parallel ? ColumnUse::differing
                                                                 : ColumnUse::always,
            .isText = isText};
}

ConfigurationColumn ofFigure(const char *key, const QString &title, const char *figure, const QString &explanation,
                             ColumnUse use = ColumnUse::always) {
    return {.key = QLatin1String(key),
            .title = title,
            .explanation = explanation,
            .field = {},
            .figure = QLatin1String(figure),
            .use = use,
            .isText = false};
}

std::vector<ConfigurationColumn> makeColumns() {
    return {
        ofFigure("pin", tr("Pin"), "",
                 tr("Click or press Space to pin a configuration as A to D. It then stays in the table and the charts, "
                    "whatever you filter or search next.")),
        ofFigure("rank", tr("Rank"), "",
                 tr("Rank by the objective among all configurations within the constraints; ties are ordered by "
                    "simplicity. A dash means not ranked; its tooltip says why.")),
        ofFigure("step", tr("Step, s"), "step.seconds", tr("Time per optimizer step.")),
        ofFigure("gain", tr("Gain"), "",
                 tr("Gain over the plan in the objective; if the objective is \"Step time\", the gain in run time. In "
                    "filters, "
                    "gains are positive numbers: gain>3 shows configurations that are more than 3% better."),
                 ColumnUse::gains),
        ofFigure("peak", tr("Peak, GB"), "memory.peak_bytes",
                 tr("Peak memory of the fullest accelerator; the bar shows it as a fraction of the capacity.")),
        ofFigure("free", tr("Headroom, GB"), "verdict.headroom_bytes",
                 tr("Free memory of the fullest accelerator at its peak; negative if the configuration does not fit."),
                 ColumnUse::filtering),
        ofField("tensor", tr("Tensor"), ConfigurationField::tensor,
                tr("Tensor-parallel size: each weight matrix is sharded across this many accelerators.")),
        ofField("context", tr("Context"), ConfigurationField::context,
                tr("Context-parallel size: each sequence is split across this many accelerators.")),
        ofField("pipeline", tr("Pipeline"), ConfigurationField::pipeline,
                tr("Pipeline-parallel size: the layers are split into this many stages.")),
        ofField("chunks", tr("Chunks"), ConfigurationField::chunks,
                tr("Model chunks (virtual stages) per pipeline rank; with Seq1F1B, slices per sequence.")),
        ofField("expert", tr("Expert"), ConfigurationField::expert,
                tr("Expert-parallel size: the routed experts are distributed over this many accelerators.")),
        ofField("data", tr("Data"), ConfigurationField::data,
                tr("Data-parallel size: number of model replicas per site.")),
        ofField("micro", tr("Micro"), ConfigurationField::micro_sequences,
                tr("Microbatch size: sequences per microbatch on each data-parallel rank.")),
        ofField("sequence", tr("Seq. par."), ConfigurationField::sequence_parallel,
                tr("Sequence parallelism: norms and residuals are sharded across the tensor-parallel group."), true),
        ofField("zero", tr("ZeRO"), ConfigurationField::zero_stage,
                tr("ZeRO stage: at 1, data-parallel ranks shard optimizer states; at 2, also gradients; at 3, also "
                   "weights.")),
        ofField("recompute", tr("Recompute"), ConfigurationField::recompute,
                tr("Activation recomputation (checkpointing): what the backward pass recomputes instead of saving it."),
                true),
        ofField("schedule", tr("Schedule"), ConfigurationField::schedule,
                tr("Pipeline schedule: the order of forward and backward passes on each pipeline rank."), true),
        {.key = QStringLiteral("runs"),
         .title = tr("Runnable"),
         .explanation = tr(
             "Whether the plan's software can run the configuration; if not, the cell's tooltip says why. In filters: "
             "runs=yes, runs=no."),
         .field = {},
         .figure = {},
         .use = ColumnUse::software,
         .isText = true},
        ofFigure("mfu", tr("MFU, %"), "step.mfu",
                 tr("Model FLOPs utilization: model FLOPs per second as a fraction of the accelerators' peak.")),
        ofFigure("cost", tr("Run, $k"), "run.rental_dollars", tr("Rental cost of the whole run."), ColumnUse::cost),
        ofFigure("energy", tr("Run, GWh"), "run.energy_joules", tr("Energy of the whole run."), ColumnUse::energy),
        ofFigure("accelerators", tr("GPUs"), "cluster.accelerators", tr("Total number of accelerators at all sites."),
                 ColumnUse::accelerators),
    };
}

} // namespace

const std::vector<ConfigurationColumn> &layoutColumns() {
    static const std::vector<ConfigurationColumn> columns = makeColumns();
    return columns;
}

QString placeText(const SearchAnswer &answer, const LayoutRow &row) {
    if (row.elsewhere)
        return tr("Pinned in an earlier search");
    if (row.rank > 0)
        return tr("Rank %1").arg(row.rank);
    if (row.ofSchedule)
        return tr("Best for its schedule, not among the best 1,000");
    if (!row.present)
        return tr("On the Pareto front, not among the best 1,000");
    switch (answer.presentStanding()) {
    case Standing::too_large:
        return tr("Not ranked: does not fit");
    case Standing::headroom:
        return tr("Not ranked: less headroom than required");
    case Standing::software:
        return tr("Not ranked: the software cannot run it");
    case Standing::constraints:
        return tr("Not ranked: violates the constraints");
    case Standing::ranked:
    case Standing::beyond:
        break;
    }
    return tr("Not among the best 1,000");
}

ConfigurationFigures::ConfigurationFigures(const SearchAnswer &answer)
    : m_objective(answer.question.objective) {
    if (const LayoutRow *present = answer.presentRow()) {
        m_present = figureOf(present->entry, m_objective);
        m_presentStep = present->entry.step_seconds;
    }
}

double ConfigurationFigures::gain(const SearchEntry &entry) const {
    return m_present > 0 ? 1 - figureOf(entry, m_objective) / m_present : 0;
}

double ConfigurationFigures::stepGain(const SearchEntry &entry) const {
    return m_presentStep > 0 ? 1 - entry.step_seconds / m_presentStep : 0;
}

bool ConfigurationFigures::runDiffers(const SearchEntry &entry) const {
    constexpr double minDifference = 0.005;
    return m_objective == Objective::time && std::abs(stepGain(entry) - gain(entry)) > minDifference;
}

bool ConfigurationFigures::isName(ColumnId column, const QString &text) {
    const auto has = [&](const std::vector<std::string> &names) {
        return std::any_of(names.begin(), names.end(), [&](const std::string &name) {
            return text.compare(QString::fromStdString(name), Qt::CaseInsensitive) == 0;
        });
    };
    switch (column) {
    case ColumnId::schedule:
        return has(schedule_names()) || scheduleTexts().contains(text, Qt::CaseInsensitive);
    case ColumnId::recompute:
        return has(recompute_mode_names());
    default:
        return column == ColumnId::sequence || column == ColumnId::software;
    }
}

QStringList ConfigurationFigures::names(const LayoutRow &row, ColumnId column) const {
    QStringList names{text(row, column)};
    if (const std::optional<ConfigurationField> field = layoutColumns()[static_cast<std::size_t>(column)].field)
        names << QString::fromStdString(text_of_value(*field, value_of(row.entry.plan, *field)));
    if (column == ColumnId::recompute)
        names << QString::fromStdString(
            recompute_mode_names()[static_cast<std::size_t>(row.entry.plan.recompute.mode)]);
    return names;
}

double ConfigurationFigures::value(const LayoutRow &row, ColumnId column) const {
    constexpr double joulesPerGigawattHour = 3.6e12;
    const ConfigurationColumn &shown = layoutColumns()[static_cast<std::size_t>(column)];
    if (shown.field)
        return static_cast<double>(value_of(row.entry.plan, *shown.field));
    switch (column) {
    case ColumnId::rank:
        return row.rank > 0 ? row.rank : static_cast<double>(maxListed) + row.entry.step_seconds;
    case ColumnId::pin: // pinned rows come first, in the order of their letters
        return row.pin.isEmpty() ? std::numeric_limits<double>::infinity() : row.pin.at(0).unicode();
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

QString ConfigurationFigures::text(const LayoutRow &row, ColumnId column) const {
    const ConfigurationColumn &shown = layoutColumns()[static_cast<std::size_t>(column)];
    if (shown.field)
        return layoutValueText(row.entry.plan, *shown.field);
    const double number = value(row, column);
    switch (column) {
    case ColumnId::pin:
        return row.pin;
    case ColumnId::software:
        return !row.entry.runnable ? tr("no") : row.entry.reason.empty() ? tr("yes") : tr("unknown");
    case ColumnId::rank:
        return row.rank > 0 ? QString::number(row.rank) : QStringLiteral("–");
    case ColumnId::step:
        return two(number);
    case ColumnId::accelerators:
        return countText(number);
    case ColumnId::gain:
        if (row.present)
            return tr("current");
        if (row.elsewhere)
            return QStringLiteral("–");
        return gainText(number / 100, m_objective);
    case ColumnId::cost:
    case ColumnId::energy:
        return figure(number);
    default:
        return fixedText(number, 1);
    }
}

} // namespace meshwright
