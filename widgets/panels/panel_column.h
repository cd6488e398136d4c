// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "panels/plan_edit.h"
#include "panels/plan_view.h"

#include <QVariantMap>
#include <QWidget>

#include <vector>

class QVBoxLayout;

namespace meshwright {

class ClusterPanel;
class FoldingSection;
class Library;
class PlanPanel;
class RecomputePanel;

/// The left column: everything that a plan says, each part in a section that folds to one line.
class PanelColumn : public QWidget {
    Q_OBJECT

public:
    explicit PanelColumn(const Library &library, QWidget *parent = nullptr);

    void showPlan(const PlanView &view);
    void showResult(const PlanView &view);

    /// Sections that the user has folded or opened by hand, by name.
    QVariantMap foldedByHand() const { return m_byHand; }
    void setFoldedByHand(const QVariantMap &folded);
    /// Folds what the user has not touched so that the rest fits into this height.
    void foldToHeight(int height);

Q_SIGNALS:
    void edited(const meshwright::PlanEdit &edit);
    void dragFinished();
    void foldedByHandChanged();

private:
    template <typename Panel, typename... Arguments>
    Panel *add(const QString &name, const QString &title, const QString &icon, Arguments &&...arguments);
    void connectPanel(FoldingSection *section, PlanPanel *panel);

    QVBoxLayout *m_column;
    std::vector<FoldingSection *> m_sections;
    std::vector<PlanPanel *> m_panels;
    ClusterPanel *m_cluster;
    RecomputePanel *m_recompute;
    FoldingSection *m_outerSection = nullptr;
    QVariantMap m_byHand;
    bool m_foldingItself = false;
};

} // namespace meshwright
