// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/search_view.h"

#include "controls/card.h"
#include "controls/page_scroll.h"
#include "controls/segmented.h"
#include "controls/text_label.h"
#include "figures/figure_ref.h"
#include "figures/figure_text.h"
#include "search/advice_page.h"
#include "search/configuration_selection.h"
#include "search/configuration_table.h"
#include "search/configuration_text.h"
#include "search/constraints_bar.h"
#include "search/headroom_chart.h"
#include "search/map_derivation.h"
#include "search/map_page.h"
#include "search/parallel_coordinates.h"
#include "search/schedule_bests.h"
#include "search/score.h"
#include "search/search_derivations.h"
#include "search/search_heading.h"
#include "theme/icon.h"
#include "theme/theme.h"
#include "views/plan_errors.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPushButton>
#include <QResizeEvent>
#include <QScrollArea>

namespace meshwright {

namespace {
constexpr int filterWidth = 250;
constexpr int tableHeight = 300;
constexpr int linesHeight = 260;
constexpr int besideTable = 1960; ///< minimum width in pixels at which all table columns fit next to the chart
} // namespace

SearchView::SearchView(const Library &library, QWidget *parent)
    : View({.name = QStringLiteral("searchView"),
            .title = tr("Search"),
            .icon = QStringLiteral("search"),
            .docks = Docks::Hidden,
            .figures = FigureView::search},
           parent)
    , m_library(library)
    , m_selection(new ConfigurationSelection(this))
    , m_pages(new Segmented(this))
    , m_scroll(new QScrollArea(this))
    , m_content(new QWidget)
    , m_upper(new QHBoxLayout)
    , m_lower(new QHBoxLayout) {
    scrollPage(m_scroll, m_content); // before the page has widgets, because this call would lay them out
    m_heading = new SearchHeading(m_selection, m_content);
    m_selection->setPatchOf([this](const SearchEntry &entry) {
        return m_view.document != nullptr ? QString::fromStdString(patchApplying(m_view, entry, m_library)) : QString();
    });
    m_upper->setSpacing(12);
    m_lower->setSpacing(12);
    m_upper->addWidget(newTable(), 11);
    newCharts();
    m_linesCard = new Card(tr("Best 1,000 configurations"), {}, m_content);
    m_lines = new ParallelCoordinates(m_selection, m_linesCard);
    m_lines->setMinimumHeight(linesHeight);
    m_linesCard->contentLayout()->addWidget(m_lines, 1);
    m_lower->addWidget(m_linesCard, 11);
    placeChart();
    auto *page = new QVBoxLayout(m_content);
    page->setContentsMargins(16, 16, 16, 16);
    page->setSpacing(12);
    m_bests = new ScheduleBests(m_selection, m_content);
    page->addWidget(m_heading);
    page->addWidget(m_bests);
    page->addLayout(m_upper, 11);
    page->addLayout(m_lower, 9);
    m_errors = new PlanErrors(this);
    m_errors->setPageMargins({16, 12, 16, 0});
    auto *whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->setSpacing(0);
    whole->addWidget(newPages());
    whole->addWidget(m_errors);
    whole->addWidget(m_scroll, 1);
    whole->addWidget(m_map, 1);
    whole->addWidget(m_advice, 1);
    whole->addStretch(0);
    setFocusProxy(m_table);
    connect(m_selection, &ConfigurationSelection::applyWanted, this, &SearchView::apply);
    connect(m_selection, &ConfigurationSelection::leftChanged, this, &SearchView::showCounts);
    connect(m_selection, &ConfigurationSelection::answerChanged, this, &SearchView::showCounts);
    connect(m_bests, &ScheduleBests::filterWanted, m_filter, &QLineEdit::setText);
    connect(m_heading, &SearchHeading::applyWanted, this, &SearchView::apply);
    connect(m_heading, &SearchHeading::objectiveChosen, this, [this](Objective objective) {
        m_constraints->setDeadlineShown(objective == Objective::accelerators);
        Q_EMIT objectiveChosen(objective);
    });
    connect(m_heading, &SearchHeading::cancelWanted, this, &SearchView::cancelWanted);
    connect(m_heading, &SearchHeading::widerWanted, this,
            [this](SearchOption option) { m_constraints->searchAlso(option, true); });
}

QWidget *SearchView::newPages() {
    auto *bar = new QWidget(this);
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(16, 12, 16, 0);
    m_pages->setObjectName(QStringLiteral("searchPages"));
    m_pages->setAccessibleName(tr("Page"));
    m_pages->addSegment(tr("Configurations"), tr("Best configurations for the plan's model on its cluster"));
    m_pages->addSegment(tr("Map"), tr("Best configuration for each model size and number of nodes"));
    m_pages->addSegment(tr("Advice"), tr("Rules of thumb applied to the plan"));
    row->addWidget(m_pages);
    row->addStretch(1);
    m_map = new MapPage(m_library, this);
    m_advice = new AdvicePage(m_library, this);
    m_map->hide();
    m_advice->hide();
    connect(m_map, &MapPage::edited, this, &SearchView::edited);
    connect(m_advice, &AdvicePage::edited, this, &SearchView::edited);
    connect(m_pages, &Segmented::currentChanged, this, &SearchView::showFreshness);
    return bar;
}

QWidget *SearchView::newTable() {
    m_tableCard = new Card(tr("Configurations"), {}, m_content);
    m_filter = new QLineEdit(m_tableCard);
    m_filter->setObjectName(QStringLiteral("layoutFilter"));
    m_filter->setPlaceholderText(tr("Filter: tensor=8 step<6 interleaved"));
    m_filter->setAccessibleName(tr("Filter configurations"));
    m_filter->setToolTip(tr(
        "Filter terms, separated by spaces: words, or comparisons such as tensor=8, step<6, gain>3, schedule=1f1b. "
        "Columns: tensor, context, pipeline, chunks, expert, data, micro, zero, recompute, schedule, runs, peak, free, "
        "step, mfu, gain"));
    m_filter->addAction(icons::icon(QStringLiteral("filter")), QLineEdit::LeadingPosition);
    m_filter->setClearButtonEnabled(true);
    m_filter->setFixedWidth(filterWidth);
    connect(m_filter, &QLineEdit::textChanged, this, &SearchView::filter);
    m_tableCard->addTrailing(m_filter);
    m_constraints = new ConstraintsBar(m_tableCard);
    m_table = new ConfigurationTable(m_selection, m_tableCard);
    m_table->setMinimumHeight(tableHeight);
    m_tableCard->contentLayout()->addWidget(m_constraints);
    m_tableCard->contentLayout()->addWidget(m_table, 1);
    connect(m_constraints, &ConstraintsBar::edited, this, &SearchView::edited);
    connect(m_table->header(), &LockHeader::lockToggled, m_constraints, &ConstraintsBar::hold);
    return m_tableCard;
}

void SearchView::newCharts() {
    m_chartCard = new Card(tr("Step time vs. memory headroom"), tr("line: Pareto front"), m_content);
    m_chart = new HeadroomChart(m_selection, m_chartCard);
    m_chartCard->contentLayout()->addWidget(m_chart, 1);
}

void SearchView::placeChart() {
    if (width() >= besideTable)
        m_upper->addWidget(m_chartCard, 8);
    else
        m_lower->insertWidget(0, m_chartCard, 8);
}

void SearchView::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    if ((event->oldSize().width() >= besideTable) != (width() >= besideTable))
        placeChart();
}

