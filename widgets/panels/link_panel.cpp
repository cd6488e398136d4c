// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/link_panel.h"

#include "controls/disclosure.h"
#include "controls/text_field.h"
#include "controls/toggle_switch.h"
#include "figures/figure_text.h"
#include "panels/link_lists.h"

#include <QPushButton>
#include <QVBoxLayout>

#include <nlohmann/json.hpp>

namespace meshwright {

namespace {

nlohmann::ordered_json jsonOf(const Wan &wan) {
    return {{"uplink_bits_per_second", wan.uplink_bits_per_second},
            {"downlink_bits_per_second", wan.downlink_bits_per_second},
            {"full_duplex", wan.full_duplex},
            {"round_trip_seconds", wan.round_trip_seconds},
            {"loss_probability", wan.loss_probability},
            {"streams", wan.streams}};
}

QString pointerOf(const char *key) {
    return QStringLiteral("/cluster/wan/") + QLatin1String(key);
}

} // namespace

LinkPanel::LinkPanel(QWidget *parent)
    : PlanPanel(parent)
    , m_up(addRate(tr("Uplink of a site"), "uplink_bits_per_second"))
    , m_down(addRate(tr("Downlink of a site"), "downlink_bits_per_second"))
    , m_rest(new QWidget(this)) {
    auto *into = new QVBoxLayout(m_rest);
    into->setContentsMargins(0, 0, 0, 0);
    into->setSpacing(8);
    rows()->addWidget(m_rest);
    m_roundTrip = addQuantity(tr("Round trip"), pointerOf("round_trip_seconds"), Quantity::seconds, 0, 1000, into);
    m_fullDuplex = addToggle(tr("Both ways at once"), pointerOf("full_duplex"), into);
    addVariation();
}

QuantityBox *LinkPanel::addRate(const QString &label, const char *key) {
    auto *box = new QuantityBox(Quantity::bits_per_second, this);
    box->setRange(1, 1e18);
    const QString pointer = pointerOf(key);
    addRow(label, box, pointer);
    connect(box, &UnitSpinBox::edited, this, [this, pointer, label](double value) { setRate(pointer, label, value); });
    return box;
}

void LinkPanel::addVariation() {
    auto *loss = new Disclosure(tr("Loss and streams"), m_rest);
    auto *variation = new Disclosure(tr("Rate over time"), m_rest);
    m_rest->layout()->addWidget(loss);
    m_rest->layout()->addWidget(variation);
    QVBoxLayout *into = loss->contentLayout();
    m_loss = addQuantity(tr("Packet loss"), pointerOf("loss_probability"), Quantity::share, 0, 0.999, into);
    m_loss->setToolTip(tr("TCP's rate falls with it, by the better of Reno and CUBIC"));
    m_streams = addInteger(tr("TCP streams"), pointerOf("streams"), 1, 1'000'000, into);
    m_jitter = addQuantity(tr("Jitter"), pointerOf("jitter_seconds"), Quantity::seconds, 0, 1000, into);
    m_jitter->setToolTip(tr("Mean of the random delay that every transfer meets beside the latency"));
    into = variation->contentLayout();
    m_variation = addQuantity(tr("Varies by"), pointerOf("rate_variation"), Quantity::share, 0, 10, into);
    m_variation->setToolTip(tr("Standard deviation of a link's rate over its mean; 0 for a constant rate"));
    m_interval = addQuantity(tr("A rate holds"), pointerOf("rate_interval_seconds"), Quantity::seconds, 0, 1e9, into);
    m_interval->setToolTip(tr("How long a rate that is drawn holds; 0 for one transfer"));
    m_correlation = addQuantity(tr("Correlation"), pointerOf("rate_correlation"), Quantity::share, 0, 0.999, into);
    m_correlation->setToolTip(tr("Of the logarithm of the rate in one interval with the next"));
    m_trace = addList(tr("Trace"), "rate_trace", tr("0 s 100 %, 1 h 40 %, 2 h 100 %"), traceFrom, into);
    auto *file = new QPushButton(tr("From a file …"), this);
    file->setObjectName(QStringLiteral("rateTraceFile"));
    file->setToolTip(tr("A table with the columns seconds and share, or seconds and bits_per_second"));
    into->addWidget(file, 0, Qt::AlignRight);
    connect(file, &QPushButton::clicked, this, &LinkPanel::traceFileWanted);
    const auto groups = [this](const QString &text) {
        return groupsFrom(text, view().plan.cluster.wan.value_or(Wan{}).groups);
    };
    m_groups = addList(tr("Other links"), "groups",
                       tr("8 x 50 Mb/s 50 Mb/s 100 ms; then, where they differ too: half duplex, loss 1 %, streams 4, "
                          "jitter 20 ms, varies 10 %"),
                       groups, into);
}

TextField *LinkPanel::addList(const QString &label, const char *key, const QString &example, const ListReader &reader,
                              QVBoxLayout *into) {
    auto *field = new TextField(this);
    field->setPlaceholderText(tr("none"));
    field->setToolTip(tr("As in: %1").arg(example));
    const QString pointer = pointerOf(key);
    addRow(label, field, pointer, into);
    connect(field, &TextField::committed, this, [this, field, label, pointer, reader, example] {
        if (!takeList(field, label, pointer, reader))
            field->setRejection(tr("Not understood; example: %1").arg(example));
    });
    return field;
}

bool LinkPanel::takeList(const TextField *field, const QString &label, const QString &pointer,
                         const ListReader &reader) {
    const std::optional<nlohmann::ordered_json> list = reader(field->text());
    if (!list)
        return false;
    if (!list->empty()) {
        set(pointer, label, field->text(), *list);
        return true;
    }
    ask({.field = pointer,
         .subject = label,
         .from = {},
         .to = tr("none"),
         .patch = patchRemoving(view(), pointer),
         .pace = EditPace::Settled});
    return true;
}

void LinkPanel::setRate(const QString &pointer, const QString &label, double bitsPerSecond) {
    const QString text = QString::fromStdString(exact_text(bitsPerSecond, Quantity::bits_per_second));
    if (view().plan.cluster.wan) {
        set(pointer, label, text, bitsPerSecond);
        return;
    }
    // The first rate of a link that was not there: a link needs both, and the same both ways is the plain reading.
    Wan wan;
    wan.uplink_bits_per_second = wan.downlink_bits_per_second = bitsPerSecond;
    set(QStringLiteral("/cluster/wan"), tr("Link between sites"), text, jsonOf(wan));
}

void LinkPanel::showFields(const PlanView &view) {
    const Wan wan = view.plan.cluster.wan.value_or(Wan{});
    m_rest->setVisible(view.plan.cluster.wan.has_value());
    m_up->showQuantity(wan.uplink_bits_per_second);
    m_down->showQuantity(wan.downlink_bits_per_second);
    m_roundTrip->showQuantity(wan.round_trip_seconds);
    m_fullDuplex->setChecked(wan.full_duplex);
    m_loss->showQuantity(wan.loss_probability);
    m_streams->setValue(wan.streams);
    m_jitter->showQuantity(wan.jitter_seconds);
    m_variation->showQuantity(wan.rate_variation);
    m_interval->showQuantity(wan.rate_interval_seconds);
    m_correlation->showQuantity(wan.rate_correlation);
    m_trace->showText(traceText(wan.rate_trace));
    m_groups->showText(groupsText(wan));
    const auto rate = [](double value) { return figureText(value, Quantity::bits_per_second); };
    if (!view.plan.cluster.wan)
        summarise(tr("none"), Tone::Warn);
    else if (wan.uplink_bits_per_second == wan.downlink_bits_per_second)
        summarise(rate(wan.uplink_bits_per_second));
    else
        summarise(tr("%1 up, %2 down").arg(rate(wan.uplink_bits_per_second), rate(wan.downlink_bits_per_second)));
}

} // namespace meshwright
