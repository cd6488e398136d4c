// SPDX-License-Identifier: GPL-3.0-or-later
#include "controls/page_scroll.h"
#include "controls/pill.h"
#include "controls/text_label.h"
#include "figures/figure_event.h"
#include "sites/aggregator_chart.h"
#include "sites/fact_cards.h"
#include "sites/load_curves.h"
#include "sites/minimal_changes_card.h"
#include "sites/minimal_changes_strip.h"
#include "sites/run_strip.h"
#include "sites/sites_heading.h"
#include "sites/sites_legend.h"
#include "sites/sites_view.h"
#include "theme/theme.h"
#include "timeline/timeline_axis.h"
#include "timeline/timeline_overview.h"
#include "views/plan_errors.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>

#include <algorithm>

namespace meshwright {
namespace {

constexpr int MinSweepWidth = 208;
constexpr int MinCardWidth = 340;
constexpr int MaxOfAllSites = 72;
constexpr int OverviewHeight = 28; ///< height of the overview strip in pixels

} // namespace

SitesView::SitesView(const Library &library, QWidget *parent)
    : View({.name = QStringLiteral("sitesView"),
            .title = tr("Sites"),
            .icon = QStringLiteral("sites"),
            .docks = Docks::Panels,
            .scope = Scope::BetweenSites,
            .figures = FigureView::sites},
           parent)
    , m_axis(new TimelineAxis(this))
    , m_empty(newEmptyState())
    , m_scroll(new QScrollArea(this))
    , m_minimalChanges(new MinimalChangesCard(library, this))
    , m_runner(this, drawSites, [this](const DrawnSites &drawn) { receive(drawn); })
    , m_sweeper(this, sweepsOf, [this](const SweepsPointer &sweeps) { receiveSweeps(sweeps); })
    , m_courser(this, courseOf, [this](const SitesCoursePointer &course) { receiveCourse(course); })
    , m_answerer(this, answersOf, [this](const AnswersPointer &answers) { receiveAnswers(answers); }) {
    auto *whole = new QVBoxLayout(this);
    whole->setContentsMargins(16, 8, 4, 8);
    whole->setSpacing(8);
    m_errors = new PlanErrors(this);
    whole->addWidget(m_errors);
    whole->addWidget(m_empty, 1);
    whole->addWidget(m_scroll, 1);
    whole->addStretch(0);
    auto *content = new QWidget;
    scrollPage(m_scroll, content); // called before cards are added, because it lays out existing ones
    auto *column = new QVBoxLayout(content);
    column->setContentsMargins(0, 4, 8, 0);
    column->setSpacing(12);
    column->addWidget(newCharts());
    column->addStretch(1);
    m_scroll->hide();
    connectCharts();
    setFocusProxy(m_close);
}

QWidget *SitesView::newEmptyState() {
    auto *empty = new QWidget(this);
    auto *column = new QVBoxLayout(empty);
    column->setContentsMargins(0, 24, 0, 0);
    column->setSpacing(12);
    auto *title =
        new TextLabel(tr("This plan has one site"), TypeRole::Title, ColourRole::Text, TextWeight::SemiBold, empty);
    auto *words =
        new TextLabel(tr("To see steps, transfers and averaging here, add sites, a link and a synchronization method."),
                      TypeRole::Body, ColourRole::Text2, TextWeight::Regular, empty);
    words->setWordWrap(true);
    auto *button = new QPushButton(tr("Go to number of sites"), empty);
    button->setObjectName(QStringLiteral("goToSites"));
    connect(button, &QPushButton::clicked, this, [this] { wantFigure(this, PlanField("/cluster/sites")); });
    column->addWidget(title);
    column->addWidget(words);
    column->addWidget(button, 0, Qt::AlignLeft);
    column->addStretch(1);
    return empty;
}

QWidget *SitesView::newCharts() {
    m_charts = new QWidget;
    auto *column = new QVBoxLayout(m_charts);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    m_stale = new Pill(tr("Shows the last plan that could be simulated"), Tone::Warn, m_charts);
    m_stale->setIconName(QStringLiteral("warn"));
    m_heading = new SitesHeading(m_charts);
    m_minLine = new MinimalChangesStrip(m_charts);
    m_legend = new SitesLegend(m_charts);
    m_legend->setHint(tr("wheel zooms (over row names: scrolls) · drag pans · Shift+drag measures · 0 shows all"));
    m_note = new TextLabel({}, TypeRole::Body, ColourRole::Text2, TextWeight::Regular, m_charts);
    m_note->setWordWrap(true);
    m_timelines = new QWidget(m_charts);
    auto *rows = new QVBoxLayout(m_timelines);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(4);
    m_close = new TimelineCanvas(m_axis, TimelineCanvas::Ruler::Shown, m_timelines);
    m_close->setObjectName(QStringLiteral("closeSites"));
    m_close->setAccessibleName(tr("Selected sites: steps, uplink and downlink"));
    m_all = new TimelineCanvas(m_axis, TimelineCanvas::Ruler::Hidden, m_timelines);
    m_all->setObjectName(QStringLiteral("allSites"));
    m_all->setAccessibleName(tr("All sites: steps and stalls"));
    m_all->setMaximumHeight(MaxOfAllSites);
    m_all->setCrowdedRows(CrowdedRows::Squeeze);
    // A scroll bar in only one timeline would shift its axis relative to the other timeline's.
    for (TimelineCanvas *canvas : {m_close, m_all})
        canvas->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_aggregator = new AggregatorChart(m_axis, m_timelines);
    m_loads = new LoadCurves(m_axis, m_timelines);
    m_overview = new TimelineOverview(m_axis, m_timelines);
    m_overview->setName(tr("link load"));
    m_overview->setStripHeight(OverviewHeight);
    m_wholeRun = new RunStrip(m_timelines);
    for (QWidget *each :
         {static_cast<QWidget *>(m_close), static_cast<QWidget *>(m_all), static_cast<QWidget *>(m_aggregator),
          static_cast<QWidget *>(m_loads), static_cast<QWidget *>(m_overview), static_cast<QWidget *>(m_wholeRun)})
        rows->addWidget(each);
    for (QWidget *each :
         {static_cast<QWidget *>(m_scroll->viewport()), m_close->viewport(), m_all->viewport(),
          static_cast<QWidget *>(m_aggregator), static_cast<QWidget *>(m_loads), static_cast<QWidget *>(m_overview)})
        each->installEventFilter(this);
    column->addWidget(m_stale, 0, Qt::AlignLeft);
    column->addWidget(m_heading);
    column->addWidget(m_minLine);
    column->addWidget(m_note);
    column->addWidget(m_legend);
    column->addWidget(m_timelines);
    m_note->hide();
    m_timelines->hide();
    addCards(column);
    return m_charts;
}

void SitesView::addCards(QVBoxLayout *column) {
    m_sweepNote = new TextLabel({}, TypeRole::Body, ColourRole::Text2, TextWeight::Regular, m_charts);
    m_sweepNote->setWordWrap(true);
    m_sweepNote->hide();
    column->addWidget(m_sweepNote);
    m_sweepGrid = new QGridLayout;
    m_cardGrid = new QGridLayout;
    for (QGridLayout *grid : {m_sweepGrid, m_cardGrid}) {
        grid->setContentsMargins(0, 4, 0, 0);
        grid->setSpacing(12);
        column->addLayout(grid);
    }
    for (const SweepOf of : {SweepOf::LinkRate, SweepOf::InnerSteps, SweepOf::Fragments, SweepOf::Overlap}) {
        auto *card = new SweepCard(of, m_charts);
        card->hide();
        connect(card, &SweepCard::chosen, this, &SitesView::take);
        m_sweepCards.push_back(card);
    }
    m_staleness = new StalenessCard(m_charts);
    m_staleness->hide();
    m_days = new TableCard(tr("Run time vs. step time"), tr("days and MFU"), m_charts);
    m_days->setObjectName(QStringLiteral("daysByStep"));
    m_days->setSentence(tr("The no-stalls column also excludes absences and failures. The plan's row is highlighted."));
    m_wire = new TableCard(tr("Traffic by format"), tr("per site and round"), m_charts);
    m_wire->setObjectName(QStringLiteral("wireFormats"));
    m_wire->setSentence(
        tr("The link does not limit utilization if a round's updates take no longer than its steps. The sum of many "
           "sites' sparse updates is dense, and is sent back dense unless it is sparsified again."));
    m_aggregators = new TableCard(tr("Number of aggregators"), tr("per aggregator, and total egress"), m_charts);
    m_aggregators->setObjectName(QStringLiteral("aggregatorCounts"));
    m_aggregators->setSentence(tr("Sharded: each aggregator receives one shard of every fragment. Replicated: each "
                                  "aggregator receives every update. The link "
                                  "rate is per direction, with the links of all sites fully loaded."));
    m_guards = new FactCard(tr("Closed form"), tr("identical sites"), m_charts);
    m_quality = new FactCard(tr("Effect on the model"), tr("estimated ranges"), m_charts);
    m_upkeep = new FactCard(tr("Aggregators and sites"), tr("memory, traffic and availability"), m_charts);
    m_pipeline = new FactCard(tr("Alternative: one pipeline"), tr("one stage per site"), m_charts);
    m_definition = new FactCard(tr("Compute-cluster threshold"), tr("H100-equivalents"), m_charts);
    m_cards = {m_minimalChanges, m_days,   m_wire,       m_aggregators, m_upkeep,
               m_quality,        m_guards, m_definition, m_pipeline};
    layOutCards();
}

void SitesView::connectCharts() {
    const auto describe = [this](const SitesTimeline &rows) {
        return [this, &rows](SpanIndex span) {
            return m_run == nullptr ? HoverContent{}
                                    : describeSite(*m_run, rows, span, m_axis->visible(), Theme::of(this));
        };
    };
    m_close->setDescribe(describe(m_closeRows));
    m_all->setDescribe(describe(m_allRows));
    for (TimelineCanvas *canvas : {m_close, m_all})
        connect(canvas, &TimelineCanvas::chosen, this, [this, canvas](SpanIndex span) { choose(canvas, span); });
    connect(m_all, &TimelineCanvas::trackNameClicked, this,
            [this](int row) { toggleSite(m_allRows.tracks[static_cast<std::size_t>(row)].site); });
    connect(m_close, &TimelineCanvas::trackNameClicked, this,
            [this](int row) { toggleSite(m_closeRows.tracks[static_cast<std::size_t>(row)].site); });
    connect(m_wholeRun, &RunStrip::roundChosen, this, &SitesView::lookAtRound);
    connect(m_minimalChanges, &MinimalChangesCard::edited, this, &SitesView::edited);
    connect(m_minimalChanges, &MinimalChangesCard::summarised, m_minLine, &MinimalChangesStrip::say);
    connect(m_minLine, &MinimalChangesStrip::applyWanted, m_minimalChanges, &MinimalChangesCard::apply);
    connect(m_minLine, &MinimalChangesStrip::detailsWanted, this, [this] {
        m_scroll->ensureWidgetVisible(m_minimalChanges, 0, m_scroll->height() / 4);
        m_minimalChanges->setFocus(Qt::OtherFocusReason);
    });
}

void SitesView::layOutCards() {
    const auto deal = [](QGridLayout *grid, const std::vector<QWidget *> &cards, int columns) {
        while (grid->count() > 0)
            delete grid->takeAt(0);
        for (std::size_t i = 0; i < cards.size(); ++i)
            grid->addWidget(cards[i], static_cast<int>(i) / columns, static_cast<int>(i) % columns);
        for (int column = 0; column < std::max(columns, grid->columnCount()); ++column)
            grid->setColumnStretch(column, column < columns ? 1 : 0);
    };
    std::vector<QWidget *> sweeps;
    for (SweepCard *card : m_sweepCards)
        if (!card->isHidden())
            sweeps.push_back(card);
    if (!m_staleness->isHidden())
        sweeps.push_back(m_staleness);
    const int room = width() - 40;
    // Distributes cards evenly: five cards that do not fit on one line become three and two.
    const auto fitting = [room](int least, std::size_t count) {
        const int all = std::max(1, static_cast<int>(count));
        const int most = std::clamp(room / least, 1, all);
        const int lines = (all + most - 1) / most;
        return (all + lines - 1) / lines;
    };
    deal(m_sweepGrid, sweeps, fitting(MinSweepWidth, sweeps.size()));
    std::vector<QWidget *> cards = m_cards;
    std::erase_if(cards, [](const QWidget *card) {
        const auto *table = qobject_cast<const TableCard *>(card);
        return table != nullptr && table->rows().empty();
    });
    for (TableCard *card : {m_days, m_wire, m_aggregators})
        card->setVisible(!card->rows().empty());
    deal(m_cardGrid, cards, std::min(3, fitting(MinCardWidth, cards.size())));
}

} // namespace meshwright
