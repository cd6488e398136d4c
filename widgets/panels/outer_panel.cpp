// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/outer_panel.h"

#include "controls/disclosure.h"
#include "controls/optional_quantity_box.h"
#include "controls/toggle_switch.h"

#include <QComboBox>
#include <QVBoxLayout>

namespace meshwright {

namespace {

QStringList methodTexts() {
    return {OuterPanel::tr("None"), OuterPanel::tr("Data parallel"), QStringLiteral("DiLoCo"),
            OuterPanel::tr("Streaming")};
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
    m_overlap->setToolTip(tr("Steps that a site goes on for before it must have a fragment's average"));
    addFurther();
}

void OuterPanel::addFurther() {
    auto *further = new Disclosure(tr("Fragments, late averages, step"), this);
    rows()->addWidget(further);
    QVBoxLayout *into = further->contentLayout();
    m_pattern = addChoice(tr("Fragments of"), QStringLiteral("/outer/pattern"), fragment_pattern_names(),
                          {tr("Equal parts"), tr("Neighbouring layers"), tr("Every P-th layer")}, into);
    m_late = addChoice(tr("Late average"), QStringLiteral("/outer/late_updates"), late_update_names(),
                       {tr("Waits for it"), tr("Goes on")}, into);
    m_release = addChoice(tr("Sent"), QStringLiteral("/outer/release"), release_names(),
                          {tr("After its step"), tr("During backward")}, into);
    m_bySpeed = addToggle(tr("Steps by speed"), QStringLiteral("/outer/steps_by_speed"), into);
    m_bySpeed->setToolTip(tr("Slower sites take fewer inner steps a round (DyLU, arXiv 2401.09135)"));
    m_step = addOptional(tr("Inner step"), QStringLiteral("/outer/step_seconds"), Quantity::seconds, tr("as evaluated"),
                         1e-9, 1e9, into);
    m_step->setToolTip(tr("In place of the evaluated step"));
}

void OuterPanel::showFields(const PlanView &view) {
    const Outer &outer = view.plan.outer;
    select(m_method, outer_method_names()[static_cast<std::size_t>(outer.method)]);
    m_innerSteps->setValue(outer.inner_steps);
    m_fragments->setValue(outer.fragments);
    m_overlap->setValue(outer.overlap_steps);
    select(m_pattern, fragment_pattern_names()[static_cast<std::size_t>(outer.pattern)]);
    select(m_late, late_update_names()[static_cast<std::size_t>(outer.late_updates)]);
    select(m_release, release_names()[static_cast<std::size_t>(outer.release)]);
    m_bySpeed->setChecked(outer.steps_by_speed);
    m_step->showOptional(outer.step_seconds);
    const bool rounds = outer.method == OuterMethod::diloco || outer.method == OuterMethod::streaming_diloco;
    for (QWidget *field :
         {static_cast<QWidget *>(m_innerSteps), static_cast<QWidget *>(m_fragments), static_cast<QWidget *>(m_overlap)})
        field->setEnabled(rounds);
    summarise(rounds ? tr("%1 steps a round").arg(outer.inner_steps) : m_method->currentText());
}

} // namespace meshwright
