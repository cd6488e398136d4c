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

/// Editable table of the network's tiers, innermost first: name, accelerators per group, bandwidth and latency.
class TierTable : public QWidget {
    Q_OBJECT

public:
    explicit TierTable(QWidget *parent = nullptr);
    void showTiers(const std::vector<Tier> &tiers);

Q_SIGNALS:
    /// Emitted after a field has been changed, or a tier added or removed.
    /// @param tiers  all tiers after the change
    /// @param pointer  the changed field, whose edits join into one undo step, or "/cluster/tiers" for a whole tier
    /// @param what, to  texts for the edit history; `to` is empty if `what` is enough
    void edited(const nlohmann::ordered_json &tiers, const QString &pointer, const QString &what, const QString &to);
    /// Emitted after a row has been added. The panel must register its fields.
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
