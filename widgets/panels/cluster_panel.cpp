// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/cluster_panel.h"

#include "canvases/threshold_gauge.h"
#include "catalog/library.h"
#include "controls/disclosure.h"
#include "controls/searchable_combo.h"
#include "controls/segmented.h"
#include "controls/small_marks.h"
#include "controls/text_label.h"
#include "controls/tip_text.h"
#include "figures/figure_event.h"
#include "figures/figure_text.h"
#include "panels/tier_table.h"
#include "views/preset_items.h"
#include "views/view_mapping.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace meshwright {

using nlohmann::ordered_json;

namespace {

constexpr qint64 maxSites = 1'000'000;
constexpr qint64 largestSite = 10'000'000;

} // namespace

ClusterPanel::ClusterPanel(const Library &library, QWidget *parent)
    : PlanPanel(parent)
    , m_library(library) {
    addMachines();
    addNetwork();
    addGauge();
}

void ClusterPanel::addMachines() {
    m_preset = new SearchableCombo(this);
    m_preset->setUnknownText(tr("Custom"));
    m_preset->setItems(presetItems(m_library, PresetKind::cluster));
    addRow(tr("Preset"), m_preset, QStringLiteral("/cluster"));
    m_preset->setObjectName(QStringLiteral("clusterPreset"));
    describe(m_preset,
             tr("A documented cluster: sets accelerator, nodes, network tiers and sites at once. Change the fields "
                "below to describe your own cluster."));
    connect(m_preset, &SearchableCombo::chosen, this, &ClusterPanel::setPreset);

    m_accelerator = new SearchableCombo(this);
    m_accelerator->setUnknownText(tr("Custom"));
    m_accelerator->setItems(presetItems(m_library, PresetKind::accelerator));
    addRow(tr("Accelerator"), m_accelerator, QStringLiteral("/cluster/accelerator"));
    describe(m_accelerator,
             tr("GPU or TPU type: sets peak FLOP/s, memory capacity and bandwidth, power and rental price. "
                "Constants measured on the previous type are removed."));
    connect(m_accelerator, &SearchableCombo::chosen, this, &ClusterPanel::setAccelerator);

    m_nodes = new IntegerBox(this);
    m_nodes->setRange(1, largestSite);
    m_nodes->setObjectName(QStringLiteral("nodes"));
    registerField(m_nodes, tr("Nodes per site"), QStringLiteral("/cluster/tiers"));
    m_nodes->setToolTip(tipText(tr("Nodes (servers) per site; sets the size of the outermost network tier. Nodes × "
                                   "accelerators per node must equal tensor × context × pipeline × data.")));
    connect(m_nodes, &IntegerBox::edited, this, &ClusterPanel::setNodes);
    m_perNode =
        newInteger(tr("Accelerators per node"), QStringLiteral("/cluster/accelerators_per_node"), 1, largestSite);
    m_perNode->setToolTip(
        tipText(tr("Accelerators per node, usually 8. Tensor parallelism is fastest within a node.")));
    addPair(tr("Nodes × node size"), m_nodes, m_perNode);
    m_sites = addInteger(tr("Sites"), QStringLiteral("/cluster/sites"), 1, maxSites);
    describe(m_sites,
             tr("Number of identical data centers, 1 to 1,000,000. Default 1. With more than one, each site "
                "trains a replica and they synchronize over the inter-site link."));
}