Objective SearchView::objective() const {
    return m_heading->objective();
}

std::optional<Plan> SearchView::planOf(const QString &name) const {
    return mapPlan(name);
}

std::optional<Derivation> SearchView::derivationOf(const QString &figure) const {
    if (std::optional<Derivation> made = m_map->derivationOf(figure))
        return made;
    if (std::optional<Derivation> made = m_advice->derivationOf(figure))
        return made;
    return searchDerivation(figure, m_selection->answer());
}

void SearchView::showPlan(const PlanView &view) {
    m_view = view;
    m_errors->showPlan(view, PlanErrors::Below::LastValid);
    if (isOfAnotherPlan())
        m_selection->setAnswer({});
    m_map->showPlan(view);
    m_advice->showPlan(view);
    m_constraints->showPlan(view);
    m_selection->setPresentWarned(
        std::any_of(view.diagnostics.begin(), view.diagnostics.end(),
                    [](const Diagnostic &diagnostic) { return diagnostic.severity == Severity::warning; }));
    m_table->header()->setConstraints(m_constraints->constraints());
    if (view.valid)
        m_chart->setNeeded(headroom_bytes(view.plan, m_constraints->constraints()));
    showFreshness();
}

void SearchView::showAnswer(const SearchAnswerPointer &answer) {
    m_selection->setAnswer(answer);
    showFreshness();
}

