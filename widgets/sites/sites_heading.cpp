// SPDX-License-Identifier: GPL-3.0-or-later
#include "sites/sites_heading.h"

#include "controls/text_label.h"
#include "figures/figure_label.h"
#include "figures/figure_sentence.h"
#include "figures/figure_text.h"
#include "glossary/term_text.h"
#include "plan/outer_symmetry.h"
#include "sites/fact_cards.h"

#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace meshwright {
namespace {

constexpr int MinColumn = 138; ///< minimum width of a column in pixels
constexpr int Columns = 8;
constexpr int FigureInset = 5;

/// Formats a range as "+0.8…2.1%".
QString bandText(double low, double high) {
    const QString sign = low >= 0 ? QStringLiteral("+") : QString();
    return sign + QString::number(100 * low, 'f', 1) + QStringLiteral("…") + shareText(high);
}

} // namespace

SitesHeading::SitesHeading(QWidget *parent)
    : Card(parent)
    , m_grid(new QGridLayout)
    , m_limit(new FigureSentence(TypeRole::Body, ColourRole::Text2, TextWeight::Regular, this)) {
    setAccessibleName(tr("Multi-site summary"));
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(12);
    m_grid->setVerticalSpacing(0);
    contentLayout()->addLayout(m_grid);
    contentLayout()->addWidget(m_limit);
    m_limit->setContentsMargins(FigureInset, 0, 0, 0);
    m_limit->setObjectName(QStringLiteral("sitesLimit"));
    for (int i = 0; i < Columns; ++i)
        addColumn();
    layOut();
}

void SitesHeading::addColumn() {
    const Column column{new TextLabel({}, TypeRole::Caption, ColourRole::Text2, TextWeight::Regular, this),
                        new FigureLabel(TypeRole::Title, ColourRole::Text, TextWeight::SemiBold, this),
                        new FigureSentence(TypeRole::Caption, ColourRole::Text2, TextWeight::Regular, this)};
    // Align with the figure's text, which its frame insets.
    for (QWidget *each : {static_cast<QWidget *>(column.title), static_cast<QWidget *>(column.words)})
        each->setContentsMargins(FigureInset, 0, 0, 0);
    column.title->setElided(true);
    column.words->setElided(true);
    column.figure->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_columns.push_back(column);
}

void SitesHeading::resizeEvent(QResizeEvent *event) {
    Card::resizeEvent(event);
    layOut();
}

void SitesHeading::layOut() {
    const int perLine = width() >= Columns * MinColumn + 32 ? Columns : Columns / 2;
    if (perLine == m_perLine)
        return;
    m_perLine = perLine;
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        const int line = static_cast<int>(i) / perLine;
        const int place = static_cast<int>(i) % perLine;
        const Column &column = m_columns[i];
        int row = 4 * line;
        for (QWidget *each : {static_cast<QWidget *>(column.title), static_cast<QWidget *>(column.figure),
                              static_cast<QWidget *>(column.words)}) {
            m_grid->removeWidget(each);
            m_grid->addWidget(each, row++, place);
        }
    }
    m_grid->setRowMinimumHeight(3, perLine == Columns ? 0 : 8);
    for (int place = 0; place < Columns; ++place)
        m_grid->setColumnStretch(place, place < perLine ? 1 : 0);
}

