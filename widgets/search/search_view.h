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
class ConfigurationSelection;
class ConfigurationTable;
class AdvicePage;
class Card;
class MapPage;
class ParallelCoordinates;
class PlanErrors;
class ProblemsCard;
class ScheduleBests;
class SearchHeading;
class Segmented;

/// The best configurations next to the plan's own: a heading with the result, the table, step time against memory
/// headroom, and parallel coordinates of the best 1,000. They share one selection: brushing, hovering or selecting in
/// one applies to all. Two more pages show the best configuration by model size and number of nodes, and advice. The
/// view follows the plan; while a search runs, the last result stays, marked as stale.
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
    ConfigurationSelection *selection() const { return m_selection; }
    /// Pins or unpins the plan's own configuration. Does nothing if it is not listed.
    void pinPresent();
    void apply(int row);
    SearchHeading *heading() const { return m_heading; }
    ScheduleBests *scheduleBests() const { return m_bests; }
    ConfigurationTable *table() const { return m_table; }
    HeadroomChart *chart() const { return m_chart; }
    ParallelCoordinates *lines() const { return m_lines; }
    ConstraintsBar *constraints() const { return m_constraints; }
    ProblemsCard *problems() const override;
    std::optional<Derivation> derivationOf(const QString &figure) const override;
    /// The plan behind a figure of the map: see mapPlan().
    std::optional<Plan> planOf(const QString &name) const override;
    QLineEdit *filterField() const override { return m_filter; }

Q_SIGNALS:
    void objectiveChosen(meshwright::Objective objective);
    void cancelWanted();
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
    ConfigurationSelection *m_selection;
    Segmented *m_pages;
    QScrollArea *m_scroll;
    QWidget *m_content;
    QHBoxLayout *m_upper; ///< the table, and the chart if there is room next to it
    QHBoxLayout *m_lower; ///< the parallel coordinates, and the chart if it is not in `m_upper`
    SearchHeading *m_heading = nullptr;
    ScheduleBests *m_bests = nullptr;
    Card *m_tableCard = nullptr;
    QLineEdit *m_filter = nullptr;
    ConstraintsBar *m_constraints = nullptr;
    ConfigurationTable *m_table = nullptr;
    Card *m_chartCard = nullptr;
    HeadroomChart *m_chart = nullptr;
    Card *m_linesCard = nullptr;
    ParallelCoordinates *m_lines = nullptr;
    PlanErrors *m_errors;
    MapPage *m_map = nullptr;
    AdvicePage *m_advice = nullptr;
};

} // namespace meshwright
