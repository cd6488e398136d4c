// SPDX-License-Identifier: GPL-3.0-or-later
#include "sites/sites_view.h"

#include "controls/pill.h"
#include "controls/text_label.h"
#include "figures/figure_text.h"
#include "plan/outer_symmetry.h"
#include "sites/aggregator_chart.h"
#include "sites/fact_cards.h"
#include "sites/load_curves.h"
#include "sites/minimal_changes_card.h"
#include "sites/run_strip.h"
#include "sites/sites_heading.h"
#include "sites/sites_legend.h"
#include "sites/sites_question.h"
#include "theme/theme.h"
#include "timeline/timeline_axis.h"
#include "timeline/timeline_marks.h"
#include "timeline/timeline_overview.h"
#include "views/plan_errors.h"

#include <QCoreApplication>
#include <QScrollArea>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace meshwright {
namespace {

constexpr int WheelPause = 400; ///< milliseconds without scrolling after which a new wheel gesture begins

OuterRun roundOf(const OuterEstimate &outer) {
    return {.utilisation = outer.utilisation,
            .inner_seconds = outer.inner_seconds,
            .stall_seconds = outer.stall_seconds_per_round,
            .away_seconds = outer.round_seconds - outer.inner_seconds - outer.stall_seconds_per_round,
            .round_seconds = outer.round_seconds};
}

} // namespace

std::optional<Derivation> SitesView::derivationOf(const QString &figure) const {
    return m_minimalChanges->derivationOf(figure);
}

bool SitesView::isSettled() const {
    const bool nothingToAsk = m_view.result != nullptr && !m_view.result->outer;
    return !m_runner.isBusy() && !m_sweeper.isBusy() && (m_asked || nothingToAsk);
}

void SitesView::showPlan(const PlanView &view) {
    m_view = view;
    m_errors->showPlan(view, PlanErrors::Below::LastValid);
    m_minimalChanges->showPlan(view);
    if (view.result == nullptr)
        forgetRuns(); // the runs belong to another plan
    std::optional<SitesQuestion> question = view.result == nullptr ? std::nullopt : sitesQuestionOf(*view.result);
    if (question) // keeps the round shown in detail within the run, which may be shorter than before
        question->from = m_from = std::min(m_from, static_cast<std::int64_t>(std::max(0.0, question->rounds - 1)));
    if (question && (*question != m_question || m_run == nullptr)) {
        m_asked = m_asked && *question == m_question;
        m_question = *question;
    }
    if (isVisible())
        refresh();
}

void SitesView::refresh() {
    const bool has = m_view.result != nullptr && m_view.result->outer.has_value();
    // Instead of an empty chart, a single-site plan and an invalid plan each get a message.
    const bool several = m_view.plan.cluster.sites > 1 || m_view.plan.outer.method != OuterMethod::none;
    const bool shown = has && (several || !m_view.valid);
    m_scroll->setVisible(shown);
    m_charts->setVisible(shown);
    m_empty->setVisible(!shown && m_view.valid);
    m_stale->setVisible(shown && !m_view.valid);
    if (!shown)
        return;
    const bool known = m_run != nullptr && m_run->question == m_question;
    m_heading->showResult(m_view, known ? m_run.get() : nullptr);
    if (m_view.valid && !known)
        showFacts(factsOf(m_question, roundOf(*m_view.result->outer)));
    showDefinition(*m_definition, *m_view.result);
    showPipelineInstead(*m_pipeline, *m_view.result);
    if (!m_asked)
        ask();
    askFurther();
    if (isVisible())
        m_minimalChanges->look();
}

void SitesView::forgetRuns() {
    if (m_run == nullptr)
        return;
    m_runner.cancel();
    m_sweeper.cancel();
    m_courser.cancel();
    m_answerer.cancel();
    m_run = nullptr;
    m_asked = false;
    m_followed.reset();
    m_timelines->hide(); // hidden until the next simulation is drawn
    for (SweepCard *card : m_sweepCards)
        card->hide();
    layOutCards();
}

ProblemsCard *SitesView::problems() const {
    return m_errors->problems();
}

void SitesView::ask() {
    m_asked = isVisible();
    if (!m_asked)
        return;
    m_runner.ask(m_question);
    m_sweeper.ask(m_question);
}

