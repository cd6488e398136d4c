// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

#include <QWidget>

#include <vector>

class QAction;
class QComboBox;
class QHBoxLayout;
class QLineEdit;
class QMenu;
class QPushButton;

namespace meshwright {

class FigureSentence;
class Segmented;
class TextLabel;
class ToggleSwitch;

/// Toolbar of the pipeline view: the schedule and the schedules compared with it, streams, critical path, memory,
/// playback, measuring, zoom to fit, and search for a microbatch.
class PipelineToolbar : public QWidget {
    Q_OBJECT

public:
    explicit PipelineToolbar(QWidget *parent = nullptr);

    void showPlan(const Plan &plan);
    void setCompared(const std::vector<Schedule> &schedules);
    void setPlaying(bool playing);
    void setMicrobatch(int number);
    QLineEdit *findField() const { return m_find; }
    /// All tools, for a menu. Their shortcuts work while the view has the focus.
    QList<QAction *> tools() const;

Q_SIGNALS:
    void scheduleChosen(meshwright::Schedule schedule);
    void comparedChosen(const std::vector<meshwright::Schedule> &schedules);
    void allStreamsChosen(bool all);
    void criticalPathToggled(bool shown);
    void memoryToggled(bool shown);
    void measuringToggled(bool measuring);
    void playWanted();
    void stepWanted();
    void stepBackWanted();
    void fitChosenWanted();
    void fitAllWanted();
    /// `number` is -1 for none; `fit` zooms to the microbatch.
    void microbatchWanted(int number, bool fit);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    QAction *addTool(const QString &icon, const QString &text, const QKeySequence &keys);
    void addButton(QHBoxLayout *row, QAction *action);
    void fillComparison();
    void readFind(bool fit);

    FigureSentence *m_summary;
    QComboBox *m_schedule;
    QPushButton *m_compare;
    QMenu *m_comparison;
    Segmented *m_streams;
    ToggleSwitch *m_critical;
    ToggleSwitch *m_memory;
    std::vector<QWidget *> m_words; ///< labels of the switches, hidden in a narrow window
    QAction *m_play;
    QAction *m_step;
    QAction *m_stepBack;
    QAction *m_measure;
    QAction *m_fitChosen;
    QAction *m_fitAll;
    QLineEdit *m_find;
};

} // namespace meshwright
