// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "panels/plan_panel.h"

namespace meshwright {

/// Settings for compressing updates in each direction: bits per value, density, index encoding, block scales and error
/// feedback.
class CompressionPanel : public PlanPanel {
    Q_OBJECT

public:
    explicit CompressionPanel(QWidget *parent = nullptr);

protected:
    void showFields(const PlanView &view) override;

private:
    struct WireFields {
        QuantityBox *bits = nullptr;
        QuantityBox *density = nullptr;
        QComboBox *index = nullptr;
        QuantityBox *scale = nullptr;
    };
    WireFields addWire(const QString &title, const QString &pointer);
    static void showWire(const WireFields &fields, const Wire &wire);

    WireFields m_up;
    WireFields m_down;
    ToggleSwitch *m_errorFeedback;
};

} // namespace meshwright
