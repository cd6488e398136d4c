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

/// The best configuration by model size and number of nodes, for the model family and cluster of the plan. Searches
/// again when one of these changes while the page is visible.
class MapPage : public QWidget {
    Q_OBJECT

public:
    MapPage(const Library &library, QWidget *parent = nullptr);

    void showPlan(const PlanView &view);
    MapChart *chart() const { return m_chart; }
    bool isBusy() const { return m_runner->isBusy(); }
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
    /// Chooses sizes and nodes around the plan's own, with its sequence length and batch size, until the user enters
    /// others.
    void startAround(const Plan &plan);
    void showQuestion();
    void receive(const MapAnswer &answer);
    void showState();
    void showCell();
    void showMeasured(const MeasuredBest &measured, const SearchEntry *best);
    /// Merge patch that applies a cell to the plan. Empty without a plan or a configuration.
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
    Plan m_around; ///< the plan from which sizes and nodes were last taken
    bool m_asked = false; ///< whether the user has entered other sizes, nodes, sequence length or batch
};

} // namespace meshwright
