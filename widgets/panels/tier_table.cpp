// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/tier_table.h"

#include "controls/integer_box.h"
#include "controls/quantity_box.h"
#include "controls/text_field.h"
#include "controls/text_label.h"
#include "controls/tip_text.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

#include <nlohmann/json.hpp>

namespace meshwright {

using nlohmann::ordered_json;

namespace {

constexpr qint64 largestSite = 10'000'000;
constexpr QLatin1String allTiers("/cluster/tiers");

ordered_json jsonOf(const std::vector<Tier> &tiers) {
    ordered_json array = ordered_json::array();
    for (const Tier &tier : tiers)
        array.push_back(to_json(tier));
    return array;
}

TextLabel *heading(const QString &text, QWidget *parent) {
    return new TextLabel(text, TypeRole::Caption, ColourRole::Text3, TextWeight::Regular, parent);
}

} // namespace

TierTable::TierTable(QWidget *parent)
    : QWidget(parent)
    , m_grid(new QGridLayout)
    , m_add(new QPushButton(tr("Add tier"), this))
    , m_remove(new QPushButton(tr("Remove last"), this)) {
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(4);
    m_grid->setVerticalSpacing(4);
    const QStringList headings{tr("Name"), tr("Group"), tr("Bandwidth"), tr("Latency")};
    for (int column = 0; column < headings.size(); ++column)
        m_grid->addWidget(heading(headings.at(column), this), 0, column);
    m_grid->setColumnStretch(0, 3);
    m_grid->setColumnStretch(1, 2);
    m_grid->setColumnStretch(2, 4);
    m_grid->setColumnStretch(3, 3);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addLayout(m_grid);
    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(m_add);
    buttons->addWidget(m_remove);
    buttons->addStretch(1);
    column->addLayout(buttons);
    addButtons();
}

void TierTable::addButtons() {
    m_add->setObjectName(QStringLiteral("addTier"));
    m_remove->setObjectName(QStringLiteral("removeTier"));
    connect(m_add, &QPushButton::clicked, this, [this] {
        std::vector<Tier> tiers = m_tiers;
        Tier outer = tiers.empty()
            ? Tier{.name = {}, .accelerators = 1, .bandwidth_bytes_per_second = 50e9, .latency_seconds = 5e-6}
            : tiers.back();
        outer.name = tr("tier %1").arg(tiers.size() + 1).toStdString();
        tiers.push_back(outer);
        ask(tiers, allTiers, tr("Add a network tier"));
    });
    connect(m_remove, &QPushButton::clicked, this, [this] {
        std::vector<Tier> tiers = m_tiers;
        tiers.pop_back();
        ask(tiers, allTiers, tr("Remove the outermost tier"));
    });
}

void TierTable::showTiers(const std::vector<Tier> &tiers) {
    m_tiers = tiers;
    while (m_rows.size() < tiers.size())
        addRow();
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        showRow(m_rows[i], i < tiers.size());
        if (i >= tiers.size())
            continue;
        m_rows[i].name->showText(QString::fromStdString(tiers[i].name));
        m_rows[i].accelerators->setValue(tiers[i].accelerators);
        m_rows[i].bandwidth->showQuantity(tiers[i].bandwidth_bytes_per_second);
        m_rows[i].latency->showQuantity(tiers[i].latency_seconds);
    }
    m_remove->setEnabled(tiers.size() > 1);
}

void TierTable::addRow() {
    const std::size_t index = m_rows.size();
    const int line = static_cast<int>(index) + 1;
    const Row row{.name = new TextField(this),
                  .accelerators = new IntegerBox(this),
                  .bandwidth = new QuantityBox(Quantity::bytes_per_second, this),
                  .latency = new QuantityBox(Quantity::seconds, this)};
    row.name->setMinimumWidth(40);
    row.accelerators->setRange(1, largestSite);
    row.accelerators->setVisibleDigits(4);
    row.bandwidth->setRange(1, 1e18);
    row.bandwidth->setVisibleDigits(4);
    row.latency->setRange(0, 1000);
    row.latency->setVisibleDigits(3);
    row.name->setToolTip(
        tipText(tr("Name of the tier, such as nvlink or infiniband. Tiers are listed from innermost to outermost.")));
    row.accelerators->setToolTip(
        tipText(tr("Accelerators in one group of this tier, a multiple of the number in the row "
                   "above. The last tier's group is the whole site.")));
    row.bandwidth->setToolTip(
        tipText(tr("Nominal bandwidth of the tier's links per accelerator in each direction, in bytes/s: a "
                   "400 Gb/s NIC is 50 GB/s.")));
    row.latency->setToolTip(
        tipText(tr("Latency of one hop in this tier: about 3 µs for NVLink, 5 µs for InfiniBand.")));
    m_grid->addWidget(row.name, line, 0);
    m_grid->addWidget(row.accelerators, line, 1);
    m_grid->addWidget(row.bandwidth, line, 2);
    m_grid->addWidget(row.latency, line, 3);
    m_rows.push_back(row);
    const QString pointer = QStringLiteral("/cluster/tiers/%1").arg(index);
    const QString title = tr("Tier %1").arg(index + 1);
    Q_EMIT fieldAdded(row.name, tr("%1 name").arg(title), pointer + QStringLiteral("/name"));
    Q_EMIT fieldAdded(row.accelerators, tr("%1 accelerators").arg(title), pointer + QStringLiteral("/accelerators"));
    Q_EMIT fieldAdded(row.bandwidth, tr("%1 bandwidth").arg(title),
                      pointer + QStringLiteral("/bandwidth_bytes_per_second"));
    Q_EMIT fieldAdded(row.latency, tr("%1 latency").arg(title), pointer + QStringLiteral("/latency_seconds"));
    connect(row.name, &TextField::committed, this, [this, index, pointer, title](const QString &name) {
        std::vector<Tier> tiers = m_tiers;
        tiers.at(index).name = name.toStdString();
        ask(tiers, pointer + QStringLiteral("/name"), tr("%1 name").arg(title), name);
    });
    connect(row.accelerators, &IntegerBox::edited, this, [this, index, pointer, title](qint64 value) {
        std::vector<Tier> tiers = m_tiers;
        tiers.at(index).accelerators = value;
        ask(tiers, pointer + QStringLiteral("/accelerators"), tr("%1 accelerators").arg(title), QString::number(value));
    });
    connect(row.bandwidth, &UnitSpinBox::edited, this, [this, index, pointer, title](double value) {
        std::vector<Tier> tiers = m_tiers;
        tiers.at(index).bandwidth_bytes_per_second = value;
        ask(tiers, pointer + QStringLiteral("/bandwidth_bytes_per_second"), tr("%1 bandwidth").arg(title),
            QString::fromStdString(exact_text(value, Quantity::bytes_per_second)));
    });
    connect(row.latency, &UnitSpinBox::edited, this, [this, index, pointer, title](double value) {
        std::vector<Tier> tiers = m_tiers;
        tiers.at(index).latency_seconds = value;
        ask(tiers, pointer + QStringLiteral("/latency_seconds"), tr("%1 latency").arg(title),
            QString::fromStdString(exact_text(value, Quantity::seconds)));
    });
}

void TierTable::showRow(const Row &row, bool visible) {
    row.name->setVisible(visible);
    row.accelerators->setVisible(visible);
    row.bandwidth->setVisible(visible);
    row.latency->setVisible(visible);
}

void TierTable::ask(const std::vector<Tier> &tiers, const QString &pointer, const QString &what, const QString &to) {
    Q_EMIT edited(jsonOf(tiers), pointer, what, to);
}

} // namespace meshwright
