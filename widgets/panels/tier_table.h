// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/cluster.h"

#include <QWidget>

#include <nlohmann/json_fwd.hpp>

#include <vector>

class QGridLayout;
class QPushButton;

namespace meshwright {

class IntegerBox;
class QuantityBox;
class TextField;

/// The network's tiers, innermost first, each field editable: name, accelerators it joins, bandwidth and latency.
class TierTable : public QWidget {
    Q_OBJECT

public:
    explicit TierTable(QWidget *parent = nullptr);
    void showTiers(const std::vector<Tier> &tiers);

Q_SIGNALS:
    /// All tiers with one thing changed.
    /// @param pointer  of the field that was changed, for steps of one field to join; of all tiers when one comes or
    /// goes
    /// @param what, to  for the history; `to` is empty where `what` says it all
    void edited(const nlohmann::ordered_json &tiers, const QString &pointer, const QString &what, const QString &to);
    /// Fields appear and go with the tiers.
    void fieldAdded(QWidget *control, const QString &label, const QString &pointer);

private:
    struct Row {
        TextField *name;
        IntegerBox *accelerators;
        QuantityBox *bandwidth;
        QuantityBox *latency;
    };
    void addRow();
    void addButtons();
    void ask(const std::vector<Tier> &tiers, const QString &pointer, const QString &what, const QString &to = {});
    void showRow(const Row &row, bool visible);

    std::vector<Tier> m_tiers;
    std::vector<Row> m_rows;
    QGridLayout *m_grid;
    QPushButton *m_add;
    QPushButton *m_remove;
};

} // namespace meshwright
