// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "panels/plan_panel.h"

namespace meshwright {

/// Where sites' updates meet: topology, aggregators and their rates, quorum, grace, and what becomes of late updates.
class AggregationPanel : public PlanPanel {
    Q_OBJECT

public:
    explicit AggregationPanel(QWidget *parent = nullptr);

protected:
    void showFields(const PlanView &view) override;

private:
    void addAggregators();
    void addWaiting();
    void addLate();

    QComboBox *m_topology;
    IntegerBox *m_quorum = nullptr;
    QWidget *m_star; ///< what only aggregators have
    IntegerBox *m_aggregators = nullptr;
    QComboBox *m_arrangement = nullptr;
    OptionalQuantityBox *m_ingress = nullptr;
    OptionalQuantityBox *m_egress = nullptr;
    OptionalQuantityBox *m_dollars = nullptr;
    QuantityBox *m_graceShare = nullptr;
    QuantityBox *m_graceLimit = nullptr;
    OptionalQuantityBox *m_wait = nullptr;
    IntegerBox *m_minQuorum = nullptr;
    OptionalQuantityBox *m_quantise = nullptr;
    OptionalQuantityBox *m_average = nullptr;
    IntegerBox *m_latest = nullptr;
    QComboBox *m_lateWeight = nullptr;
    QuantityBox *m_decay = nullptr;
};

} // namespace meshwright
