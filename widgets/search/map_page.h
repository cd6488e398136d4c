// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "panels/plan_edit.h"
#include "panels/plan_view.h"
#include "search/map_runner.h"

#include <QWidget>

class QLineEdit;
class QPushButton;

namespace meshwright {

class Card;
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

Q_SIGNALS:
    void edited(const meshwright::PlanEdit &edit);

protected:
    void showEvent(QShowEvent *event) override;

private:
    QWidget *newControls();
    Card *newSide();
    void ask();
    void readLists();
    void receive(const MapAnswer &answer);
    void showState();
    void showCell();
    void apply();

    MapRunner *m_runner;
    QLineEdit *m_sizes;
    QLineEdit *m_nodes;
    IntegerBox *m_sequence;
    IntegerBox *m_batch;
    QPushButton *m_own;
    QPushButton *m_cancel;
    TextLabel *m_progress;
    MapChart *m_chart;
    TextLabel *m_order;
    TextLabel *m_title;
    TextLabel *m_rows;
    TextLabel *m_measured;
    QPushButton *m_apply;
    Card *m_card = nullptr;
    PlanView m_view;
    MapQuestion m_question;
    QString m_problem;
};

} // namespace meshwright
