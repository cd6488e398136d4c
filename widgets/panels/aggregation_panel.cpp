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
            AggregationPanel::tr("All-gather"), AggregationPanel::tr("Tree"), AggregationPanel::tr("Pairwise gossip")};
}

constexpr double maxRate = 1e18;

} // namespace

AggregationPanel::AggregationPanel(QWidget *parent)
    : PlanPanel(parent)
    , m_topology(addChoice(tr("Topology"), pointerOf("topology"), topology_names(), topologyTexts()))
    , m_quorum(addInteger(tr("Quorum"), QStringLiteral("/outer/quorum"), 1, 1'000'000))
    , m_star(new QWidget(this)) {
    describe(m_topology,
             tr("How updates travel between sites. Default: star, in which all sites send to aggregators; only a star "
                "has aggregators and their ingress and egress limits."));
    describe(m_quorum,
             tr("Number of site updates that close a round, from 1 to the number of sites. Default: all sites. Lower "
                "it to tolerate slow or absent sites; their late updates then count less or are dropped."));
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
    describe(m_aggregators,
             tr("Servers that average the sites' updates, 1 to 1,000. Default 1. Add more when the "
                "ingress or egress of one aggregator limits the outer step."));
    m_arrangement = addChoice(tr("Each receives"), pointerOf("arrangement"), arrangement_names(),
                              {tr("One shard"), tr("The full update")}, into);
    describe(m_arrangement,
             tr("Whether each aggregator receives one shard of every fragment (default) or the full "
                "update. Matters only with several aggregators."));
    m_ingress = addOptional(tr("Ingress"), pointerOf("ingress_bits_per_second"), Quantity::bits_per_second,
                            tr("unlimited"), 1, maxRate, into);
    describe(m_ingress,
             tr("Receive rate of one aggregator in bit/s, shared fairly among the sites. Default: unlimited."));
    m_egress = addOptional(tr("Egress"), pointerOf("egress_bits_per_second"), Quantity::bits_per_second,
                           tr("unlimited"), 1, maxRate, into);
    describe(m_egress, tr("Send rate of one aggregator in bit/s, shared fairly among the sites. Default: unlimited."));
    m_dollars = addOptional(tr("Egress, $/GB"), pointerOf("egress_dollars_per_gigabyte"), Quantity::number,
                            tr("list price"), 0, 1e6, into);
    describe(m_dollars,
             tr("Price of aggregator egress in $ per GB (1e9 bytes). Default: the volume tiers of a cloud's "
                "list price. Affects only the cost."));
}

void AggregationPanel::addWaiting() {
    auto *waiting = new Disclosure(tr("Grace period and timeouts"), this);
    rows()->addWidget(waiting);
    QVBoxLayout *into = waiting->contentLayout();
    m_graceFraction = addQuantity(tr("Grace fraction"), pointerOf("grace_share"), Quantity::share, 0, 1, into);
    describe(m_graceFraction,
             tr("Fraction of the slack spent waiting for updates beyond the quorum. The slack is the overlap time that "
                "remains after the quorum has arrived and the average has been sent back. Default 0: the round "
                "closes at the quorum."));
    m_graceLimit = addQuantity(tr("Maximum grace"), pointerOf("grace_limit_seconds"), Quantity::seconds, 0, 1e9, into);
    describe(m_graceLimit, tr("Upper limit of the grace period, regardless of the slack."));
    m_wait = addOptional(tr("Quorum timeout"), pointerOf("quorum_wait_seconds"), Quantity::seconds, tr("none"), 0, 1e9,
                         into);
    describe(
        m_wait,
        tr("Time from the first arrival until the aggregator stops waiting for the quorum. The round then closes if "
           "the minimum quorum has arrived; otherwise it is dropped. Default: none."));
    m_minQuorum = addInteger(tr("Minimum quorum"), pointerOf("least_quorum"), 1, 1'000'000, into);
    describe(m_minQuorum,
             tr("Number of site updates that suffice once the quorum timeout has passed. Default 1. No effect without "
                "a quorum timeout."));
    m_quantizeRate = addOptional(tr("Quantization rate"), pointerOf("quantise_parameters_per_second"), Quantity::number,
                                 tr("instant"), 1, maxRate, into);
    describe(
        m_quantizeRate,
        tr("Rate at which a site quantizes an update before sending it, in parameters per second. Default: instant."));
    m_averageRate = addOptional(tr("Averaging rate"), pointerOf("average_parameters_per_second"), Quantity::number,
                                tr("instant"), 1, maxRate, into);
    describe(m_averageRate,
             tr("Rate at which an aggregator averages one site's update, in parameters per second. Default: instant."));
}

void AggregationPanel::addLate() {
    auto *late = new Disclosure(tr("Late updates"), this);
    rows()->addWidget(late);
    QVBoxLayout *into = late->contentLayout();
    m_latestRounds = addInteger(tr("Maximum lateness"), pointerOf("latest_rounds"), 0, 1'000'000, into);
    m_latestRounds->setUnit(tr("rounds"));
    describe(m_latestRounds,
             tr("Number of rounds after which a late update is dropped instead of joining a later round. Default 1; "
                "0 drops every late update."));
    m_lateWeight = addChoice(tr("Late weight"), pointerOf("late_weight"), late_weight_names(),
                             {tr("Geometric decay"), tr("1 ÷ (1 + rounds)")}, into);
    describe(m_lateWeight,
             tr("Weight of a late update in the average, by the number of rounds it is late. Default: geometric "
                "decay."));
    m_decay = addQuantity(tr("Decay per round"), pointerOf("late_decay"), Quantity::share, 0, 1, into);
    describe(
        m_decay,
        tr("Factor on an update's weight for each round it is late, 0 to 100%. Default 50%. Geometric decay only."));
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
    m_graceFraction->showQuantity(aggregation.grace_share);
    m_graceLimit->showQuantity(aggregation.grace_limit_seconds);
    m_wait->showOptional(aggregation.quorum_wait_seconds);
    m_minQuorum->setValue(aggregation.least_quorum);
    m_quantizeRate->showOptional(aggregation.quantise_parameters_per_second);
    m_averageRate->showOptional(aggregation.average_parameters_per_second);
    m_latestRounds->setValue(aggregation.latest_rounds);
    select(m_lateWeight, late_weight_names()[static_cast<std::size_t>(aggregation.late_weight)]);
    m_decay->showQuantity(aggregation.late_decay);
    m_decay->setEnabled(aggregation.late_weight == LateWeight::geometric);
    summarise(star ? tr("%1 of %2, star").arg(view.plan.outer.quorum).arg(view.plan.cluster.sites)
                   : m_topology->currentText());
}

} // namespace meshwright
