// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "panels/plan_panel.h"

namespace meshwright {

/// How several sites train one model: method, rounds, what goes on the wire each way, how many must have answered.
class OuterPanel : public PlanPanel {
    Q_OBJECT

public:
    explicit OuterPanel(QWidget *parent = nullptr);

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

    QComboBox *m_method;
    IntegerBox *m_innerSteps = nullptr;
    IntegerBox *m_fragments = nullptr;
    IntegerBox *m_overlap = nullptr;
    IntegerBox *m_quorum = nullptr;
    ToggleSwitch *m_errorFeedback = nullptr;
    WireFields m_up;
    WireFields m_down;
};

} // namespace meshwright
