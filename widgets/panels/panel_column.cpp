// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/panel_column.h"

#include "controls/disclosure.h"
#include "controls/folding_section.h"
#include "panels/aggregation_panel.h"
#include "panels/batch_panel.h"
#include "panels/cluster_panel.h"
#include "panels/compression_panel.h"
#include "panels/link_panel.h"
#include "panels/model_panel.h"
#include "panels/outer_panel.h"
#include "panels/parallelism_panel.h"
#include "panels/recompute_panel.h"
#include "panels/run_curves_view.h"
#include "panels/run_panel.h"
#include "panels/site_faults_panel.h"

#include <QCoreApplication>
#include <QEvent>
#include <QScrollArea>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace meshwright {

namespace {

/// Turns a JSON pointer into a path: "/cluster/tiers/0/name" becomes "cluster.tiers[0].name".
QString placeInFile(const QString &pointer) {
    QString place;
    for (QString token : pointer.mid(1).split(QLatin1Char('/'))) {
        token.replace(QStringLiteral("~1"), QStringLiteral("/")).replace(QStringLiteral("~0"), QStringLiteral("~"));
        bool isIndex = false;
        token.toUInt(&isIndex);
        place +=
            isIndex ? QStringLiteral("[%1]").arg(token) : (place.isEmpty() ? QString() : QStringLiteral(".")) + token;
    }
    return place;
}

const QStringList &betweenSites() {
    static const QStringList names{QStringLiteral("outer"), QStringLiteral("link"), QStringLiteral("compression"),
                                   QStringLiteral("aggregation"), QStringLiteral("siteFaults")};
    return names;
}

} // namespace

PanelColumn::PanelColumn(const Library &library, QWidget *parent)
    : FoldingColumn({QStringLiteral("parallelism"), QStringLiteral("cluster"), QStringLiteral("model"),
                     QStringLiteral("batch"), QStringLiteral("recompute"), QStringLiteral("run"),
                     QStringLiteral("outer"), QStringLiteral("link"), QStringLiteral("compression"),
                     QStringLiteral("aggregation"), QStringLiteral("siteFaults")},
                    parent) {
    m_cluster = add<ClusterPanel>(QStringLiteral("cluster"), tr("Cluster"), QStringLiteral("chip"), library);
    m_model = add<ModelPanel>(QStringLiteral("model"), tr("Model"), QStringLiteral("cube"), library);
    m_parallelism = add<ParallelismPanel>(QStringLiteral("parallelism"), tr("Parallelism"), QStringLiteral("layers"));
    m_batch = add<BatchPanel>(QStringLiteral("batch"), tr("Batch, precision"), QStringLiteral("batch"));
    m_recompute = add<RecomputePanel>(QStringLiteral("recompute"), tr("Recompute"), QStringLiteral("recompute"));
    add<OuterPanel>(QStringLiteral("outer"), tr("Outer optimizer"), QStringLiteral("sites"));
    auto *const link = add<LinkPanel>(QStringLiteral("link"), tr("Inter-site link"), QStringLiteral("link"));
    connect(link, &LinkPanel::traceFileWanted, this, &PanelColumn::rateTraceWanted);
    add<CompressionPanel>(QStringLiteral("compression"), tr("Compression"), QStringLiteral("zip"));
    add<AggregationPanel>(QStringLiteral("aggregation"), tr("Aggregation"), QStringLiteral("agg"));
    add<SiteFaultsPanel>(QStringLiteral("siteFaults"), tr("Site failures"), QStringLiteral("warn"));
    m_run = add<RunPanel>(QStringLiteral("run"), tr("Run"), QStringLiteral("calendar"));
    column()->addStretch(1);
}

template <typename Panel, typename... Arguments>
Panel *PanelColumn::add(const QString &name, const QString &title, const QString &icon, Arguments &&...arguments) {
    FoldingSection *section = addSection(name, title, icon);
    auto *panel = new Panel(std::forward<Arguments>(arguments)..., section);
    panel->setObjectName(name + QStringLiteral("Panel"));
    section->contentLayout()->addWidget(panel);
    m_panels.push_back(panel);
    connect(panel, &PlanPanel::edited, this, &PanelColumn::edited);
    connect(panel, &PlanPanel::dragFinished, this, &PanelColumn::dragFinished);
    connect(panel, &PlanPanel::summaryChanged, section, &FoldingSection::setSummary);
    return panel;
}

QWidget *PanelColumn::field(const QString &pointer) const {
    // Several panels may have a control for an object that contains the field. A control for the field itself is
    // preferred.
    QWidget *nearest = nullptr;
    for (const PlanPanel *panel : m_panels) {
        QWidget *found = panel->fieldAt(pointer);
        if (found != nullptr && (nearest == nullptr || found->objectName() == pointer.mid(1)))
            nearest = found;
    }
    return nearest;
}

