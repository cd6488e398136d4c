// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "panels/plan_panel.h"

namespace meshwright {

class RunCurvesView;
class TextLabel;

class RunPanel : public PlanPanel {
    Q_OBJECT

public:
    explicit RunPanel(QWidget *parent = nullptr);
    RunCurvesView *curves() const { return m_curves; }
    void showResult(const PlanView &view);

protected:
    void showFields(const PlanView &view) override;

private:
    void addPrices();
    void addFaults();

    QuantityBox *m_tokens;
    QuantityBox *m_rental = nullptr;
    QuantityBox *m_energy = nullptr;
    QuantityBox *m_effectiveness = nullptr;
    QuantityBox *m_powerFraction = nullptr;
    QuantityBox *m_mtbf = nullptr;
    QuantityBox *m_recovery = nullptr;
    QuantityBox *m_checkpointRate = nullptr;
    QuantityBox *m_blockingFraction = nullptr;
    OptionalQuantityBox *m_store = nullptr;
    TextLabel *m_perParameter = nullptr;
    RunCurvesView *m_curves;
};

} // namespace meshwright
