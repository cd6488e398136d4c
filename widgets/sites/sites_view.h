// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/latest_worker.h"
#include "sites/answers.h"
#include "sites/sites_timeline.h"
#include "sites/sweep_card.h"
#include "timeline/timeline_canvas.h"
#include "views/view.h"

#include <QElapsedTimer>

#include <optional>
#include <vector>

class QGridLayout;
class QScrollArea;
class QVBoxLayout;

namespace meshwright {

class AggregatorChart;
class FactCard;
class MinimalChangesCard;
class MinimalChangesStrip;
class Library;
class LoadCurves;
class Pill;
class PlanErrors;
class ProblemsCard;
class RunStrip;
class SitesHeading;
class SitesLegend;
class TextLabel;
class TimelineAxis;
class TimelineOverview;

/// Simulates the plan's outer loop (DiLoCo) and shows, on one time axis, some sites in detail, all sites, the
/// aggregator, link load and queues, as well as compute utilization by link rate, inner steps, fragments and overlap.
/// Simulates on other threads, and only while the view is visible.
class SitesView : public View {
    Q_OBJECT

public:
    /// @param library  must outlive this view
    explicit SitesView(const Library &library, QWidget *parent = nullptr);

    void showPlan(const PlanView &view) override;

    TimelineAxis *axis() const { return m_axis; }
    TimelineCanvas *closeSites() const { return m_close; }
    TimelineCanvas *allSites() const { return m_all; }
    AggregatorChart *aggregator() const { return m_aggregator; }
    LoadCurves *loads() const { return m_loads; }
    RunStrip *wholeRun() const { return m_wholeRun; }
    SitesHeading *heading() const { return m_heading; }
    MinimalChangesCard *minimalChanges() const { return m_minimalChanges; }
    ProblemsCard *problems() const override;
    /// Derivation of a figure of the minimal changes that meet the deadline.
    std::optional<Derivation> derivationOf(const QString &figure) const override;
    const std::vector<SweepCard *> &sweepCards() const { return m_sweepCards; }
    const SitesRun *run() const { return m_run.get(); }
    TableCard *daysByStep() const { return m_days; }
    TableCard *wireFormats() const { return m_wire; }
    TableCard *aggregators() const { return m_aggregators; }
    /// Whether everything shown belongs to the current plan, except the strip of the whole run and the tables, which
    /// take longer.
    bool isSettled() const;
    /// Shows a site in detail, in place of the one shown for the longest time. Hides the site if it is shown already.
    void toggleSite(std::int64_t site);
    /// Shows the run in detail from this round on, counted from 0.
    void lookAtRound(std::int64_t round);

Q_SIGNALS:
    void simulated(const meshwright::SitesRunPointer &run);

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    /// Keeps scrolling the page during a wheel gesture, whatever widget comes under the pointer.
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QWidget *newCharts();
    QWidget *newEmptyState();
    void addCards(QVBoxLayout *column);
    void connectCharts();
    void layOutCards();
    void refresh();
    void forgetRuns();
    void ask();
    void askFurther();
    void receive(const DrawnSites &drawn);
    void receiveAnswers(const AnswersPointer &answers);
    void receiveCourse(const SitesCoursePointer &course);
    void receiveSweeps(const SweepsPointer &sweeps);
    void showRun();
    void showClose();
    void fitClose();
    void showFacts(const SitesFacts &facts);
    void choose(const TimelineCanvas *canvas, SpanIndex span);
    void take(SweepOf of, double dragged);

    PlanView m_view;
    SitesQuestion m_question;
    bool m_asked = false; ///< whether the current plan's simulation was requested
    SitesRunPointer m_run;
    TimelineModelPointer m_load;
    SitesTimeline m_closeRows;
    SitesTimeline m_allRows;
    std::vector<std::int64_t> m_sites; ///< sites shown in detail; the first one has been shown the longest
    std::size_t m_maxClose = 5; ///< number of sites for which there is room
    TimelineAxis *m_axis;
    QWidget *m_empty;
    QScrollArea *m_scroll;
    QWidget *m_charts = nullptr;
    PlanErrors *m_errors = nullptr;
    Pill *m_stale = nullptr;
    SitesHeading *m_heading = nullptr;
    SitesLegend *m_legend = nullptr;
    TextLabel *m_note = nullptr;
    QWidget *m_timelines = nullptr; ///< all charts on the time axis
    TimelineCanvas *m_close = nullptr;
    TimelineCanvas *m_all = nullptr;
    AggregatorChart *m_aggregator = nullptr;
    LoadCurves *m_loads = nullptr;
    TimelineOverview *m_overview = nullptr;
    RunStrip *m_wholeRun = nullptr;
    TextLabel *m_sweepNote = nullptr;
    QGridLayout *m_sweepGrid = nullptr;
    std::vector<SweepCard *> m_sweepCards;
    StalenessCard *m_staleness = nullptr;
    QGridLayout *m_cardGrid = nullptr;
    std::vector<QWidget *> m_cards;
    TableCard *m_days = nullptr;
    TableCard *m_wire = nullptr;
    TableCard *m_aggregators = nullptr;
    FactCard *m_guards = nullptr;
    FactCard *m_quality = nullptr;
    FactCard *m_upkeep = nullptr;
    FactCard *m_definition = nullptr;
    FactCard *m_pipeline = nullptr;
    MinimalChangesCard *m_minimalChanges = nullptr;
    MinimalChangesStrip *m_minLine = nullptr;
    LatestWorker<SitesQuestion, DrawnSites> m_runner;
    LatestWorker<SitesQuestion, SweepsPointer> m_sweeper;
    LatestWorker<SitesQuestion, SitesCoursePointer> m_courser;
    LatestWorker<SitesQuestion, AnswersPointer> m_answerer;
    std::optional<SitesQuestion> m_followed; ///< last request for the whole run and the tables
    std::int64_t m_from = 0; ///< first round shown in detail
    QElapsedTimer m_sinceScroll; ///< time since the page was last scrolled by the wheel
};

} // namespace meshwright
