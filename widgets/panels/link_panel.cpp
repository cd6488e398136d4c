// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/link_panel.h"

#include "controls/disclosure.h"
#include "controls/text_field.h"
#include "controls/tip_text.h"
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
    , m_up(addRate(tr("Uplink per site"), "uplink_bits_per_second"))
    , m_down(addRate(tr("Downlink per site"), "downlink_bits_per_second"))
    , m_rest(new QWidget(this)) {
    describe(m_up,
             tr("Upload rate of each site's WAN link in bit/s, such as 100 Mb/s or 10 Gb/s. Required with several "
                "sites."));
    describe(m_down, tr("Download rate of each site's WAN link in bit/s. Every site downloads the averaged update."));
    auto *into = new QVBoxLayout(m_rest);
    into->setContentsMargins(0, 0, 0, 0);
    into->setSpacing(8);
    rows()->addWidget(m_rest);
    m_roundTrip = addQuantity(tr("Round-trip time"), pointerOf("round_trip_seconds"), Quantity::seconds, 0, 1000, into);
    describe(m_roundTrip,
             tr("Network round-trip time between sites: about 10 ms within a country, 100 ms between "
                "continents. It delays every transfer and, with packet loss, limits TCP throughput."));
    m_fullDuplex = addToggle(tr("Full duplex"), pointerOf("full_duplex"), into);
    describe(m_fullDuplex,
             tr("Whether uplink and downlink reach their full rates at the same time. Default: on. Off: they "
                "share the link."));
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
    auto *loss = new Disclosure(tr("Packet loss and streams"), m_rest);
    auto *variation = new Disclosure(tr("Rate variation"), m_rest);
    m_rest->layout()->addWidget(loss);
    m_rest->layout()->addWidget(variation);
    QVBoxLayout *into = loss->contentLayout();
    m_loss = addQuantity(tr("Packet loss"), pointerOf("loss_probability"), Quantity::share, 0, 0.999, into);
    describe(m_loss,
             tr("Packet loss probability, 0 to 99.9%. Default 0: no TCP limit. More loss lowers TCP throughput, "
                "according to the faster of the Reno and CUBIC models."));
    m_streams = addInteger(tr("TCP streams"), pointerOf("streams"), 1, 1'000'000, into);
    describe(m_streams,
             tr("Parallel TCP connections per transfer. Default 1. More connections raise throughput on long links "
                "with packet loss."));
    m_jitter = addQuantity(tr("Jitter"), pointerOf("jitter_seconds"), Quantity::seconds, 0, 1000, into);
    describe(m_jitter,
             tr("Mean of a random delay, exponentially distributed, that is added to the latency of every "
                "transfer. Default 0."));
    into = variation->contentLayout();
    m_variation = addQuantity(tr("Rate std. dev."), pointerOf("rate_variation"), Quantity::share, 0, 10, into);
    describe(m_variation,
             tr("Standard deviation of a link's rate divided by its mean (log-normal). Default 0: constant "
                "rate."));
    m_interval = addQuantity(tr("Rate interval"), pointerOf("rate_interval_seconds"), Quantity::seconds, 0, 1e9, into);
    describe(m_interval, tr("Time between random changes of the rate. Default 0: a new rate for every transfer."));
    m_correlation = addQuantity(tr("Autocorrelation"), pointerOf("rate_correlation"), Quantity::share, 0, 0.999, into);
    describe(m_correlation,
             tr("Autocorrelation of log(rate) between successive intervals, 0 to 99.9%. Default 0: "
                "independent. Raise it to model long slow periods."));
    m_trace = addList(tr("Rate trace"), "rate_trace",
                      tr("Measured link rate over time: pairs of a time and the fraction of the nominal rate from that "
                         "time on. The trace repeats after its last point. Default: none."),
                      tr("for example 0 s: 100%, 1 h: 40%, 2 h: 100%"), traceFrom, into);
    auto *file = new QPushButton(tr("From file …"), this);
    file->setObjectName(QStringLiteral("rateTraceFile"));
    file->setToolTip(tipText(
        tr("Loads a rate trace from a table with the columns seconds and share, or seconds and bits_per_second")));
    into->addWidget(file, 0, Qt::AlignRight);
    connect(file, &QPushButton::clicked, this, &LinkPanel::traceFileWanted);
    const auto groups = [this](const QString &text) {
        return groupsFrom(text, view().plan.cluster.wan.value_or(Wan{}).groups);
    };
    m_groups =
        addList(tr("Other links"), "groups",
                tr("Groups of sites with a different link, separated by commas: number of sites, uplink, downlink and "
                   "round-trip time. Optional: half duplex, loss 1%, streams 4, jitter 20 ms, varies 10%. "
                   "Default: all sites have the same link."),
                tr("8 x 50 Mb/s 50 Mb/s 100 ms"), groups, into);
}

TextField *LinkPanel::addList(const QString &label, const char *key, const QString &tip, const QString &example,
                              const ListReader &reader, QVBoxLayout *into) {
    auto *field = new TextField(this);
    field->setPlaceholderText(tr("none"));
    const QString pointer = pointerOf(key);
    addRow(label, field, pointer, into);
    describe(field, tr("%1 Example: %2").arg(tip, example));
    connect(field, &TextField::committed, this, [this, field, label, pointer, reader, example] {
        if (!takeList(field, label, pointer, reader))
            field->setRejection(tr("Cannot be read. Example: %1").arg(example));
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
    // A new link needs both rates. Until the user has typed both, the link is symmetric.
    Wan wan;
    wan.uplink_bits_per_second = wan.downlink_bits_per_second = bitsPerSecond;
    set(QStringLiteral("/cluster/wan"), tr("Inter-site link"), text, jsonOf(wan));
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
