// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "panels/figure_reasons.h"
#include "panels/plan_view.h"

#include <QWidget>

#include <memory>

namespace meshwright {

class KeyFigure;
class WhyPopup;

/// The four answers: does it fit, how fast, how long, what does it cost.
class KeyFigures : public QWidget {
    Q_OBJECT

public:
    explicit KeyFigures(QWidget *parent = nullptr);
    void showPlan(const PlanView &view);
    /// Opens the popup that says how a figure comes about.
    void explain(KeyQuantity quantity);

private:
    void showMemory(const Result &result);
    void showStep(const Result &result);
    void showRun(const Result &result);
    void showCost(const Result &result);
    void showNothing();

    KeyFigure *figure(KeyQuantity quantity) const;

    std::shared_ptr<const Result> m_result;
    WhyPopup *m_why = nullptr;
    KeyFigure *m_memory;
    KeyFigure *m_step;
    KeyFigure *m_run;
    KeyFigure *m_cost;
};

} // namespace meshwright
