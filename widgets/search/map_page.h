// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/derivation.h"
#include "search/map_runner.h"
#include "views/plan_edit.h"
#include "views/plan_view.h"

#include <QWidget>

#include <optional>

class QLineEdit;
class QPushButton;

namespace meshwright {

class Card;
class FigureSentence;
class IntegerBox;
class MapChart;
class TextLabel;

/// The best layout by model size and nodes, for the family of the plan's model on nodes of the plan's cluster: searched
/// anew as soon as one of these changes while the page is in sight.
class MapPage : public QWidget {
    Q_OBJECT

public:
    MapPage(const Library &library, QWidget *parent = nullptr);

    void showPlan(const PlanView &view);
    MapChart *chart() const { return m_chart; }
    bool isBusy() const { return m_runner->isBusy(); }
    /// How what the map has counted and measured comes about.
    std::optional<Derivation> derivationOf(const QString &figure) const;

Q_SIGNALS:
    void edited(const meshwright::PlanEdit &edit);

protected:
    void showEvent(QShowEvent *event) override;

private:
    QWidget *newControls();
    Card *newSide();
    void ask();
    void readLists();
    /// Sizes and nodes around those of a plan, with its sequence and batch, until somebody has asked for others.
    void startAround(const Plan &plan);
    void showQuestion();
    void receive(const MapAnswer &answer);
    void showState();
    void showCell();
    void showMeasured(const MeasuredBest &measured, const SearchEntry *best);
    /// Merge patch that makes the plan a cell's; empty where there is no plan.
    QString patchOf(const MapCell &cell) const;
    void apply();

    MapRunner *m_runner;
    QLineEdit *m_sizes;
    QLineEdit *m_nodes;
    IntegerBox *m_sequence;
    IntegerBox *m_batch;
    QPushButton *m_own;
    QPushButton *m_playbook;
    QPushButton *m_cancel;
    FigureSentence *m_progress;
    MapChart *m_chart;
    FigureSentence *m_order;
    TextLabel *m_title;
    FigureSentence *m_rows;
    FigureSentence *m_measured;
    QPushButton *m_apply;
    Card *m_card = nullptr;
    PlanView m_view;
    MapQuestion m_question;
    QString m_problem;
    Plan m_around; ///< the plan that the lists were last made around
    bool m_asked = false; ///< somebody has asked for other sizes, nodes, sequences or batches
};

} // namespace meshwright
