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

/// The four answers: does it fit, how fast, how long, what does it cost. In two rows where one has no room.
class KeyFigures : public QWidget {
    Q_OBJECT

public:
    explicit KeyFigures(QWidget *parent = nullptr);
    void showPlan(const PlanView &view);
    /// Figures that a goal can be set for: the one that is shown, and those beside it.
    std::vector<GoalFigure> goalsFor(KeyQuantity quantity) const;
    /// What a figure's card says of its formula, by path.
    void setFormulaLines(std::function<QString(const FigureRef &)> lines) { m_lines = std::move(lines); }
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// A goal is to be typed for one of these figures; the first is the one that is shown.
    void goalWanted(const std::vector<meshwright::GoalFigure> &figures);

protected:
    /// Pointing at a figure shows the first level of its derivation.
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
