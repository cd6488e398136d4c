// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/library.h"
#include "controls/folding_column.h"
#include "views/view.h"

#include <QString>
#include <QVector>

#include <vector>

namespace meshwright {

class BatchPanel;
class ClusterPanel;
class ModelPanel;
class PlanPanel;
class ParallelismPanel;
class RecomputePanel;
class RunCurvesView;
class RunPanel;

/// The left column: everything that a plan says, each part in a section that folds to one line.
class PanelColumn : public FoldingColumn {
    Q_OBJECT

public:
    explicit PanelColumn(const Library &library, QWidget *parent = nullptr);

    /// What the view in sight is about.
    void setScope(View::Scope scope);
    View::Scope scope() const { return m_scope; }
    /// Whether the control of a field, given as a JSON pointer, is shown in the present scope.
    bool hasFieldInSight(const QString &pointer) const;

    void showPlan(const PlanView &view);
    void showResult(const PlanView &view);

    /// Whether a panel has a control for a field, given as a JSON pointer, or for what holds it.
    bool hasField(const QString &pointer) const;
    /// What a field is called: its label here, or its place in the file, "cluster.tiers[0].latency_seconds".
    QString nameOf(const QString &pointer) const;
    /// A field of the plan as its panel shows it.
    struct Field {
        QString pointer;
        QString name; ///< "Sequence length"
        QString section; ///< "Batch, precision"
        QString value = {}; ///< as the control shows it: "8192", "H100 SXM 80 GB"
    };
    /// Every field of the sections that this plan has, in whichever scope, sorted by section and name.
    QVector<Field> fields() const;
    RunCurvesView *runCurves() const;
    /// How what its sliders are drawn with comes about.
    std::optional<Derivation> derivationOf(const QString &figure) const;
    ParallelismPanel *parallelism() const { return m_parallelism; }
    BatchPanel *batch() const { return m_batch; }
    /// Has the plan take a preset, as its choice in the panels does. Plans are opened elsewhere.
    void usePreset(PresetKind kind, const QString &id);
    /// Opens what folds around that control and gives it the focus.
    void focusField(const QString &pointer);
    /// The same for a curve of the run, by its id.
    void showCurve(const QString &id);

Q_SIGNALS:
    void edited(const meshwright::PlanEdit &edit);
    void dragFinished();
    /// A file with a link's rate over time is to be chosen.
    void rateTraceWanted();

private:
    template <typename Panel, typename... Arguments>
    Panel *add(const QString &name, const QString &title, const QString &icon, Arguments &&...arguments);

    QWidget *field(const QString &pointer) const;
    /// Opens what folds around it and gives it the focus.
    void reveal(QWidget *control);
    FoldingSection *sectionOf(const QWidget *control) const;
    bool belongs(const FoldingSection *section) const;
    void showSections();

    std::vector<PlanPanel *> m_panels;
    ClusterPanel *m_cluster;
    ModelPanel *m_model;
    ParallelismPanel *m_parallelism;
    BatchPanel *m_batch;
    RecomputePanel *m_recompute;
    RunPanel *m_run;
    View::Scope m_scope = View::Scope::Everything;
    bool m_manySites = false;
};

} // namespace meshwright
