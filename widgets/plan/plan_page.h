// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_ref.h"
#include "gantt/schedule_runner.h"
#include "views/view.h"

#include <functional>

class QGridLayout;
class QScrollArea;
class QVBoxLayout;

namespace meshwright {

class CompareCard;
class EditRest;
class GoalCard;
class KeyFigures;
class MemoryCard;
class MemoryTableCard;
class ParametersCard;
class PipelineCard;
class ProblemsCard;
class PublishedCard;
class SitesCard;
class StepCard;

/// The center of the Plan view: the four key figures above memory, step and problems. In a wide window, cards form a
/// second column instead of longer rows.
class PlanPage : public View {
    Q_OBJECT

public:
    /// Minimum width in pixels for two columns.
    static constexpr int WideFrom = 1440;

    explicit PlanPage(QWidget *parent = nullptr);
    void showPlan(const PlanView &view) override;
    /// Focuses no field, because a key press in it could change a plan that the user only wants to view.
    void takeFocus() override { }

    void setFormulaLines(const std::function<QString(const FigureRef &)> &lines);

    void hostFound(QWidget *strip);

    MemoryCard *memory() const { return m_memory; }
    ProblemsCard *problems() const override { return m_problems; }
    GoalCard *goal() const { return m_goal; }
    void setGoal();
    /// Opens the goal card and searches for the fewest changes that make the plan fit.
    void seekFit();

Q_SIGNALS:
    /// Emitted when the second column is shown. Its cards are not updated while they are hidden.
    void becameWide();
    void schedulesDrawn(const std::vector<meshwright::DrawnSchedule> &schedules);

protected:
    void resizeEvent(QResizeEvent *event) override;
    QBoxLayout *column() const override;

private:
    void arrange();
    void placeGoal();
    void noteEdit(const PlanView &view);
    void hold(bool held);

    QScrollArea *m_scroll;
    QWidget *m_content;
    KeyFigures *m_figures;
    MemoryCard *m_memory;
    StepCard *m_step;
    ProblemsCard *m_problems;
    PublishedCard *m_published;
    QWidget *m_secondColumn;
    MemoryTableCard *m_table;
    ParametersCard *m_parameters;
    CompareCard *m_compare;
    PipelineCard *m_pipeline;
    SitesCard *m_sites;
    EditRest *m_rest;
    GoalCard *m_goal; ///< floats over the cards, so that the cards do not move when it opens
    std::shared_ptr<const nlohmann::ordered_json> m_document;
    std::shared_ptr<const Result> m_opened; ///< first result of the plan as opened; edits do not change it
    bool m_wide = false;
};

} // namespace meshwright
