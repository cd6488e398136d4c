// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/runs_page.h"

#include "charts/xy_chart.h"
#include "evidence/column_widths.h"
#include "evidence/error_bars.h"
#include "evidence/evidence_charts.h"
#include "evidence/family_legend.h"
#include "evidence/runs_model.h"
#include "evidence/sources_model.h"
#include "figures/figure_event.h"
#include "figures/figure_ref.h"
#include "figures/figure_text.h"
#include "models/figures_table.h"

#include <QGridLayout>
#include <QHeaderView>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>

namespace meshwright {

namespace {

constexpr int rowHeight = 24;
constexpr int nearestRows = 7;
/// Columns to hide, in this order, if the names need the space.
constexpr std::array spareOfRuns{int(RunsModel::Distance), int(RunsModel::Configuration)};
constexpr std::array spareOfSources{int(SourcesModel::P90), int(SourcesModel::Bias), int(SourcesModel::Inside)};
constexpr int runNameWidth = 112;
constexpr int sourceNameWidth = 176; ///< wide enough to tell apart sources with the same prefix
constexpr std::size_t intervalRows = 60; ///< number of nearest runs that the interval is calculated from

void dress(QTableView *table) {
    table->setFrameShape(QFrame::NoFrame);
    table->setShowGrid(false);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setTabKeyNavigation(false);
    table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(rowHeight);
    table->horizontalHeader()->setHighlightSections(false);
    table->setWordWrap(false);
    table->setTextElideMode(Qt::ElideMiddle);
    table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
}

/// Factor f such that 90% of the predictions lie between 1 / f and f times the measured value.
double bandOf(const std::vector<EvidencePoint> &points) {
    if (points.empty())
        return 1;
    std::vector<double> sizes;
    sizes.reserve(points.size());
    for (const EvidencePoint &point : points)
        sizes.push_back(std::abs(std::log(point.predicted / point.measured)));
    const auto place = sizes.begin() + static_cast<std::ptrdiff_t>((sizes.size() - 1) * 9 / 10);
    std::nth_element(sizes.begin(), place, sizes.end());
    return std::exp(*place);
}

} // namespace

NearestCard::NearestCard(QWidget *parent)
    : ResultCard(tr("Nearest measured runs"), parent)
    , m_model(new RunsModel(this))
    , m_table(new FiguresTable(this)) {
    setObjectName(QStringLiteral("nearestCard"));
    m_table->setObjectName(QStringLiteral("nearestTable"));
    m_table->setAccessibleName(tr("Measured runs nearest to this plan"));
    m_table->setModel(m_model);
    dress(m_table);
    m_table->horizontalHeader()->setSectionResizeMode(RunsModel::Bar, QHeaderView::Fixed);
    m_table->horizontalHeader()->resizeSection(RunsModel::Bar, 56);
    m_table->setItemDelegateForColumn(RunsModel::Bar, new ErrorBarDelegate(m_table));
    const auto choose = [this](const QModelIndex &index) {
        if (const std::size_t row = m_model->run(index.row()).row; row != SimilarRun::of_no_table)
            Q_EMIT rowChosen(row);
    };
    connect(m_table, &QTableView::clicked, this, choose);
    connect(m_table, &QTableView::activated, this, choose);
    setBody(m_table);
    m_table->setFixedHeight(m_table->horizontalHeader()->sizeHint().height() + nearestRows * rowHeight + 2);
}

void NearestCard::setSet(EvidenceSetPointer set) {
    m_set = std::move(set);
    m_model->setRuns(m_runs, m_set);
    fit();
}

void NearestCard::fit() {
    fitColumns(*m_table);
    showColumnsThatFit(*m_table, runNameWidth, spareOfRuns);
}

void NearestCard::showResult(const Result &result) {
    m_runs = result.evidence;
    m_model->setRuns(m_runs, m_set);
    fit();
    if (m_runs.empty())
        setSubtitle(tr("no measured runs available"));
    else
        setSubtitle(filled(tr("similar runs determine the interval, %1 to %2"),
                           said(figureText(result.step.low_seconds, Quantity::seconds), "step.low_seconds"),
                           said(figureText(result.step.high_seconds, Quantity::seconds), "step.high_seconds")));
}

RunsPage::RunsPage(QWidget *parent)
    : QWidget(parent)
    , m_scatter(new XyChart(this))
    , m_legend(new FamilyLegend(this))
    , m_histogram(new XyChart(this))
    , m_nearest(new NearestCard(this))
    , m_sourcesModel(new SourcesModel(this))
    , m_sourcesProxy(new QSortFilterProxyModel(this))
    , m_sources(new FiguresTable(this)) {
    auto *grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(12);
    auto *left = new QVBoxLayout;
    left->setSpacing(12);
    left->addWidget(newScatter(), 3);
    left->addWidget(newHistogram(), 1);
    auto *right = new QVBoxLayout;
    right->setSpacing(12);
    right->addWidget(m_nearest);
    right->addWidget(newSources(), 1);
    grid->addLayout(left, 0, 0);
    grid->addLayout(right, 0, 1);
    grid->setColumnStretch(0, 6);
    grid->setColumnStretch(1, 7);
    connect(m_nearest, &NearestCard::rowChosen, this, &RunsPage::rowChosen);
    connect(m_scatter, &XyChart::thingChosen, this, [this](int point) {
        if (point >= 0)
            Q_EMIT rowChosen(m_points[static_cast<std::size_t>(point)].row);
    });
    connect(m_legend, &FamilyLegend::changed, this, &RunsPage::refresh);
}

Card *RunsPage::newScatter() {
    m_scatterCard = new Card(tr("Predicted vs. measured"), {}, this);
    m_scatter->setObjectName(QStringLiteral("evidenceScatter"));
    m_scatter->setStretching({240, 160});
    showsNoFigures(m_scatter, NotFigures::axis);
    m_scatterCard->contentLayout()->addWidget(m_scatter, 1);
    m_scatterCard->contentLayout()->addWidget(m_legend);
    return m_scatterCard;
}

Card *RunsPage::newHistogram() {
    auto *card = new Card(tr("Errors"),
                          tr("rows by error, predicted / measured − 1; the end bars include all larger errors"), this);
    m_histogram->setObjectName(QStringLiteral("errorHistogram"));
    m_histogram->setStretching({240, 84});
    showsNoFigures(m_histogram, NotFigures::axis);
    card->contentLayout()->addWidget(m_histogram, 1);
    return card;
}

Card *RunsPage::newSources() {
    auto *card = new Card(tr("Accuracy by source"), tr("step time errors in %; click a source to see its rows"), this);
    m_sourcesProxy->setSourceModel(m_sourcesModel);
    m_sourcesProxy->setSortRole(SourcesModel::SortRole);
    m_sourcesProxy->setSortLocaleAware(true);
    m_sources->setObjectName(QStringLiteral("sourcesTable"));
    m_sources->setAccessibleName(tr("Accuracy by source"));
    m_sources->setModel(m_sourcesProxy);
    dress(m_sources);
    m_sources->setSortingEnabled(true);
    m_sources->horizontalHeader()->setSortIndicator(SourcesModel::Steps, Qt::DescendingOrder);
    m_sources->sortByColumn(SourcesModel::Steps, Qt::DescendingOrder);
    m_sources->horizontalHeader()->setSectionResizeMode(SourcesModel::Bar, QHeaderView::Fixed);
    m_sources->horizontalHeader()->resizeSection(SourcesModel::Bar, 96);
    m_sources->setItemDelegateForColumn(SourcesModel::Bar, new ErrorSpanDelegate(m_sources));
    const auto choose = [this](const QModelIndex &index) {
        Q_EMIT sourceChosen(m_sourcesModel->source(m_sourcesProxy->mapToSource(index).row()));
    };
    connect(m_sources, &QTableView::clicked, this, choose);
    connect(m_sources, &QTableView::activated, this, choose);
    m_sources->setMinimumHeight(4 * rowHeight);
    card->contentLayout()->addWidget(m_sources, 1);
    return card;
}

HoverContent RunsPage::cardOf(const EvidencePoint &point) const {
    const EvidenceTable &table = *m_set->table;
    const MeasuredRun &run = table.runs[point.row];
    const Plan &plan = table.plans[point.row].plan;
    const Prediction &predicted = m_set->predictions[point.row];
    const bool isStep = m_metric == EvidenceMetric::Step;
    const Quantity quantity = isStep ? Quantity::seconds : Quantity::bytes;
    const double low = isStep ? predicted.low_seconds : predicted.low_bytes;
    const double high = isStep ? predicted.high_seconds : predicted.high_bytes;
    QStringList assumed;
    for (const std::string &one : table.plans[point.row].assumed)
        assumed.append(QString::fromStdString(one));
    constexpr int maxAssumed = 4;
    QString footnote = QString::fromStdString(run.source);
    if (!assumed.isEmpty())
        footnote += QLatin1Char('\n') + tr("Assumed: %1").arg(assumed.mid(0, maxAssumed).join(QStringLiteral("; ")))
            + (assumed.size() > maxAssumed ? tr(", and %1 more").arg(assumed.size() - maxAssumed) : QString());
    return {.title = runName(run),
            .swatch = {},
            .rows = {{tr("Measured"), figureText(point.measured, quantity)},
                     {tr("Predicted"), figureText(point.predicted, quantity)},
                     {tr("80% interval"), tr("%1 to %2").arg(figureText(low, quantity), figureText(high, quantity))},
                     {tr("Error"), (point.error() > 0 ? QStringLiteral("+") : QString()) + shareText(point.error())},
                     {tr("Accelerators"), machinesText(table, point.row)},
                     {tr("TP · PP · DP"), degreesText(plan)},
                     {tr("Batch"),
                      tr("%1 × %2 tokens")
                          .arg(countText(static_cast<double>(plan.batch.global_sequences)),
                               countText(static_cast<double>(plan.batch.sequence_length)))},
                     {tr("Software"), QString::fromStdString(plan.stack.name)}},
            .footnote = footnote};
}

bool RunsPage::passes(std::size_t row, const QStringList &words, const QSet<qsizetype> &near) const {
    if (m_filter.nearOnly && !near.contains(static_cast<qsizetype>(row)))
        return false;
    if (words.isEmpty())
        return true;
    const MeasuredRun &run = m_set->table->runs[row];
    const Plan &plan = m_set->table->plans[row].plan;
    const std::string all = run.id + ' ' + run.model_name + ' ' + run.source + ' ' + run.framework + ' '
        + run.accelerator + ' ' + plan.cluster.accelerator.name + ' ' + plan.stack.name + ' ' + run.precision;
    const QString text = QString::fromStdString(all);
    return std::all_of(words.cbegin(), words.cend(),
                       [&text](const QString &word) { return text.contains(word, Qt::CaseInsensitive); });
}

void RunsPage::takeSlice(const QStringList &words, const QSet<qsizetype> &near) {
    std::vector<std::size_t> rows;
    QVector<EvidenceFamily> left = m_set->families;
    for (EvidenceFamily &family : left)
        family.rows = 0;
    for (std::size_t row = 0; row < m_set->table->runs.size(); ++row) {
        const int family = m_set->familyOfRow[row];
        if (!passes(row, words, near))
            continue;
        // Rows that the legend hides still count in its totals.
        if (family < left.size())
            ++left[family].rows;
        if (m_legend->isShown(family))
            rows.push_back(row);
    }
    m_legend->setCounts(left);
    m_slice = sliceOf(*m_set, std::move(rows));
    m_slice.near = m_filter.nearOnly;
    m_slice.words = m_filter.words.trimmed();
    Q_EMIT sliceChanged();
}

void RunsPage::showPlan(const PlanView &view) {
    m_nearest->showPlan(view);
    if (view.result == m_result)
        return;
    m_result = view.result;
    refresh();
}

void RunsPage::setSet(EvidenceSetPointer set) {
    m_set = std::move(set);
    m_legend->setFamilies(m_set->families);
    m_sourcesModel->setSet(m_set);
    fitColumns(*m_sources);
    showColumnsThatFit(*m_sources, sourceNameWidth, spareOfSources);
    m_nearest->setSet(m_set);
    refresh();
}

void RunsPage::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    m_nearest->fit();
    showColumnsThatFit(*m_sources, sourceNameWidth, spareOfSources);
}

