// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/compression_panel.h"

#include "controls/disclosure.h"
#include "controls/toggle_switch.h"
#include "figures/figure_text.h"
#include "outer/wire.h"

#include <QComboBox>
#include <QVBoxLayout>

namespace meshwright {

namespace {

QStringList indexTexts() {
    return {CompressionPanel::tr("None"), CompressionPanel::tr("Bitmap"), CompressionPanel::tr("Entropy coded"),
            CompressionPanel::tr("Fixed width"), CompressionPanel::tr("Raw")};
}

} // namespace

CompressionPanel::CompressionPanel(QWidget *parent)
    : PlanPanel(parent)
    , m_up(addWire(tr("Up"), QStringLiteral("/outer/up")))
    , m_down(addWire(tr("Down"), QStringLiteral("/outer/down")))
    , m_errorFeedback(addToggle(tr("Error feedback"), QStringLiteral("/outer/error_feedback"))) {
    m_errorFeedback->setToolTip(tr("What an update leaves out is added to the next one: 4 bytes a parameter"));
}

CompressionPanel::WireFields CompressionPanel::addWire(const QString &title, const QString &pointer) {
    WireFields fields;
    fields.bits =
        addQuantity(tr("%1: bits a value").arg(title), pointer + QStringLiteral("/bits"), Quantity::number, 0.01, 64);
    fields.density =
        addQuantity(tr("%1: share sent").arg(title), pointer + QStringLiteral("/density"), Quantity::share, 1e-9, 1);
    fields.index =
        addChoice(tr("%1: index").arg(title), pointer + QStringLiteral("/index"), index_encoding_names(), indexTexts());
    auto *further = new Disclosure(tr("%1: block scales").arg(title), this);
    rows()->addWidget(further);
    fields.scale = addQuantity(tr("Scale bits"), pointer + QStringLiteral("/scale_bits"), Quantity::number, 0, 32,
                               further->contentLayout());
    return fields;
}

void CompressionPanel::showWire(const WireFields &fields, const Wire &wire) {
    fields.bits->showQuantity(wire.bits);
    fields.density->showQuantity(wire.density);
    select(fields.index, index_encoding_names()[static_cast<std::size_t>(wire.index)]);
    fields.scale->showQuantity(wire.scale_bits);
}

void CompressionPanel::showFields(const PlanView &view) {
    const Outer &outer = view.plan.outer;
    showWire(m_up, outer.up);
    showWire(m_down, outer.down);
    m_errorFeedback->setChecked(outer.error_feedback);
    m_errorFeedback->setEnabled(outer.method == OuterMethod::diloco || outer.method == OuterMethod::streaming_diloco);
    const auto bits = [](const Wire &wire) { return figureText(bits_per_parameter(wire), Quantity::number); };
    summarise(tr("%1 and %2 bits").arg(bits(outer.up), bits(outer.down)));
}

} // namespace meshwright