std::vector<SitesHeading::Shown> SitesHeading::shownOf(const Result &result, const SitesRun *run) const {
    const OuterEstimate &outer = *result.outer;
    const auto seconds = [](double value) { return figureText(value, Quantity::seconds); };
    const Plan &plan = result.plan;
    const QString rounds = countText(std::round(outer.rounds));
    const QString steps = countText(static_cast<double>(plan.outer.inner_steps));
    const QString step = seconds(outer.inner_seconds / static_cast<double>(plan.outer.inner_steps));
    const QString stale = figureText(outer.staleness_steps, Quantity::number);
    const SentenceText stepSaid =
        plan.outer.step_seconds ? said(step, PlanField("/outer/step_seconds")) : said(step, "step.seconds");
    std::vector<Shown> shown{
        {tr("Compute utilization"), shareText(outer.utilisation), QStringLiteral("outer.utilisation"), {}},
        {tr("Closed form"), QStringLiteral("–"), {}, {}},
        {tr("Run time"), figureText(result.run.seconds, Quantity::seconds), QStringLiteral("run.seconds"),
         filled(tr("%1 rounds"), said(rounds, "outer.rounds"))},
        {tr("Round time"), seconds(outer.round_seconds), QStringLiteral("outer.round_seconds"),
         filled(tr("%1 steps of %2"), said(steps, PlanField("/outer/inner_steps")), stepSaid)},
        {tr("Stall time per round"), seconds(outer.stall_seconds_per_round),
         QStringLiteral("outer.stall_seconds_per_round"),
         filled(tr("staleness %1 steps"), said(stale, "outer.staleness_steps"))},
        {tr("Sent per round"), figureText(outer.up_bytes_per_round, Quantity::bytes),
         QStringLiteral("outer.up_bytes_per_round"),
         filled(tr("uplink %1 busy"), said(shareText(outer.uplink_load), "outer.uplink_load"))},
        {tr("Received per round"), figureText(outer.down_bytes_per_round, Quantity::bytes),
         QStringLiteral("outer.down_bytes_per_round"),
         filled(tr("downlink %1 busy"), said(shareText(outer.downlink_load), "outer.downlink_load"))},
        {tr("Loss penalty"), bandText(outer.loss_penalty_low, outer.loss_penalty_high),
         QStringLiteral("outer.loss_penalty_high"), tr("vs. data parallel")}};
    if (run == nullptr)
        return shown;
    const Percentiles busy = run->runs.of(&OuterRun::utilisation);
    shown[0].words = is_deterministic(run->question.plan) ? tr("deterministic") : tr("one simulation");
    if (busy.p10 != busy.p90) {
        const QString low = QString::number(100 * busy.p10, 'f', 1); // one percent sign for both values, to save space
        shown[0].words =
            filled(tr("p10 %1 · p90 %2"), said(low, FigureRef(QStringLiteral("outer.utilisation_p10"), scope::Sites())),
                   said(shareText(busy.p90), FigureRef(QStringLiteral("outer.utilisation_p90"), scope::Sites())));
    }
    shown[1].figure = shareText(run->facts.guards.utilisation);
    shown[1].path = QStringLiteral("outer.closed_form.utilisation");
    shown[1].words = run->facts.guards.disagreement.empty() ? tr("agrees") : tr("differs, see below");
    shown[1].colour = run->facts.guards.disagreement.empty() ? ColourRole::Text : ColourRole::Warn;
    if (!run->facts.quality.outside_evidence.empty()) {
        shown[7].words = tr("beyond published runs");
        shown[7].colour = ColourRole::Warn;
    }
    return shown;
}

void SitesHeading::showResult(const PlanView &view, const SitesRun *run) {
    if (view.result == nullptr || !view.result->outer)
        return;
    const std::vector<Shown> shown = shownOf(*view.result, run);
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        const Column &column = m_columns[i];
        column.title->setText(shown[i].title);
        column.figure->setFigure(shown[i].figure, shown[i].path);
        column.figure->setEnabled(!isStale(view.freshness));
        column.words->setSentence(shown[i].words);
        column.words->setColour(shown[i].colour == ColourRole::Warn ? ColourRole::Warn : ColourRole::Text2);
    }
    showLimit(run);
}

void SitesHeading::showLimit(const SitesRun *run) {
    if (run == nullptr) {
        m_limit->setSentence({});
        return;
    }
    SentenceText limit = filled(tr("Limited by %1."), shownText(run->facts.guards.limit));
    if (!run->facts.guards.disagreement.empty())
        limit +=
            filled(tr(" The simulation differs from the closed form: %1."), shownText(run->facts.guards.disagreement));
    m_limit->setSentence(withTerms(limit));
}

QString SitesHeading::words() const {
    QStringList all;
    for (const Column &column : m_columns)
        all << column.title->text() << column.figure->text() << column.words->text();
    return (all << m_limit->text()).join(QLatin1Char('\n'));
}

} // namespace meshwright
