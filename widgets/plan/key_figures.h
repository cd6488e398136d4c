// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvases/hover_card.h"
#include "figures/figure_ref.h"
#include "plan/figure_reasons.h"
#include "search/goal.h"
#include "views/plan_view.h"

#include <QWidget>

#include <functional>
#include <memory>
#include <vector>

class QGridLayout;

namespace meshwright {

class KeyFigure;

/// The four key figures: memory headroom, step time, run time and rental cost. They wrap to two rows if one is too
/// narrow.
class KeyFigures : public QWidget {
    Q_OBJECT

public:
    explicit KeyFigures(QWidget *parent = nullptr);
    void showPlan(const PlanView &view);
    /// Figures for which the user can set a goal: first the one shown, then related ones.
    std::vector<GoalFigure> goalsFor(KeyQuantity quantity) const;
    /// Sets the function that gives the formula lines of a figure's hover card.
    void setFormulaLines(std::function<QString(const FigureRef &)> lines) { m_lines = std::move(lines); }
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// The user wants to set a goal for one of these figures, by default the first.
    void goalWanted(const std::vector<meshwright::GoalFigure> &figures);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void showMemory(const Result &result);
    void showStep(const Result &result);
    void showRun(const Result &result);
    void showCost(const Result &result);
    void showNothing();

    KeyFigure *figure(KeyQuantity quantity) const;
    void arrange(int columns);
    int widthOf(int columns) const;

    std::shared_ptr<const Result> m_result;
    std::function<QString(const FigureRef &)> m_lines;
    HoverCardSlot m_card;
    QGridLayout *m_grid;
    int m_columns = 0;
    KeyFigure *m_memory;
    KeyFigure *m_step;
    KeyFigure *m_run;
    KeyFigure *m_cost;
};

} // namespace meshwright