FoldingSection *PanelColumn::sectionOf(const QWidget *control) const {
    for (FoldingSection *section : sections())
        if (control != nullptr && section->isAncestorOf(control))
            return section;
    return nullptr;
}

bool PanelColumn::belongs(const FoldingSection *section) const {
    return m_manySites || !betweenSites().contains(section->objectName());
}

bool PanelColumn::hasField(const QString &pointer) const {
    const FoldingSection *section = sectionOf(field(pointer));
    return section != nullptr && belongs(section);
}

QString PanelColumn::nameOf(const QString &pointer) const {
    for (const PlanPanel *panel : m_panels)
        if (const QString name = panel->nameOf(pointer); !name.isEmpty())
            return name;
    return placeInFile(pointer);
}

bool PanelColumn::hasFieldInSight(const QString &pointer) const {
    const FoldingSection *section = sectionOf(field(pointer));
    return section != nullptr && !section->isHidden();
}

std::optional<Derivation> PanelColumn::derivationOf(const QString &figure) const {
    const std::optional<Derivation> made = m_parallelism->derivationOf(figure);
    return made ? made : m_batch->derivationOf(figure);
}

void PanelColumn::setScope(View::Scope scope) {
    m_scope = scope;
    showSections();
}

void PanelColumn::showSections() {
    const QString cluster = QStringLiteral("cluster");
    for (FoldingSection *section : sections()) {
        // With one site, the inter-site sections are empty, and only the cluster's number of sites can be set.
        const bool wanted = m_scope == View::Scope::Everything || betweenSites().contains(section->objectName())
            || (!m_manySites && section->objectName() == cluster);
        section->setVisible(wanted && belongs(section));
    }
}

QVector<PanelColumn::Field> PanelColumn::fields() const {
    QVector<Field> fields;
    for (const FoldingSection *section : sections()) {
        if (!belongs(section))
            continue;
        QVector<Field> own;
        for (const PlanPanel *panel : m_panels)
            if (section->isAncestorOf(panel))
                for (const QString &pointer : panel->pointers())
                    if (const QWidget *control = panel->fieldAt(pointer); !control->accessibleName().isEmpty())
                        own.append({pointer, control->accessibleName(), section->accessibleName(),
                                    panel->shownValue(pointer)});
        std::sort(own.begin(), own.end(), [](const Field &a, const Field &b) { return a.pointer < b.pointer; });
        fields += own;
    }
    return fields;
}

void PanelColumn::usePreset(PresetKind kind, const QString &id) {
    if (kind == PresetKind::model)
        m_model->usePreset(id);
    else
        m_cluster->usePreset(kind, id);
}

void PanelColumn::focusField(const QString &pointer) {
    if (QWidget *control = field(pointer))
        reveal(control);
}

void PanelColumn::showCurve(const QString &id) {
    RunCurvesView *curves = runCurves();
    curves->choose(id);
    reveal(curves);
}

void PanelColumn::reveal(QWidget *control) {
    QWidget *area = this;
    for (QWidget *each = control->parentWidget(); each != nullptr; each = each->parentWidget()) {
        if (auto *disclosure = qobject_cast<Disclosure *>(each))
            disclosure->setOpen(true);
        if (auto *section = qobject_cast<FoldingSection *>(each))
            section->setFolded(false);
        if (qobject_cast<QScrollArea *>(each) != nullptr)
            area = each;
    }
    control->setFocus(Qt::ShortcutFocusReason);
    // Sections know their heights only after their layouts have run, starting with the inner ones.
    if (auto *scroll = qobject_cast<QScrollArea *>(area))
        QTimer::singleShot(0, control, [scroll, control] {
            for (QWidget *each = control; each != scroll; each = each->parentWidget())
                if (QLayout *layout = each->layout())
                    layout->activate();
            QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
            scroll->ensureWidgetVisible(control);
        });
}

RunCurvesView *PanelColumn::runCurves() const {
    return m_run->curves();
}

void PanelColumn::showPlan(const PlanView &view) {
    m_manySites = view.plan.cluster.sites > 1 || view.plan.cluster.wan.has_value();
    showSections();
    for (PlanPanel *panel : m_panels)
        panel->showPlan(view);
}

void PanelColumn::showResult(const PlanView &view) {
    m_cluster->showResult(view);
    m_recompute->showResult(view);
    m_run->showResult(view);
    // The result adds diagnostics, which change the marks.
    for (PlanPanel *panel : m_panels)
        panel->showMarks(view);
}

} // namespace meshwright
