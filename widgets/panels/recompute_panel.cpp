// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/recompute_panel.h"

#include "figures/figure_text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QVBoxLayout>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace meshwright {

namespace {

QStringList modeTexts() {
    return {RecomputePanel::tr("None"), RecomputePanel::tr("Selective: attention"),
            RecomputePanel::tr("Full: every layer"), RecomputePanel::tr("First layers per stage"),
            RecomputePanel::tr("Selected modules")};
}

/// States what "selective" means in the plan's software.
QString selectiveText(const Stack &stack) {
    if (!stack.selective_by_operation)
        return RecomputePanel::tr("Selective: attention");
    return stack.selective_keeps_qkv ? RecomputePanel::tr("Selective: save QKV")
                                     : RecomputePanel::tr("Selective: per op");
}

} // namespace

RecomputePanel::RecomputePanel(QWidget *parent)
    : PlanPanel(parent) {
    m_mode = addChoice(tr("Recompute"), QStringLiteral("/recompute/mode"), recompute_mode_names(), modeTexts());
    describe(m_mode,
             tr("Activations that are recomputed in the backward pass instead of saved in the forward pass. Default: "
                "None. Try selective first when activations do not fit; full saves the most memory and costs about a "
                "third more compute."));
    m_layers = new IntegerBox(this);
    m_layers->setRange(0, 10'000);
    m_layers->setUnit(tr("per stage"));
    const QString pointer = QStringLiteral("/recompute/layers");
    m_layersRow = addRow(tr("Layers"), m_layers, pointer);
    describe(m_layers,
             tr("Number of layers, from the first of each virtual stage, that are recomputed in full. Default 0. Raise "
                "it until the "
                "plan fits."));
    connect(m_layers, &IntegerBox::edited, this, [this, pointer](qint64 value) {
        set(pointer, tr("Recomputed layers"), QString::number(value), static_cast<std::int64_t>(value));
    });
    addModules();
}

void RecomputePanel::addModules() {
    m_modulesBox = new QWidget(this);
    auto *grid = new QGridLayout(m_modulesBox);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(4);
    int index = 0;
    for (const std::string &name : recompute_module_names()) {
        QString text = QString::fromStdString(name);
        text.replace(QLatin1Char('_'), QLatin1Char(' '));
        auto *box = new QCheckBox(text, m_modulesBox);
        box->setObjectName(QStringLiteral("recompute/") + QString::fromStdString(name));
        grid->addWidget(box, index / 2, index % 2);
        connect(box, &QCheckBox::clicked, this, &RecomputePanel::setModules);
        m_modules.emplace_back(name, box);
        ++index;
    }
    rows()->addWidget(m_modulesBox);
}

void RecomputePanel::setModules() {
    nlohmann::ordered_json chosen = nlohmann::ordered_json::array();
    QStringList texts;
    for (const auto &[name, box] : m_modules) {
        if (!box->isChecked())
            continue;
        chosen.push_back(name);
        texts.append(box->text());
    }
    set(QStringLiteral("/recompute/modules"), tr("Recomputed modules"),
        texts.isEmpty() ? tr("none") : texts.join(QStringLiteral(", ")), chosen);
}

void RecomputePanel::showFields(const PlanView &view) {
    const Recompute &recompute = view.plan.recompute;
    m_mode->setItemText(static_cast<int>(RecomputeMode::selective), selectiveText(view.plan.stack));
    select(m_mode, recompute_mode_names()[static_cast<std::size_t>(recompute.mode)]);
    m_layersRow->setVisible(recompute.mode == RecomputeMode::layers);
    m_layers->setValue(recompute.layers);
    m_modulesBox->setVisible(recompute.mode == RecomputeMode::modules);
    for (const auto &[name, box] : m_modules)
        box->setChecked(std::find(recompute.modules.begin(), recompute.modules.end(), name) != recompute.modules.end());
}

void RecomputePanel::showResult(const PlanView &view) {
    const double seconds = view.result ? view.result->step.term(StepTerm::recompute) : 0;
    const QString cost = seconds > 0 ? tr("+%1 per step").arg(figureText(seconds, Quantity::seconds)) : tr("none");
    summarise(cost, Tone::Neutral, seconds > 0 ? QStringLiteral("step.recompute_seconds") : QString());
}

} // namespace meshwright
