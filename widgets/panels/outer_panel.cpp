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
            QStringLiteral("Streaming DiLoCo")};
}

constexpr qint64 maxSteps = 100'000'000;

} // namespace

OuterPanel::OuterPanel(QWidget *parent)
    : PlanPanel(parent)
    , m_method(addChoice(tr("Method"), QStringLiteral("/outer/method"), outer_method_names(), methodTexts())) {
    describe(m_method,
             tr("How sites synchronize: data parallelism all-reduces gradients every step; DiLoCo averages "
                "pseudo-gradients every H inner steps; Streaming DiLoCo does so fragment by fragment. Default with "
                "several sites: data parallelism."));
    m_innerSteps = addInteger(tr("Inner steps (H)"), QStringLiteral("/outer/inner_steps"), 1, maxSteps);
    describe(m_innerSteps,
             tr("Inner optimizer steps of each site per round (H). Default 100 with DiLoCo. More steps cut inter-site "
                "traffic in proportion, but let replicas drift apart."));
    m_fragments = addInteger(tr("Fragments (P)"), QStringLiteral("/outer/fragments"), 1, 1'000'000);
    describe(m_fragments,
             tr("Number of fragments (P) of the model; each is sent at its own step of the round. "
                "Default: one per three layers with Streaming DiLoCo, else 1. More fragments lower the peak "
                "bandwidth."));
    m_overlap = addInteger(tr("Overlap (τ)"), QStringLiteral("/outer/overlap_steps"), 0, maxSteps);
    m_overlap->setUnit(tr("steps"));
    describe(m_overlap,
             tr("Inner steps (τ) that a site may run before a fragment's average must arrive. Default 1 with "
                "Streaming DiLoCo, else 0. Raise it until transfers no longer stall training."));
    addFurther();
}

void OuterPanel::addFurther() {
    auto *further = new Disclosure(tr("Fragments, late averages, step time"), this);
    rows()->addWidget(further);
    QVBoxLayout *into = further->contentLayout();
    m_pattern = addChoice(tr("Fragment pattern"), QStringLiteral("/outer/pattern"), fragment_pattern_names(),
                          {tr("Equal parts"), tr("Consecutive layers"), tr("Every P-th layer")}, into);
    describe(m_pattern,
             tr("How weights are assigned to fragments: equal parts (default), or whole layers, either "
                "consecutive or every P-th one (Streaming DiLoCo, arXiv 2501.18512, section 2.2)."));
    m_late = addChoice(tr("Late average"), QStringLiteral("/outer/late_updates"), late_update_names(),
                       {tr("Site waits"), tr("Site continues")}, into);
    describe(
        m_late,
        tr("What a site does when an average arrives later than the overlap allows: wait for it (default), or continue "
           "training and apply it on arrival."));
    m_release = addChoice(tr("Send fragment"), QStringLiteral("/outer/release"), release_names(),
                          {tr("After its step"), tr("During backward")}, into);
    describe(m_release,
             tr("When a fragment is sent: after its inner step (default), or bucket by bucket during that "
                "step's backward pass, which gives the transfer up to one backward pass of extra time."));
    m_bySpeed = addToggle(tr("Scale steps by speed"), QStringLiteral("/outer/steps_by_speed"), into);
    describe(m_bySpeed,
             tr("Slower sites run fewer inner steps per round (DyLU, arXiv 2401.09135), so that fast ones need "
                "not wait. Default: off. Matters only if site speeds vary."));
    m_step = addOptional(tr("Inner step time"), QStringLiteral("/outer/step_seconds"), Quantity::seconds,
                         tr("predicted"), 1e-9, 1e9, into);
    describe(m_step,
             tr("Replaces the predicted time of one inner step. Default: predicted. Set it to a measured step "
                "time."));
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
    summarise(rounds ? tr("H = %1 steps").arg(outer.inner_steps) : m_method->currentText());
}

} // namespace meshwright
