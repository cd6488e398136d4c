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
    describe(m_errorFeedback,
             tr("Saves the values that compression drops and adds them to the next update. Needs 4 bytes of memory per "
                "parameter. Default: on if the density of updates is below 100%."));
}

CompressionPanel::WireFields CompressionPanel::addWire(const QString &title, const QString &pointer) {
    WireFields fields;
    fields.bits =
        addQuantity(tr("%1: bits/value").arg(title), pointer + QStringLiteral("/bits"), Quantity::number, 0.01, 64);
    fields.density =
        addQuantity(tr("%1: density").arg(title), pointer + QStringLiteral("/density"), Quantity::share, 1e-9, 1);
    fields.index =
        addChoice(tr("%1: index").arg(title), pointer + QStringLiteral("/index"), index_encoding_names(), indexTexts());
    describe(fields.bits,
             tr("Bits per sent value, 0.01 to 64. Default 32, or 4 with Streaming DiLoCo. Lower it when the "
                "inter-site link limits the run."));
    describe(fields.density,
             tr("Fraction of the values that are sent (top-k sparsity). Default 100%. Below that, use "
                "error feedback."));
    describe(fields.index,
             tr("Encoding of the positions of sent values: a bitmap of 1 bit per parameter, the "
                "entropy bound, 12 bits (fixed width) or 32 bits (raw) per value sent. Default: bitmap below "
                "a density of 100%, else none."));
    auto *further = new Disclosure(tr("%1: block scales").arg(title), this);
    rows()->addWidget(further);
    fields.scale = addQuantity(tr("Scale bits"), pointer + QStringLiteral("/scale_bits"), Quantity::number, 0, 32,
                               further->contentLayout());
    describe(fields.scale,
             tr("Overhead of the scales of quantized blocks, in bits per transmitted value, 0 to 32: a 16-bit scale "
                "per block "
                "of 32 values is 0.5. Default 0."));
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
    summarise(tr("%1 bits up, %2 down").arg(bits(outer.up), bits(outer.down)));
}

} // namespace meshwright
