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

/// The left column: all fields of a plan, in sections that fold to one line each.
class PanelColumn : public FoldingColumn {
    Q_OBJECT

public:
    explicit PanelColumn(const Library &library, QWidget *parent = nullptr);

    /// Sets the sections that the visible view needs.
    void setScope(View::Scope scope);
    View::Scope scope() const { return m_scope; }
    /// Whether the control for the field at a JSON pointer is in a section that the current scope shows.
    bool hasFieldInSight(const QString &pointer) const;

    void showPlan(const PlanView &view);
    void showResult(const PlanView &view);

    /// Whether a panel has a control for the field at a JSON pointer, or for a parent of it.
    bool hasField(const QString &pointer) const;
    /// A field's label in its panel. Without a label, its path in the file: "cluster.tiers[0].latency_seconds".
    QString nameOf(const QString &pointer) const;
    struct Field {
        QString pointer;
        QString name; ///< "Sequence length"
        QString section; ///< "Batch, precision"
        QString value = {}; ///< value as the control shows it: "8192", "H100 SXM 80 GB"
    };
    /// All fields of this plan's sections, including those outside the scope, by section and then by JSON pointer.
    QVector<Field> fields() const;
    RunCurvesView *runCurves() const;
    /// Derivation of a best value that the sliders show; empty for any other figure.
    std::optional<Derivation> derivationOf(const QString &figure) const;
    ParallelismPanel *parallelism() const { return m_parallelism; }
    BatchPanel *batch() const { return m_batch; }
    /// Sets a preset in the plan, as if the user had chosen it in a panel. Plan presets are opened elsewhere.
    void usePreset(PresetKind kind, const QString &id);
    /// Unfolds whatever hides the field's control, scrolls to it and focuses it.
    void focusField(const QString &pointer);
    /// Unfolds a curve of the run, given by its id, scrolls to it and focuses it.
    void showCurve(const QString &id);

Q_SIGNALS:
    void edited(const meshwright::PlanEdit &edit);
    void dragFinished();
    /// The user wants to load a link's rate over time from a file.
    void rateTraceWanted();

private:
    template <typename Panel, typename... Arguments>
    Panel *add(const QString &name, const QString &title, const QString &icon, Arguments &&...arguments);

    QWidget *field(const QString &pointer) const;
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
