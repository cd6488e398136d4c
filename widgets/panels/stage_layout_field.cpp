// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/stage_layout_field.h"

#include "controls/text_field.h"
#include "controls/tip_text.h"
#include "plan/plan_json.h"
#include "step/plan_layout.h"

#include <QHBoxLayout>
#include <QPushButton>

namespace meshwright {

namespace {

/// The pipeline layout that minimizes the slowest stage's time; empty if the plan has errors that are not due to its
/// current layout.
std::string bestLayout(Plan plan) {
    plan.parallelism.layout.clear();
    plan.parallelism.layout_text.clear();
    return check_plan(plan).empty() ? best_layout(plan).text : std::string();
}

} // namespace

StageLayoutField::StageLayoutField(QWidget *parent)
    : QWidget(parent)
    , m_text(new TextField(this))
    , m_best(new QPushButton(tr("Balance"), this))
    , m_solver(
          this, [](const Plan &plan, const std::stop_token &) { return bestLayout(plan); },
          [this](const std::string &layout) {
              if (!layout.empty())
                  Q_EMIT chosen(QString::fromStdString(layout));
          }) {
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    row->addWidget(m_text, 1);
    row->addWidget(m_best);
    m_text->setObjectName(QStringLiteral("layoutText"));
    m_best->setObjectName(QStringLiteral("balanceLayout"));
    m_best->setAccessibleName(tr("Balance layers per stage"));
    m_text->setAccessibleName(tr("Layers per stage"));
    m_text->setToolTip(
        tipText(tr("Layers per virtual stage as Megatron's pipeline layout string: E embedding, t layer, m MTP "
                   "module, L loss, | between stages, *N repeats the preceding item. Empty (default): equal layers per "
                   "stage. Change it when the "
                   "first or last stage is the slowest.")));
    setFocusProxy(m_text);
    connect(m_text, &TextField::committed, this, [this](const QString &text) { Q_EMIT chosen(text.trimmed()); });
    connect(m_best, &QPushButton::clicked, this, &StageLayoutField::findBest);
}

void StageLayoutField::showPlan(const Plan &plan, bool valid) {
    m_plan = plan;
    const Parallelism &parallelism = plan.parallelism;
    QString shown = QString::fromStdString(parallelism.layout_text);
    if (shown.isEmpty() && !parallelism.layout.empty())
        shown = QString::fromStdString(layout_text(plan, parallelism.layout));
    m_text->showText(shown);
    m_text->setPlaceholderText(valid ? QString::fromStdString(layout_text(plan, stage_layers(plan))) : QString());
    const bool isSearched = is_layout_searched(plan);
    m_best->setEnabled(parallelism.pipeline > 1 && isSearched);
    m_best->setToolTip(tipText(
        isSearched ? tr(
            "Sets the pipeline layout that minimizes the time of the slowest stage while every rank fits in memory")
                   : tr("Too many layers and stages to compare all pipeline layouts")));
}

void StageLayoutField::findBest() {
    m_solver.ask(m_plan);
}

} // namespace meshwright
