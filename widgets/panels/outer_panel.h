// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "panels/plan_panel.h"

namespace meshwright {

class OuterPanel : public PlanPanel {
    Q_OBJECT

public:
    explicit OuterPanel(QWidget *parent = nullptr);

protected:
    void showFields(const PlanView &view) override;

private:
    void addFurther();

    QComboBox *m_method;
    IntegerBox *m_innerSteps = nullptr;
    IntegerBox *m_fragments = nullptr;
    IntegerBox *m_overlap = nullptr;
    QComboBox *m_pattern = nullptr;
    QComboBox *m_late = nullptr;
    QComboBox *m_release = nullptr;
    ToggleSwitch *m_bySpeed = nullptr;
    OptionalQuantityBox *m_step = nullptr;
};

} // namespace meshwright
