// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/derivation.h"
#include "search/search_runner.h"
#include "views/view.h"

#include <optional>

class QHBoxLayout;
class QLineEdit;
class QScrollArea;
class QVBoxLayout;

namespace meshwright {

class ConstraintsBar;
class HeadroomChart;
class LayoutSelection;
class LayoutTable;
class AdvicePage;
class Card;
class MapPage;
class ParallelCoordinates;
class PlanErrors;
class ProblemsCard;
class ScheduleBests;
class SearchHeading;
class Segmented;

/// The best layouts beside the present plan: a heading that says what was found, the table, free memory against time,
/// and the best thousand over their settings. All of one selection: what is brushed, pointed at or chosen in one is so
/// in all. Two more pages: the best layout by model size and nodes, and advice. Follows the plan; while a search runs,
/// what the last one found stays, marked.
class SearchView : public View {
    Q_OBJECT

public:
    explicit SearchView(const Library &library, QWidget *parent = nullptr);

    void showPlan(const PlanView &view) override;
    void showAnswer(const SearchAnswerPointer &answer);
    void showState(const SearchState &state);

    Objective objective() const;
    MapPage *map() const { return m_map; }
    AdvicePage *advice() const { return m_advice; }
    LayoutSelection *selection() const { return m_selection; }
    /// Pins the plan's own configuration, or releases it; as soon as it is listed.
    void pinPresent();
    /// Makes the plan a row's, as one edit.
    void apply(int row);
    SearchHeading *heading() const { return m_heading; }
    ScheduleBests *scheduleBests() const { return m_bests; }
    LayoutTable *table() const { return m_table; }
    HeadroomChart *chart() const { return m_chart; }
    ParallelCoordinates *lines() const { return m_lines; }
    ConstraintsBar *constraints() const { return m_constraints; }
    ProblemsCard *problems() const override;
    /// How what the search has counted comes about.
    std::optional<Derivation> derivationOf(const QString &figure) const override;
    /// See mapPlan().
    std::optional<Plan> planOf(const QString &name) const override;
    QLineEdit *filterField() const override { return m_filter; }

Q_SIGNALS:
    void objectiveChosen(meshwright::Objective objective);
    void cancelWanted();
    /// It can be seen now.
    void cameIntoSight();

protected:
    void showEvent(QShowEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    QWidget *newTable();
    void newCharts();
    void placeChart();
    void filter(const QString &text);
    void showCounts();
    void showFreshness();
    bool isOfAnotherPlan() const;
    QWidget *newPages();

    const Library &m_library;
    PlanView m_view;
    SearchState m_state;
    LayoutSelection *m_selection;
    Segmented *m_pages;
    QScrollArea *m_scroll;
    QWidget *m_content;
    QHBoxLayout *m_upper; ///< the table, and the chart where there is room beside it
    QHBoxLayout *m_lower; ///< the lines, else the chart too
    SearchHeading *m_heading = nullptr;
    ScheduleBests *m_bests = nullptr;
    Card *m_tableCard = nullptr;
    QLineEdit *m_filter = nullptr;
    ConstraintsBar *m_constraints = nullptr;
    LayoutTable *m_table = nullptr;
    Card *m_chartCard = nullptr;
    HeadroomChart *m_chart = nullptr;
    Card *m_linesCard = nullptr;
    ParallelCoordinates *m_lines = nullptr;
    PlanErrors *m_errors;
    MapPage *m_map = nullptr;
    AdvicePage *m_advice = nullptr;
};

} // namespace meshwright
