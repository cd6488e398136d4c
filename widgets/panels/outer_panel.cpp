// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/outer_panel.h"

#include "controls/toggle_switch.h"
#include "panels/disclosure.h"
#include "panels/figure_text.h"

#include <QComboBox>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace meshwright {

namespace {

QStringList methodTexts() {
    return {OuterPanel::tr("None"), OuterPanel::tr("Data parallel"), QStringLiteral("DiLoCo"),
            QStringLiteral("Streaming DiLoCo")};
}

QStringList indexTexts() {
    return {OuterPanel::tr("None"), OuterPanel::tr("Bitmap"), OuterPanel::tr("Entropy coded"),
            OuterPanel::tr("Fixed width"), OuterPanel::tr("Raw")};
}

constexpr qint64 most = 100'000'000;

} // namespace

OuterPanel::OuterPanel(QWidget *parent)
    : PlanPanel(parent)
    , m_method(addChoice(tr("Method"), QStringLiteral("/outer/method"), outer_method_names(), methodTexts())) {
    m_innerSteps = addInteger(tr("Inner steps"), QStringLiteral("/outer/inner_steps"), 1, most);
    m_fragments = addInteger(tr("Fragments"), QStringLiteral("/outer/fragments"), 1, 1'000'000);
    m_overlap = addInteger(tr("Overlap"), QStringLiteral("/outer/overlap_steps"), 0, most);
    m_overlap->setUnit(tr("steps"));
    m_quorum = addInteger(tr("Quorum"), QStringLiteral("/outer/quorum"), 1, 1'000'000);
    m_up = addWire(tr("Up"), QStringLiteral("/outer/up"));
    m_down = addWire(tr("Down"), QStringLiteral("/outer/down"));
    m_errorFeedback = addToggle(tr("Error feedback"), QStringLiteral("/outer/error_feedback"));
}

OuterPanel::WireFields OuterPanel::addWire(const QString &title, const QString &pointer) {
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

void OuterPanel::showWire(const WireFields &fields, const Wire &wire) {
    fields.bits->showQuantity(wire.bits);
    fields.density->showQuantity(wire.density);
    select(fields.index, index_encoding_names()[static_cast<std::size_t>(wire.index)]);
    fields.scale->showQuantity(wire.scale_bits);
}

void OuterPanel::showFields(const PlanView &view) {
    const Outer &outer = view.plan.outer;
    select(m_method, outer_method_names()[static_cast<std::size_t>(outer.method)]);
    m_innerSteps->setValue(outer.inner_steps);
    m_fragments->setValue(outer.fragments);
    m_overlap->setValue(outer.overlap_steps);
    m_quorum->setUnit(tr("of %1 sites").arg(view.plan.cluster.sites));
    m_quorum->setValue(outer.quorum);
    showWire(m_up, outer.up);
    showWire(m_down, outer.down);
    m_errorFeedback->setChecked(outer.error_feedback);
    const bool rounds = outer.method == OuterMethod::diloco || outer.method == OuterMethod::streaming_diloco;
    for (QWidget *field : {static_cast<QWidget *>(m_innerSteps), static_cast<QWidget *>(m_fragments),
                           static_cast<QWidget *>(m_overlap), static_cast<QWidget *>(m_errorFeedback)})
        field->setEnabled(rounds);
    summarise(rounds ? tr("%1 steps a round").arg(outer.inner_steps) : m_method->currentText());
}

} // namespace meshwright
