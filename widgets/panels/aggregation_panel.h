// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "panels/plan_panel.h"

namespace meshwright {

/// How sites' updates are averaged: topology, aggregators and their rates, quorum, grace period and late updates.
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
    QWidget *m_star; ///< fields of the aggregators, shown only for a star topology
    IntegerBox *m_aggregators = nullptr;
    QComboBox *m_arrangement = nullptr;
    OptionalQuantityBox *m_ingress = nullptr;
    OptionalQuantityBox *m_egress = nullptr;
    OptionalQuantityBox *m_dollars = nullptr;
    QuantityBox *m_graceFraction = nullptr;
    QuantityBox *m_graceLimit = nullptr;
    OptionalQuantityBox *m_wait = nullptr;
    IntegerBox *m_minQuorum = nullptr;
    OptionalQuantityBox *m_quantizeRate = nullptr;
    OptionalQuantityBox *m_averageRate = nullptr;
    IntegerBox *m_latestRounds = nullptr;
    QComboBox *m_lateWeight = nullptr;
    QuantityBox *m_decay = nullptr;
};

} // namespace meshwright