void SearchView::showState(const SearchState &state) {
    m_state = state;
    m_heading->showState(state);
    showFreshness();
}

ProblemsCard *SearchView::problems() const {
    return m_errors->problems();
}

/// Whether the results belong to a plan that was open before, because the current plan is invalid and never had a
/// result.
bool SearchView::isOfAnotherPlan() const {
    return !m_view.valid && m_view.result == nullptr;
}

void SearchView::showFreshness() {
    const SearchAnswer *answer = m_selection->answer();
    const int page = m_pages->currentIndex();
    m_scroll->setVisible(page == 0 && (m_view.valid || answer != nullptr));
    m_map->setVisible(page == 1 && !isOfAnotherPlan());
    m_advice->setVisible(page == 2 && !isOfAnotherPlan());
    const bool stale = answer != nullptr && (!m_view.valid || !(answer->question.plan == m_view.plan));
    m_heading->setStale(stale, !m_view.valid);
    for (QWidget *body : std::initializer_list<QWidget *>{m_table, m_chart, m_lines})
        body->setEnabled(!stale);
}

void SearchView::showCounts() {
    const SearchAnswer *answer = m_selection->answer();
    if (answer == nullptr) {
        m_tableCard->setSubtitle({});
        return;
    }
    const auto all = static_cast<int>(m_selection->rows().size());
    const int left = m_selection->leftCount();
    const QString some = left == all ? QString()
        : left > 0                   ? tr("%1 of %2 match").arg(countText(left), countText(all))
                   : tr("none of %1 match; to search only one value of a field, set the field in the plan and lock it")
                         .arg(countText(all));
    const QString count = countText(all);
    m_tableCard->setSubtitle(!some.isEmpty()    ? some
                                 : answer->fits ? tr("%1 that fit, best first").arg(count)
                                                : tr("%1 that do not fit, fastest first").arg(count));
    if (const int tied = answer->fits ? answer->tiedCount() : 0; some.isEmpty() && tied > 1) {
        m_tableCard->setSubtitle(
            filled(tr("%1 that fit, best first; bar: ties within %2 of the best; star: recommended"), count,
                   said(shareText(answer->found.tied_within),
                        FigureRef::ofView(QStringLiteral("tied_within"), FigureView::search))));
    }
    m_linesCard->setSubtitle(some.isEmpty() ? tr("drag along an axis to brush; green: best, dashed: current plan")
                                            : some);
}

void SearchView::filter(const QString &text) {
    const QString unknown = m_selection->setFilter(text);
    m_filter->setProperty("rejected", !unknown.isEmpty());
    m_filter->setAccessibleDescription(unknown.isEmpty() ? QString() : tr("Not understood: %1").arg(unknown));
    if (!unknown.isEmpty())
        m_tableCard->setSubtitle(tr("not understood: %1").arg(unknown));
}

void SearchView::pinPresent() {
    const std::vector<LayoutRow> &rows = m_selection->rows();
    const auto present = std::find_if(rows.begin(), rows.end(), [](const LayoutRow &row) { return row.present; });
    if (present != rows.end())
        m_selection->togglePin(static_cast<int>(present - rows.begin()));
}

void SearchView::apply(int row) {
    const std::vector<LayoutRow> &rows = m_selection->rows();
    if (!m_view.valid || row < 0 || row >= static_cast<int>(rows.size()))
        return;
    const LayoutRow &wanted = rows[static_cast<std::size_t>(row)];
    if (wanted.present)
        return;
    const QString changes = shortDifferencesText(layoutDifferences(m_view.plan, wanted.entry.plan));
    const std::string patch = patchApplying(m_view, wanted.entry, m_library);
    m_selection->choose(-1);
    Q_EMIT edited({.field = {},
                   .subject = tr("Configuration: %1").arg(changes),
                   .from = {},
                   .to = {},
                   .patch = patch,
                   .pace = EditPace::Settled});
}

void SearchView::showEvent(QShowEvent *event) {
    QWidget::showEvent(event);
    Q_EMIT cameIntoSight();
}

void SearchView::keyPressEvent(QKeyEvent *event) {
    if (event->key() == Qt::Key_Slash) {
        m_filter->setFocus();
        m_filter->selectAll();
    } else if (event->key() == Qt::Key_Escape && m_state.running) {
        Q_EMIT cancelWanted();
    } else {
        QWidget::keyPressEvent(event);
    }
}

} // namespace meshwright