/// Requests the slow simulations of the whole run and of the tables, after those of the charts.
void SitesView::askFurther() {
    if (!m_view.diagnosticsComplete || m_run == nullptr || m_run->question != m_question)
        return;
    SitesQuestion question = m_question;
    question.from = 0;
    if (m_followed && *m_followed == question)
        return;
    m_followed = question;
    m_courser.ask(question);
    m_answerer.ask(question);
}

void SitesView::lookAtRound(std::int64_t round) {
    // The overview may still show a longer run than the current plan's.
    const auto last = static_cast<std::int64_t>(std::max(0.0, m_question.rounds - 1));
    m_question.from = m_from = std::clamp<std::int64_t>(round, 0, last);
    if (isVisible())
        m_runner.ask(m_question);
    else
        m_asked = false;
}

void SitesView::receiveAnswers(const AnswersPointer &answers) {
    if (answers == nullptr)
        return;
    m_days->setRows(answers->days);
    m_wire->setRows(answers->wire);
    m_aggregators->setRows(answers->aggregators);
    layOutCards();
}

void SitesView::receiveCourse(const SitesCoursePointer &course) {
    if (course != nullptr)
        m_wholeRun->setCourse(course);
}

void SitesView::receive(const DrawnSites &drawn) {
    const SitesRunPointer &run = drawn.run;
    if (run == nullptr)
        return;
    const bool first = m_run == nullptr || m_run->timeline.sites != run->timeline.sites;
    m_run = run;
    m_allRows = drawn.all;
    m_load = drawn.load;
    if (first)
        m_sites = sitesToShow(*run, m_maxClose);
    std::erase_if(m_sites, [&run](std::int64_t site) { return site >= run->timeline.sites; });
    showRun();
    if (first && run->roundStarts.size() > 1) // initially show one round, so that fragments can be told apart
        m_axis->show({0, run->roundStarts[1]});
    Q_EMIT simulated(run); // emitted first, because the heading refers to the run
    m_heading->showResult(m_view, m_run.get());
    showFacts(m_run->facts);
    askFurther();
}

void SitesView::showRun() {
    const SitesRun &run = *m_run;
    m_timelines->setVisible(run.drawable);
    if (m_staleness->isHidden() == run.drawable) {
        m_staleness->setVisible(run.drawable);
        layOutCards();
    }
    const double updates = updates_of_a_round(run.question.plan);
    m_note->setVisible(!run.drawable || run.timeline.sites < run.question.plan.cluster.sites);
    m_note->setText(run.drawable
                        ? tr("One site represents all %1, because they are identical.")
                              .arg(countText(static_cast<double>(run.question.plan.cluster.sites)))
                        : tr("%1 updates per round are too many to draw; all numbers are simulated nevertheless.")
                              .arg(countText(updates)));
    if (!run.drawable)
        return;
    m_axis->setWhole(m_allRows.model->whole);
    m_legend->setAbsences(run.question.plan.faults.site_mtbf_seconds.has_value());
    m_all->setModel(m_allRows.model);
    m_all->setVisible(run.timeline.sites > static_cast<std::int64_t>(m_sites.size()));
    showClose();
    m_aggregator->setRun(m_run);
    m_loads->setRun(m_run);
    m_overview->setModel(m_load);
    m_wholeRun->setWatched(run.question.from, run.timeline.rounds);
    m_staleness->showRun(run);
}

void SitesView::showClose() {
    m_closeRows = closeTimelineOf(*m_run, m_sites);
    m_close->setModel(m_closeRows.model);
    constexpr qreal RowsOfASite = 1 + 2 * TimelineLayout::PartShare; // one row of steps and two of links
    const auto sites = static_cast<double>(std::max<std::size_t>(1, m_sites.size()));
    m_close->setMaximumHeight(timelines::RulerHeight
                              + static_cast<int>(std::ceil(RowsOfASite * TimelineLayout::Row * sites)));
}

void SitesView::showFacts(const SitesFacts &facts) {
    showGuards(*m_guards, facts);
    showQuality(*m_quality, facts);
    showUpkeep(*m_upkeep, facts);
    m_cardGrid->invalidate();
}

