// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/library.h"
#include "panels/plan_panel.h"

namespace meshwright {

class LinkButton;
class SearchableCombo;
class Segmented;
class ThresholdGauge;
class TextLabel;
class TierTable;

/// Fields of the cluster: accelerator, nodes and sites, network tiers and training software. A gauge compares its
/// H100-equivalents with the compute-cluster threshold.
class ClusterPanel : public PlanPanel {
    Q_OBJECT

public:
    explicit ClusterPanel(const Library &library, QWidget *parent = nullptr);

    /// Sets a cluster, accelerator or software preset, as if the user had chosen it in the panel.
    void usePreset(PresetKind kind, const QString &id);
    /// Updates the gauge, which depends on the result.
    void showResult(const PlanView &view);

protected:
    void showFields(const PlanView &view) override;

private:
    void addMachines();
    void addNetwork();
    void addGauge();
    void showMeasured(const Cluster &cluster);
    void setPreset(const QString &id);
    void setAccelerator(const QString &id);
    void setSoftware(const QString &id);
    void setNodes(qint64 nodes);
    void setTiers(const nlohmann::ordered_json &tiers, const QString &pointer, const QString &what, const QString &to);

    const Library &m_library;
    SearchableCombo *m_preset = nullptr;
    SearchableCombo *m_accelerator = nullptr;
    IntegerBox *m_nodes = nullptr;
    IntegerBox *m_perNode = nullptr;
    IntegerBox *m_sites = nullptr;
    TierTable *m_tiers = nullptr;
    Segmented *m_health = nullptr;
    TextLabel *m_measured = nullptr;
    SearchableCombo *m_software = nullptr;
    QWidget *m_gaugeRow = nullptr;
    LinkButton *m_definition = nullptr;
    ThresholdGauge *m_gauge = nullptr;
};

} // namespace meshwright
