// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "panels/plan_panel.h"

#include <utility>
#include <vector>

class QCheckBox;

namespace meshwright {

/// What is computed again in the backward pass instead of being kept, with its price in the summary.
class RecomputePanel : public PlanPanel {
    Q_OBJECT

public:
    explicit RecomputePanel(QWidget *parent = nullptr);

    /// The price comes from the result.
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
