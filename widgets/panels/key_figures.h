// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace meshwright {

struct PlanView;
struct Result;
class KeyFigure;

/// The four answers: does it fit, how fast, how long, what does it cost.
class KeyFigures : public QWidget {
    Q_OBJECT

public:
    explicit KeyFigures(QWidget *parent = nullptr);
    void showPlan(const PlanView &view);

private:
    void showMemory(const Result &result);
    void showStep(const Result &result);
    void showRun(const Result &result);
    void showCost(const Result &result);
    void showNothing();

    KeyFigure *m_memory;
    KeyFigure *m_step;
    KeyFigure *m_run;
    KeyFigure *m_cost;
};

} // namespace meshwright