void ClusterPanel::addNetwork() {
    auto *network = new Disclosure(tr("Network and software"), this);
    network->button()->setObjectName(QStringLiteral("networkDisclosure"));
    rows()->addWidget(network);
    m_tiers = new TierTable(this);
    network->contentLayout()->addWidget(m_tiers);
    connect(m_tiers, &TierTable::fieldAdded, this, &ClusterPanel::registerField);
    connect(m_tiers, &TierTable::edited, this, &ClusterPanel::setTiers);
    m_health = new Segmented(this);
    m_health->addSegment(tr("Nominal"), tipText(tr("Default. Uses the tiers' nominal bandwidths and latencies")));
    m_health->addSegment(tr("Measured"),
                         tipText(tr("Uses the tiers' measured bus bandwidths, and bandwidths from well-maintained "
                                    "shared networks for tiers without measurements")));
    m_health->addSegment(tr("Degraded"),
                         tipText(tr("Uses bandwidths measured on shared networks with congestion or faulty links")));
    const QString pointer = QStringLiteral("/cluster/health");
    registerField(m_health, tr("Network health"), pointer);
    network->contentLayout()->addWidget(m_health);
    connect(m_health, &Segmented::chosen, this, [this, pointer](int index) {
        set(pointer, tr("Network health"), m_health->textOf(index),
            network_health_names()[static_cast<std::size_t>(index)]);
    });
    m_measured = new TextLabel({}, TypeRole::Caption, ColourRole::Text3, TextWeight::Regular, this);
    m_measured->setObjectName(QStringLiteral("measuredBandwidths"));
    m_measured->setWordWrap(true);
    network->contentLayout()->addWidget(m_measured);
    m_software = new SearchableCombo(this);
    m_software->setUnknownText(tr("Custom"));
    m_software->setItems(presetItems(m_library, PresetKind::stack));
    addRow(tr("Software"), m_software, QStringLiteral("/stack"), network->contentLayout());
    describe(m_software,
             tr("Training software and release: decides which schedules, recomputation and ZeRO stages can "
                "run, which communication overlaps, and several defaults. Default: Megatron-Core on GPUs, "
                "MaxText on TPUs."));
    connect(m_software, &SearchableCombo::chosen, this, &ClusterPanel::setSoftware);
}

void ClusterPanel::setSoftware(const QString &id) {
    set(QStringLiteral("/stack"), tr("Software"), m_software->text(), id.toStdString());
}

void ClusterPanel::usePreset(PresetKind kind, const QString &id) {
    SearchableCombo *box = kind == PresetKind::cluster ? m_preset
        : kind == PresetKind::accelerator              ? m_accelerator
                                                       : m_software;
    box->setCurrentId(id);
    kind == PresetKind::cluster           ? setPreset(id)
        : kind == PresetKind::accelerator ? setAccelerator(id)
                                          : setSoftware(id);
}

void ClusterPanel::addGauge() {
    m_gaugeRow = new QWidget(this);
    auto *line = new QHBoxLayout(m_gaugeRow);
    line->setContentsMargins(0, 4, 0, 0);
    line->setSpacing(8);
    line->addWidget(
        new TextLabel(tr("H100-equivalents"), TypeRole::Body, ColourRole::Text2, TextWeight::Regular, m_gaugeRow));
    line->addStretch(1);
    m_definition = new LinkButton(tr("definition"), m_gaugeRow);
    m_definition->setAccessibleName(tr("Definition of H100-equivalents and their threshold"));
    line->addWidget(m_definition);
    connect(m_definition, &QAbstractButton::clicked, this,
            [this] { wantFigure(this, QStringLiteral("cluster.threshold_h100_equivalents")); });
    rows()->addWidget(m_gaugeRow);
    m_gauge = new ThresholdGauge(this);
    rows()->addWidget(m_gauge);
}

void ClusterPanel::setPreset(const QString &id) {
    ask({.field = QStringLiteral("/cluster"),
         .subject = tr("Cluster"),
         .from = {},
         .to = m_preset->text(),
         .patch = patchReplacing(view(), "cluster", id.toStdString()),
         .pace = EditPace::Settled});
}

void ClusterPanel::setAccelerator(const QString &id) {
    nlohmann::ordered_json cluster = spelledOut(view(), "cluster");
    cluster["accelerator"] = id.toStdString();
    cluster.erase("constants"); // the constants were measured on another accelerator
    ask({.field = QStringLiteral("/cluster/accelerator"),
         .subject = tr("Accelerator"),
         .from = {},
         .to = m_accelerator->text(),
         .patch = patchReplacing(view(), "cluster", cluster),
         .pace = EditPace::Settled});
}

