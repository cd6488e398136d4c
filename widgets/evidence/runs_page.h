// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart_view.h"
#include "evidence/evidence_runner.h"
#include "views/plan_view.h"
#include "views/result_card.h"

#include <QSet>
#include <QWidget>

class QSortFilterProxyModel;
class QTableView;

namespace meshwright {

class FamilyLegend;
class RunsModel;
class SourcesModel;
class XyChart;

struct EvidenceFilter {
    QString words; ///< words that must all occur in a row's model, accelerator, software, source or id
    bool nearOnly = false; ///< whether to show only the runs that determine the plan's interval
};

/// Card with the runs nearest to the plan. It is dimmed and marked stale while its runs belong to another plan.
class NearestCard : public ResultCard {
    Q_OBJECT

public:
    explicit NearestCard(QWidget *parent = nullptr);

    void setSet(EvidenceSetPointer set);
    /// Fits the columns to their content as long as names have room.
    void fit();
    QTableView *table() const { return m_table; }
    const std::vector<SimilarRun> &runs() const { return m_runs; }

Q_SIGNALS:
    void rowChosen(std::size_t row);

private:
    void showResult(const Result &result) override;

    RunsModel *m_model;
    QTableView *m_table;
    std::vector<SimilarRun> m_runs;
    EvidenceSetPointer m_set;
};

/// A scatter plot of predicted vs. measured values, a histogram of the prediction errors, the runs nearest to the plan,
/// and accuracy by source.
class RunsPage : public QWidget {
    Q_OBJECT

public:
    explicit RunsPage(QWidget *parent = nullptr);

    void showPlan(const PlanView &view);
    void setSet(EvidenceSetPointer set);
    void setMetric(EvidenceMetric metric);
    void setFilter(const EvidenceFilter &filter);
    std::size_t shown() const { return m_points.size(); }
    /// All rows that match the filter and the legend, including rows without the selected figure.
    const EvidenceSlice &slice() const { return m_slice; }

    XyChart *scatter() const { return m_scatter; }
    XyChart *histogram() const { return m_histogram; }
    /// Points of the scatter plot, in the order of its selectable items.
    const std::vector<EvidencePoint> &points() const { return m_points; }
    FamilyLegend *legend() const { return m_legend; }
    NearestCard *nearest() const { return m_nearest; }
    QTableView *sources() const { return m_sources; }

Q_SIGNALS:
    /// Emitted when the user asks to open this row as a plan.
    void rowChosen(std::size_t row);
    void sourceChosen(const QString &source);
    void sliceChanged();

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    Card *newScatter();
    Card *newHistogram();
    Card *newSources();
    HoverContent cardOf(const EvidencePoint &point) const;
    bool passes(std::size_t row, const QStringList &words, const QSet<qsizetype> &near) const;
    void takeSlice(const QStringList &words, const QSet<qsizetype> &near);
    /// Mark of the current plan in the scatter plot; empty without a result.
    std::optional<ChartMark> present() const;
    void refresh();

    XyChart *m_scatter;
    FamilyLegend *m_legend;
    XyChart *m_histogram;
    NearestCard *m_nearest;
    SourcesModel *m_sourcesModel;
    QSortFilterProxyModel *m_sourcesProxy;
    QTableView *m_sources;
    Card *m_scatterCard = nullptr;
    EvidenceSetPointer m_set;
    std::shared_ptr<const Result> m_result;
    EvidenceMetric m_metric = EvidenceMetric::Step;
    EvidenceFilter m_filter;
    std::vector<EvidencePoint> m_points; ///< points shown, ordered by measured value
    EvidenceSlice m_slice;
};

} // namespace meshwright
