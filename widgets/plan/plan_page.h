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

/// The centre of the Plan view: the four figures over memory, step and problems. A wide window shows more beside them
/// instead of longer rows.
class PlanPage : public View {
    Q_OBJECT

public:
    /// From this width on there are two columns.
    static constexpr int WideFrom = 1440;

    explicit PlanPage(QWidget *parent = nullptr);
    void showPlan(const PlanView &view) override;
    /// On no field: no key is to change a plan that is only looked at.
    void takeFocus() override { }

    /// What cards over figures say of their formulas, by path.
    void setFormulaLines(const std::function<QString(const FigureRef &)> &lines);

    /// Puts a strip under the four figures.
    void hostFound(QWidget *strip);

    MemoryCard *memory() const { return m_memory; }
    ProblemsCard *problems() const override { return m_problems; }
    GoalCard *goal() const { return m_goal; }
    /// Opens the card of goals for how long the run takes.
    void setGoal();
    /// Looks for the fewest changes with which the plan fits.
    void seekFit();

Q_SIGNALS:
    /// Cards that were not kept up to date have come into sight.
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
    QWidget *m_beside;
    MemoryTableCard *m_table;
    ParametersCard *m_parameters;
    CompareCard *m_compare;
    PipelineCard *m_pipeline;
    SitesCard *m_sites;
    EditRest *m_rest;
    GoalCard *m_goal; ///< over the cards, for it moves none of them
    std::shared_ptr<const nlohmann::ordered_json> m_document; ///< that was shown last
    std::shared_ptr<const Result> m_opened; ///< tells another plan from an edit
    bool m_wide = false;
};

} // namespace meshwright
