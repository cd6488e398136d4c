// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/aggregation_panel.h"

#include "controls/disclosure.h"
#include "controls/optional_quantity_box.h"

#include <QComboBox>
#include <QVBoxLayout>

namespace meshwright {

namespace {

QString pointerOf(const char *key) {
    return QStringLiteral("/aggregation/") + QLatin1String(key);
}

QStringList topologyTexts() {
    return {AggregationPanel::tr("Star"),       AggregationPanel::tr("Ring"), AggregationPanel::tr("Butterfly"),
            AggregationPanel::tr("All-gather"), AggregationPanel::tr("Tree"), AggregationPanel::tr("Gossip in pairs")};
}

constexpr double maxRate = 1e18;

} // namespace

AggregationPanel::AggregationPanel(QWidget *parent)
    : PlanPanel(parent)
    , m_topology(addChoice(tr("Topology"), pointerOf("topology"), topology_names(), topologyTexts()))
    , m_quorum(addInteger(tr("Quorum"), QStringLiteral("/outer/quorum"), 1, 1'000'000))
    , m_star(new QWidget(this)) {
    m_quorum->setToolTip(tr("Contributions that suffice for an average"));
    auto *into = new QVBoxLayout(m_star);
    into->setContentsMargins(0, 0, 0, 0);
    into->setSpacing(8);
    rows()->addWidget(m_star);
    addAggregators();
    addWaiting();
    addLate();
}

void AggregationPanel::addAggregators() {
    auto *into = qobject_cast<QVBoxLayout *>(m_star->layout());
    m_aggregators = addInteger(tr("Aggregators"), pointerOf("aggregators"), 1, 1'000, into);
    m_arrangement = addChoice(tr("Each gets"), pointerOf("arrangement"), arrangement_names(),
                              {tr("A part of it all"), tr("All of it")}, into);
    m_ingress = addOptional(tr("Into each"), pointerOf("ingress_bits_per_second"), Quantity::bits_per_second,
                            tr("unlimited"), 1, maxRate, into);
    m_egress = addOptional(tr("Out of each"), pointerOf("egress_bits_per_second"), Quantity::bits_per_second,
                           tr("unlimited"), 1, maxRate, into);
    m_dollars = addOptional(tr("Egress, $ a GB"), pointerOf("egress_dollars_per_gigabyte"), Quantity::number,
                            tr("list price"), 0, 1e6, into);
}

void AggregationPanel::addWaiting() {
    auto *waiting = new Disclosure(tr("Grace and time-outs"), this);
    rows()->addWidget(waiting);
    QVBoxLayout *into = waiting->contentLayout();
    m_graceShare = addQuantity(tr("Grace"), pointerOf("grace_share"), Quantity::share, 0, 1, into);
    m_graceShare->setToolTip(tr("Share of the time to spare that is waited for more than the quorum"));
    m_graceLimit = addQuantity(tr("Grace at most"), pointerOf("grace_limit_seconds"), Quantity::seconds, 0, 1e9, into);
    m_wait = addOptional(tr("Quorum within"), pointerOf("quorum_wait_seconds"), Quantity::seconds,
                         tr("as long as it takes"), 0, 1e9, into);
    m_wait->setToolTip(tr("After the first arrival; then the least quorum suffices, or the round is void"));
    m_minQuorum = addInteger(tr("Least quorum"), pointerOf("least_quorum"), 1, 1'000'000, into);
    m_quantise = addOptional(tr("Quantises, a second"), pointerOf("quantise_parameters_per_second"), Quantity::number,
                             tr("at once"), 1, maxRate, into);
    m_quantise->setToolTip(tr("Parameters a second that a site quantises"));
    m_average = addOptional(tr("Averages, a second"), pointerOf("average_parameters_per_second"), Quantity::number,
                            tr("at once"), 1, maxRate, into);
    m_average->setToolTip(tr("Parameters of one site's update that an aggregator adds in a second"));
}

void AggregationPanel::addLate() {
    auto *late = new Disclosure(tr("Late updates"), this);
    rows()->addWidget(late);
    QVBoxLayout *into = late->contentLayout();
    m_latest = addInteger(tr("Taken until"), pointerOf("latest_rounds"), 0, 1'000'000, into);
    m_latest->setUnit(tr("rounds late"));
    m_lateWeight = addChoice(tr("Weight"), pointerOf("late_weight"), late_weight_names(),
                             {tr("Falls by a factor"), tr("1 ÷ (1 + rounds)")}, into);
    m_decay = addQuantity(tr("Factor a round"), pointerOf("late_decay"), Quantity::share, 0, 1, into);
}

void AggregationPanel::showFields(const PlanView &view) {
    const Aggregation &aggregation = view.plan.aggregation;
    const bool star = aggregation.topology == Topology::star;
    select(m_topology, topology_names()[static_cast<std::size_t>(aggregation.topology)]);
    m_quorum->setUnit(tr("of %1 sites").arg(view.plan.cluster.sites));
    m_quorum->setValue(view.plan.outer.quorum);
    m_star->setVisible(star);
    m_aggregators->setValue(aggregation.aggregators);
    select(m_arrangement, arrangement_names()[static_cast<std::size_t>(aggregation.arrangement)]);
    m_ingress->showOptional(aggregation.ingress_bits_per_second);
    m_egress->showOptional(aggregation.egress_bits_per_second);
    m_dollars->showOptional(aggregation.egress_dollars_per_gigabyte);
    m_graceShare->showQuantity(aggregation.grace_share);
    m_graceLimit->showQuantity(aggregation.grace_limit_seconds);
    m_wait->showOptional(aggregation.quorum_wait_seconds);
    m_minQuorum->setValue(aggregation.least_quorum);
    m_quantise->showOptional(aggregation.quantise_parameters_per_second);
    m_average->showOptional(aggregation.average_parameters_per_second);
    m_latest->setValue(aggregation.latest_rounds);
    select(m_lateWeight, late_weight_names()[static_cast<std::size_t>(aggregation.late_weight)]);
    m_decay->showQuantity(aggregation.late_decay);
    m_decay->setEnabled(aggregation.late_weight == LateWeight::geometric);
    summarise(star ? tr("%1 of %2, star").arg(view.plan.outer.quorum).arg(view.plan.cluster.sites)
                   : m_topology->currentText());
}

} // namespace meshwright
