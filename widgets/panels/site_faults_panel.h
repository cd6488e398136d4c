// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "panels/plan_panel.h"

namespace meshwright {

/// Stragglers and site failures: spread of site speeds and step times, downtime, and the download before rejoining.
class SiteFaultsPanel : public PlanPanel {
    Q_OBJECT

public:
    explicit SiteFaultsPanel(QWidget *parent = nullptr);

protected:
    void showFields(const PlanView &view) override;

private:
    QuantityBox *m_speed;
    QuantityBox *m_step;
    OptionalQuantityBox *m_mtbf;
    QWidget *m_absence; ///< fields that need a site MTBF
    QuantityBox *m_recovery = nullptr;
    QuantityBox *m_shape = nullptr;
    QuantityBox *m_rejoin = nullptr;
    ToggleSwitch *m_lost = nullptr;
};

} // namespace meshwright
