// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/latest_worker.h"
#include "plan/plan.h"

#include <QWidget>

#include <string>

class QPushButton;

namespace meshwright {

class TextField;

/// Layers per stage as Megatron's pipeline layout string, with a button that balances them.
class StageLayoutField : public QWidget {
    Q_OBJECT

public:
    explicit StageLayoutField(QWidget *parent = nullptr);

    /// @param valid  whether the plan can be evaluated
    void showPlan(const Plan &plan, bool valid);

Q_SIGNALS:
    /// @param layout  a pipeline layout string; empty for equal layers per stage
    void chosen(const QString &layout);

private:
    void findBest();

    TextField *m_text;
    QPushButton *m_best;
    Plan m_plan;
    LatestWorker<Plan, std::string> m_solver;
};

} // namespace meshwright
