// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvases/stacked_bars_layout.h"
#include "compare/causes_model.h"
#include "compare/compared_bars.h"
#include "compare/compared_plan.h"
#include "compare/fields_model.h"
#include "compare/figures_model.h"
#include "figures/figure_text.h"
#include "models/figures_table.h"
#include "report/paper.h"
#include "report/report_sections.h"

#include <algorithm>
#include <utility>

namespace meshwright {
namespace {

QString cellText(const QAbstractItemModel &model, int row, int column, int role = Qt::DisplayRole) {
    return model.index(row, column).data(role).toString();
}

TablePart plansTable(const PlanComparison &comparison) {
    TablePart table{{{QStringLiteral("plan"), 1, Qt::AlignLeft},
                     {QStringLiteral("model"), 0.5, Qt::AlignLeft},
                     {QStringLiteral("accelerators"), 1, Qt::AlignLeft},
                     {QStringLiteral("verdict"), 4, Qt::AlignLeft}},
                    {}};
    const QStringList names = comparedNames(comparison);
    for (std::size_t i = 0; i < comparison.results.size(); ++i) {
        const Result &result = *comparison.results[i];
        const Plan &plan = result.plan;
        table.rows.push_back(
            {shownName(names.value(static_cast<qsizetype>(i))),
             shownName(QString::fromStdString(plan.model.name.empty() ? plan.model_id : plan.model.name)),
             QStringLiteral("%1 \u00d7 %2")
                 .arg(countText(static_cast<double>(plan.cluster.accelerators())),
                      shownName(QString::fromStdString(plan.cluster.accelerator.name))),
             QString::fromStdString(result.verdict.summary.text)});
    }
    return table;
}

QStringList lettersOf(const PlanComparison &comparison) {
    QStringList letters;
    for (std::size_t i = 0; i < comparison.names.size(); ++i)
        letters << letterOf(static_cast<int>(i));
    return letters;
}

PicturePart barsPicture(const QString &title, const QString &caption, const StackedBarsView &view, TablePart values) {
    const auto rows = static_cast<qreal>(view.rows.size());
    const qreal ends = StackedBarsLayout::AxisHeight + (view.capacity ? StackedBarsLayout::CapacityHeight : 0);
    return {.title = title,
            .caption = caption,
            .minHeight = ends + rows * 30,
            .maxHeight = ends + rows * 40,
            .paint = [view](Paper &paper, const QRectF &area) { paintBars(paper, area, view); },
            .legend = kindLegend(view),
            .legendColumns = 5,
            .values = std::move(values)};
}

void addBars(ReportSection &section, const PlanComparison &comparison) {
    const QStringList letters = lettersOf(comparison);
    const StackedBarsView steps = StepBar::stacked(comparedSteps(comparison));
    section.parts.emplace_back(
        barsPicture(QStringLiteral("Step time of the compared plans, by term"),
                    QStringLiteral("Step time of the compared plans, by term, with its change from plan A."), steps,
                    segmentTable(QStringLiteral("plan"), letters, steps, Quantity::seconds)));
    const StackedBarsView memory = MemoryBars::stacked(comparedMemory(comparison));
    section.parts.emplace_back(barsPicture(
        QStringLiteral("Memory of the compared plans, by kind"),
        QStringLiteral(
            "Memory per accelerator of the compared plans, each at its peak on the stage with the highest peak."),
        memory, segmentTable(QStringLiteral("plan"), letters, memory, Quantity::bytes)));
}

/// Figures of all plans with their changes from plan A. The report has derivations of plan A's figures only.
TablePart figuresTable(const ComparisonPointer &run) {
    ComparedFiguresModel model;
    model.setComparison(run);
    TablePart table{{{QStringLiteral("figure"), 3, Qt::AlignLeft}}, {}};
    for (int plan = 0; plan + 1 < model.columnCount(); ++plan) {
        table.columns.push_back({letterOf(plan)});
        if (plan > 0)
            table.columns.push_back({letterOf(plan) + QStringLiteral(" from A")});
    }
    for (int row = 0; row < model.rowCount(); ++row) {
        std::vector<SentenceText> cells{cellText(model, row, 0)};
        for (int column = 1; column < model.columnCount(); ++column) {
            const QString text = cellText(model, row, column);
            const auto figure = model.index(row, column).data(FiguresTable::FigureRole).value<FigureRef>();
            cells.push_back(column == 1 && !figure.isEmpty() ? said(text, figure) : SentenceText(text));
            if (column > 1)
                cells.emplace_back(cellText(model, row, column, ComparedFiguresModel::ChangeRole));
        }
        table.rows.push_back(std::move(cells));
    }
    return table;
}

void addFields(ReportSection &section, const ComparisonPointer &run) {
    constexpr int mostFields = 40;
    ComparedFieldsModel model;
    model.setComparison(run);
    const int rows = model.rowCount();
    if (rows == 0) {
        section.parts.emplace_back(TextPart{QStringLiteral("The plans do not differ in any field.")});
        return;
    }
    section.parts.emplace_back(
        HeadingPart{QStringLiteral("Fields that differ"),
                    rows > mostFields ? QStringLiteral("the first %1 of %2").arg(mostFields).arg(rows) : QString()});
    TablePart table{{{QStringLiteral("field"), 2, Qt::AlignLeft}}, {}};
    for (int column = 1; column < model.columnCount(); ++column)
        table.columns.push_back({letterOf(column - 1), 1.5, Qt::AlignLeft});
    for (int row = 0; row < std::min(rows, mostFields); ++row) {
        std::vector<SentenceText> cells{cellText(model, row, 0, Qt::AccessibleTextRole)};
        for (int column = 1; column < model.columnCount(); ++column)
            cells.emplace_back(shownName(cellText(model, row, column)));
        table.rows.push_back(std::move(cells));
    }
    section.parts.emplace_back(std::move(table));
}

TablePart causesTable(const CausesModel &causes) {
    TablePart table{{{QStringLiteral("change"), 2, Qt::AlignLeft},
                     {QStringLiteral("in order")},
                     {QStringLiteral("alone")},
                     {QStringLiteral("interaction")}},
                    {}};
    for (int row = 0; row < causes.rowCount(); ++row)
        table.rows.push_back({cellText(causes, row, CausesModel::Cause), cellText(causes, row, CausesModel::InOrder),
                              cellText(causes, row, CausesModel::Alone),
                              cellText(causes, row, CausesModel::Interaction)});
    return table;
}

void addCauses(ReportSection &section, const ComparisonPointer &run) {
    struct Caused {
        const char *figure;
        const char *title;
    };
    bool isExplained = false;
    for (int plan = 1; plan < static_cast<int>(run->comparison.names.size()); ++plan) {
        ColumnsPart columns;
        for (const Caused &caused : {Caused{"step.seconds", "Step time"}, Caused{"memory.peak_bytes", "Peak memory"}}) {
            CausesModel causes;
            causes.setComparison(run, QLatin1String(caused.figure), plan);
            if (causes.hasCauses())
                columns.columns.push_back(
                    {1,
                     {HeadingPart{QLatin1String(caused.title), QStringLiteral("from A to %1").arg(letterOf(plan))},
                      causesTable(causes)}});
        }
        if (columns.columns.empty())
            continue;
        if (!std::exchange(isExplained, true))
            section.parts.emplace_back(
                TextPart{QStringLiteral("In order: the effect of each change after the changes above it; these effects "
                                        "add up. Alone: the effect of "
                                        "one change in plan A. Interaction: the difference between the two.")});
        section.parts.emplace_back(std::move(columns));
    }
}

} // namespace

ReportSection comparisonSection(const ReportDataPointer &data) {
    ReportSection section{ReportChapter::comparison, titleOf(ReportChapter::comparison), {}, {}};
    const ComparisonPointer &run = data->comparison;
    if (run == nullptr)
        return section;
    if (!run->problem.isEmpty()) {
        section.parts.emplace_back(TextPart{QStringLiteral("The plans are not compared: ") + run->problem});
        return section;
    }
    section.note = QStringLiteral("figures side by side, fields that differ, and the effect of each change");
    section.parts.emplace_back(plansTable(run->comparison));
    addBars(section, run->comparison);
    section.parts.emplace_back(figuresTable(run));
    addFields(section, run);
    addCauses(section, run);
    return section;
}

} // namespace meshwright
