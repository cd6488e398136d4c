// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/panel_column.h"

#include "controls/folding_section.h"
#include "panels/batch_panel.h"
#include "panels/cluster_panel.h"
#include "panels/model_panel.h"
#include "panels/outer_panel.h"
#include "panels/parallelism_panel.h"
#include "panels/recompute_panel.h"
#include "panels/run_panel.h"

#include <QScopedValueRollback>
#include <QVBoxLayout>

namespace meshwright {

namespace {

/// In the order in which sections stay open where there is little room: what one works with most comes first.
const QStringList openingOrder{QStringLiteral("parallelism"), QStringLiteral("batch"),     QStringLiteral("model"),
                               QStringLiteral("cluster"),     QStringLiteral("recompute"), QStringLiteral("outer"),
                               QStringLiteral("run")};

} // namespace

PanelColumn::PanelColumn(const Library &library, QWidget *parent)
    : QWidget(parent)
    , m_column(new QVBoxLayout(this)) {
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(0);
    m_cluster = add<ClusterPanel>(QStringLiteral("cluster"), tr("Cluster"), QStringLiteral("chip"), library);
    add<ModelPanel>(QStringLiteral("model"), tr("Model"), QStringLiteral("cube"), library);
    add<ParallelismPanel>(QStringLiteral("parallelism"), tr("Parallelism"), QStringLiteral("layers"));
    add<BatchPanel>(QStringLiteral("batch"), tr("Batch and precision"), QStringLiteral("batch"));
    m_recompute = add<RecomputePanel>(QStringLiteral("recompute"), tr("Recompute"), QStringLiteral("recompute"));
    add<OuterPanel>(QStringLiteral("outer"), tr("Between sites"), QStringLiteral("sites"));
    m_outerSection = m_sections.back();
    add<RunPanel>(QStringLiteral("run"), tr("Run"), QStringLiteral("calendar"));
    m_column->addStretch(1);
}

template <typename Panel, typename... Arguments>
Panel *PanelColumn::add(const QString &name, const QString &title, const QString &icon, Arguments &&...arguments) {
    auto *section = new FoldingSection(title, icon, this);
    section->setObjectName(name);
    auto *panel = new Panel(std::forward<Arguments>(arguments)..., section);
    panel->setObjectName(name + QStringLiteral("Panel"));
    section->contentLayout()->addWidget(panel);
    m_column->addWidget(section);
    m_sections.push_back(section);
    m_panels.push_back(panel);
    connectPanel(section, panel);
    return panel;
}

void PanelColumn::connectPanel(FoldingSection *section, PlanPanel *panel) {
    connect(panel, &PlanPanel::edited, this, &PanelColumn::edited);
    connect(panel, &PlanPanel::dragFinished, this, &PanelColumn::dragFinished);
    connect(panel, &PlanPanel::summaryChanged, section, &FoldingSection::setSummary);
    connect(section, &FoldingSection::foldedChanged, this, [this, section](bool folded) {
        if (m_foldingItself)
            return;
        m_byHand.insert(section->objectName(), folded);
        Q_EMIT foldedByHandChanged();
    });
}

void PanelColumn::showPlan(const PlanView &view) {
    m_outerSection->setVisible(view.plan.cluster.sites > 1);
    for (PlanPanel *panel : m_panels)
        panel->showPlan(view);
}

void PanelColumn::showResult(const PlanView &view) {
    m_cluster->showResult(view);
    m_recompute->showResult(view);
    // Marks belong to the diagnostics, which the result completes.
    for (PlanPanel *panel : m_panels)
        panel->showMarks(view);
}

void PanelColumn::setFoldedByHand(const QVariantMap &folded) {
    const QScopedValueRollback guard(m_foldingItself, true);
    m_byHand = folded;
    for (FoldingSection *section : m_sections)
        section->setFolded(m_byHand.value(section->objectName(), false).toBool());
}

void PanelColumn::foldToHeight(int height) {
    const QScopedValueRollback guard(m_foldingItself, true);
    int left = height;
    for (FoldingSection *section : m_sections)
        left -= section->isHidden() ? 0 : section->header()->sizeHint().height() + 1;
    for (const QString &name : openingOrder) {
        auto *section = findChild<FoldingSection *>(name, Qt::FindDirectChildrenOnly);
        if (section == nullptr || section->isHidden())
            continue;
        const int body = section->contentLayout()->totalSizeHint().height();
        const QVariant chosen = m_byHand.value(name);
        const bool folded = chosen.isValid() ? chosen.toBool() : body > left;
        section->setFolded(folded);
        if (!folded)
            left -= body;
    }
}

} // namespace meshwright