void SitesView::receiveSweeps(const SweepsPointer &sweeps) {
    if (sweeps == nullptr)
        return;
    const auto sites = static_cast<double>(sweeps->question.plan.cluster.sites);
    m_sweepNote->setVisible(sweeps->sweeps.empty() || static_cast<double>(sweeps->sites) < sites);
    m_sweepNote->setText(
        sweeps->sweeps.empty()
            ? tr("With non-identical sites and this many fragments, simulating other settings would take too long.")
            : tr("Other settings are simulated with %1 evenly sampled sites out of %2.")
                  .arg(countText(static_cast<double>(sweeps->sites)), countText(sites)));
    for (SweepCard *card : m_sweepCards) {
        const auto found = std::find_if(sweeps->sweeps.begin(), sweeps->sweeps.end(),
                                        [card](const Sweep &sweep) { return sweep.of == card->of(); });
        card->setVisible(found != sweeps->sweeps.end());
        if (found != sweeps->sweeps.end())
            card->showSweep(*found);
    }
    layOutCards();
}

void SitesView::toggleSite(std::int64_t site) {
    if (std::erase(m_sites, site) == 0) {
        m_sites.push_back(site);
        if (m_sites.size() > m_maxClose)
            m_sites.erase(m_sites.begin());
    } else if (m_sites.empty()) {
        m_sites.push_back(site);
    }
    if (m_run != nullptr && m_run->drawable)
        showClose();
}

void SitesView::choose(const TimelineCanvas *canvas, SpanIndex span) {
    const SitesTimeline &rows = canvas == m_close ? m_closeRows : m_allRows;
    if (!span.isValid()) {
        m_close->setChosenNumber(-1);
        return;
    }
    const SiteTrack &track = rows.tracks[static_cast<std::size_t>(span.track)];
    if (canvas == m_all) {
        toggleSite(track.site);
        return;
    }
    m_close->setChosenNumber(rows.model->tracks[static_cast<std::size_t>(span.track)].look(span.span).number);
}

void SitesView::take(SweepOf of, double dragged) {
    const double value = shownValue(of, dragged);
    const Plan changed = planAt(m_view.plan, of, value);
    if (valueOf(changed, of) == valueOf(m_view.plan, of)) {
        m_sweeper.ask(m_question); // the plan would not change, so move the point back
        return;
    }
    QString name = SweepCard::nameOf(of);
    name[0] = name[0].toUpper();
    Q_EMIT edited({.field = {},
                   .subject = name,
                   .from = SweepCard::textOf(of, valueOf(m_view.plan, of)),
                   .to = SweepCard::textOf(of, valueOf(changed, of)),
                   .patch = patchAt(m_view, of, value),
                   .pace = EditPace::Settled});
}

void SitesView::showEvent(QShowEvent *event) {
    QWidget::showEvent(event);
    refresh();
}

void SitesView::hideEvent(QHideEvent *event) {
    QWidget::hideEvent(event);
    if (m_courser.isBusy() || m_answerer.isBusy()) {
        m_courser.cancel();
        m_answerer.cancel();
        m_followed.reset();
        m_asked = false;
    }
    if (m_runner.isBusy() || m_sweeper.isBusy()) {
        m_runner.cancel();
        m_sweeper.cancel();
        m_asked = false;
    }
}

void SitesView::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    layOutCards();
    fitClose();
}

/// Shows fewer sites in detail if the window is not tall enough, so that the charts below remain visible.
void SitesView::fitClose() {
    constexpr int RoomForFive = 940;
    constexpr int RoomForFour = 820;
    const std::size_t most = height() >= RoomForFive ? 5 : height() >= RoomForFour ? 4 : 3;
    if (most == m_maxClose)
        return;
    m_maxClose = most;
    if (m_run == nullptr || !m_run->drawable)
        return;
    m_sites = sitesToShow(*m_run, m_maxClose);
    showClose();
}

bool SitesView::eventFilter(QObject *watched, QEvent *event) {
    if (event->type() != QEvent::Wheel)
        return QWidget::eventFilter(watched, event);
    auto *wheel = static_cast<QWheelEvent *>(event);
    auto *widget = qobject_cast<QWidget *>(watched);
    if (widget == nullptr || widget == m_scroll->viewport() || wheel->modifiers() != Qt::NoModifier
        || std::abs(wheel->angleDelta().x()) > std::abs(wheel->angleDelta().y())) {
        if (widget == m_scroll->viewport())
            m_sinceScroll.start();
        return false;
    }
    const bool onNames = wheel->position().x() < timelines::Gutter;
    const bool goesOn = m_sinceScroll.isValid() && m_sinceScroll.elapsed() < WheelPause;
    if (!onNames && !goesOn)
        return false;
    m_sinceScroll.start();
    QCoreApplication::sendEvent(m_scroll->verticalScrollBar(), event);
    event->accept();
    return true;
}

} // namespace meshwright
