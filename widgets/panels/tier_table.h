// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/cluster.h"

#include <QWidget>

#include <nlohmann/json_fwd.hpp>

#include <vector>

class QGridLayout;
class QLineEdit;
class QPushButton;

namespace meshwright {

class IntegerBox;
class QuantityBox;

/// The network's tiers, innermost first, each field editable: name, accelerators it joins, bandwidth and latency.
class TierTable : public QWidget {
    Q_OBJECT

public:
    explicit TierTable(QWidget *parent = nullptr);
    void showTiers(const std::vector<Tier> &tiers);

Q_SIGNALS:
    /// All tiers with one thing changed; `what` says it for the history.
    void edited(const nlohmann::ordered_json &tiers, const QString &what);
    /// Fields appear and go with the tiers.
    void fieldAdded(QWidget *control, const QString &label, const QString &pointer);

private:
    struct Row {
        QLineEdit *name;
        IntegerBox *accelerators;
        QuantityBox *bandwidth;
        QuantityBox *latency;
    };
    void addRow();
    void addButtons();
    void ask(const std::vector<Tier> &tiers, const QString &what);
    void showRow(const Row &row, bool visible);

    std::vector<Tier> m_tiers;
    std::vector<Row> m_rows;
    QGridLayout *m_grid;
    QPushButton *m_add;
    QPushButton *m_remove;
};

} // namespace meshwright