void ClusterPanel::setNodes(qint64 nodes) {
    const Cluster &cluster = view().plan.cluster;
    std::vector<Tier> tiers = cluster.tiers;
    const std::int64_t node = cluster.accelerators_per_node;
    if (tiers.empty() || nodes > largestSite / node)
        return;
    // A site of several nodes needs a tier between nodes, by default with the bandwidth of the accelerator's NIC.
    if (tiers.back().accelerators == node && nodes > 1) {
        const double nic = cluster.accelerator.nic_bandwidth_bytes_per_second;
        tiers.push_back({.name = "network",
                         .accelerators = node,
                         .bandwidth_bytes_per_second = nic > 0 ? nic : tiers.back().bandwidth_bytes_per_second,
                         .latency_seconds = 5e-6});
    }
    tiers.back().accelerators = nodes * node;
    Cluster changed = cluster;
    changed.tiers = tiers;
    setTiers(to_json(changed)["tiers"], QStringLiteral("/cluster/nodes"), tr("Nodes per site"), QString::number(nodes));
}

void ClusterPanel::setTiers(const ordered_json &tiers, const QString &pointer, const QString &what, const QString &to) {
    ask({.field = pointer,
         .subject = what,
         .from = {},
         .to = to,
         .patch = patchSetting(view(), QStringLiteral("/cluster/tiers"), tiers),
         .pace = EditPace::Settled});
}

void ClusterPanel::showMeasured(const Cluster &cluster) {
    QStringList lines;
    for (const Tier &tier : cluster.tiers) {
        if (tier.bus_bandwidth.empty())
            continue;
        const auto [min, max] =
            std::minmax_element(tier.bus_bandwidth.begin(), tier.bus_bandwidth.end(),
                                [](const BusBandwidth &a, const BusBandwidth &b) { return a.ranks < b.ranks; });
        const QString ranks =
            min->ranks == max->ranks ? QString::number(max->ranks) : tr("%1 to %2").arg(min->ranks).arg(max->ranks);
        const std::size_t count = tier.bus_bandwidth.size();
        lines.push_back((count == 1 ? tr("%1: %2 measured bus bandwidth, %3 ranks")
                                    : tr("%1: %2 measured bus bandwidths, %3 ranks"))
                            .arg(QString::fromStdString(tier.name))
                            .arg(count)
                            .arg(ranks));
    }
    if (!lines.isEmpty() && cluster.health != NetworkHealth::measured)
        lines.push_back(tr("not used: network health is not \u201cMeasured\u201d"));
    m_measured->setText(lines.join(QLatin1Char('\n')));
    m_measured->setVisible(!lines.isEmpty());
}

void ClusterPanel::showFields(const PlanView &view) {
    const Cluster &cluster = view.plan.cluster;
    m_preset->setCurrentId(QString::fromStdString(view.plan.cluster_id));
    m_preset->setUnknownText(cluster.name.empty() ? tr("Custom")
                                                  : tr("%1, custom").arg(QString::fromStdString(cluster.name)));
    m_accelerator->setCurrentId(QString::fromStdString(cluster.accelerator_id));
    const std::int64_t node = std::max<std::int64_t>(1, cluster.accelerators_per_node);
    m_nodes->setValue(std::max<std::int64_t>(1, cluster.site_accelerators() / node));
    m_perNode->setValue(cluster.accelerators_per_node);
    m_sites->setValue(cluster.sites);
    m_tiers->showTiers(cluster.tiers);
    m_health->setCurrentIndex(static_cast<int>(cluster.health));
    showMeasured(cluster);
    m_software->setCurrentId(QString::fromStdString(view.plan.stack_id));
    m_software->setUnknownText(view.plan.stack.name.empty()
                                   ? tr("Custom")
                                   : tr("%1, custom").arg(QString::fromStdString(view.plan.stack.name)));
    const double all = static_cast<double>(cluster.accelerators());
    summarise(cluster.sites > 1 ? tr("%1 on %2 sites").arg(countText(all)).arg(cluster.sites)
                  : all == 1    ? tr("1 accelerator")
                                : tr("%1 accelerators").arg(countText(all)));
}

void ClusterPanel::showResult(const PlanView &view) {
    m_gauge->setVisible(view.result != nullptr);
    m_gaugeRow->setVisible(view.result != nullptr);
    if (view.result == nullptr)
        return;
    const ThresholdGaugeView gauge = thresholdGaugeView(*view.result);
    m_gauge->setView(gauge);
    m_gauge->setToolTip(gauge.description);
    m_definition->setToolTip(gauge.description);
    m_gauge->setEnabled(!isStale(view.freshness));
}

} // namespace meshwright