void RunsPage::setMetric(EvidenceMetric metric) {
    m_metric = metric;
    refresh();
}

void RunsPage::setFilter(const EvidenceFilter &filter) {
    m_filter = filter;
    refresh();
}

std::optional<ChartMark> RunsPage::present() const {
    if (!m_result)
        return std::nullopt;
    const bool step = m_metric == EvidenceMetric::Step;
    const double estimate = step ? m_result->step.seconds : m_result->memory.peak_bytes;
    const double low = step ? m_result->step.low_seconds : m_result->memory.low_bytes;
    const double high = step ? m_result->step.high_seconds : m_result->memory.high_bytes;
    return low > 0 ? std::optional(ChartMark{.at = {estimate, estimate},
                                             .text = tr("this plan"),
                                             .place = LabelPlace::RightBelow,
                                             .span = {{low, high}}})
                   : std::nullopt;
}

void RunsPage::refresh() {
    if (m_set == nullptr)
        return;
    QSet<qsizetype> near;
    if (m_filter.nearOnly && m_result)
        for (const SimilarRun &run : m_set->known->nearest(features_of(m_result->plan), intervalRows))
            near.insert(static_cast<qsizetype>(run.row));
    const QStringList words = m_filter.words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    takeSlice(words, near);
    const std::vector<EvidencePoint> &all = m_set->points(m_metric);
    const QSet<std::size_t> kept(m_slice.rows.begin(), m_slice.rows.end());
    m_points.clear();
    std::copy_if(all.begin(), all.end(), std::back_inserter(m_points),
                 [&kept](const EvidencePoint &point) { return kept.contains(point.row); });
    std::stable_sort(m_points.begin(), m_points.end(),
                     [](const EvidencePoint &a, const EvidencePoint &b) { return a.measured < b.measured; });
    const double band = bandOf(m_points);
    ChartView view = evidenceScatter(m_points, m_metric, band, present());
    const QString total = countText(static_cast<double>(all.size()));
    const QString rows = m_points.size() == all.size()
        ? tr("%1 rows").arg(total)
        : tr("%1 of %2 rows").arg(countText(static_cast<double>(m_points.size())), total);
    view.description = tr("%1; 90% within a factor of %2").arg(rows).arg(band, 0, 'f', 2);
    view.content = [this](int point) { return cardOf(m_points[static_cast<std::size_t>(point)]); };
    if (m_points.empty())
        m_scatterCard->setSubtitle(tr("no rows match the filter; clear it to see all"));
    else
        m_scatterCard->setSubtitle(tr("%1; 90% lie in the band").arg(rows));
    m_histogram->setView(errorHistogram(m_points, m_set->families));
    m_scatter->setView(std::move(view));
}

} // namespace meshwright
