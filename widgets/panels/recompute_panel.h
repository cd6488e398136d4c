// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "panels/plan_panel.h"

#include <utility>
#include <vector>

class QCheckBox;

namespace meshwright {

/// Settings of activation recomputation. The summary shows its cost in step time.
class RecomputePanel : public PlanPanel {
    Q_OBJECT

public:
    explicit RecomputePanel(QWidget *parent = nullptr);

    void showResult(const PlanView &view);

protected:
    void showFields(const PlanView &view) override;

private:
    void addModules();
    void setModules();

    QComboBox *m_mode = nullptr;
    QWidget *m_layersRow = nullptr;
    IntegerBox *m_layers = nullptr;
    QWidget *m_modulesBox = nullptr;
    std::vector<std::pair<std::string, QCheckBox *>> m_modules;
};

} // namespace meshwright
