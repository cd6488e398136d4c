// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "calibration/machine_runs.h"
#include "views/plan_view.h"

#include <QWidget>

#include <optional>

class QPushButton;

namespace meshwright {

class OptionalQuantityBox;
class Segmented;
class TextLabel;

/// A form for one measured run: the current plan is its configuration; the user enters the step time, the peak memory,
/// or both.
class RunEntry : public QWidget {
    Q_OBJECT

public:
    explicit RunEntry(QWidget *parent = nullptr);

    void showPlan(const PlanView &view);

Q_SIGNALS:
    void added(const meshwright::MachineRun &run);

private:
    void showState();
    void add();

    TextLabel *m_plan;
    OptionalQuantityBox *m_step;
    OptionalQuantityBox *m_peak;
    Segmented *m_kind;
    QPushButton *m_add;
    std::optional<Plan> m_configuration; ///< unset while the plan is invalid
    std::optional<double> m_seconds;
    std::optional<double> m_bytes;
};

} // namespace meshwright
