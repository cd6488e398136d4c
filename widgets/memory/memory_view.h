// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/derivation.h"
#include "memory/memory_run.h"
#include "models/latest_worker.h"
#include "views/view.h"

#include <optional>

#include <memory>

class QAction;
class QComboBox;
class QVBoxLayout;

namespace meshwright {

class FigureLine;
class HeldList;
class Library;
class PeakCard;
class PlanErrors;
class ProblemsCard;
class StepMemoryChart;
class TextLabel;
class TimelineAxis;
class TimelineCanvas;
class TimelineOverview;

/// One rank's memory through a whole step by kind, under what the rank does meanwhile, with its peak explained; beside
/// it what was measured of a run like this one. Computes only while it can be seen, on another thread.
class MemoryView : public View {
    Q_OBJECT

public:
    /// @param library  whose measured profiles are looked through; outlives this
    explicit MemoryView(const Library &library, QWidget *parent = nullptr);

    void showPlan(const PlanView &view) override;

    TimelineAxis *axis() const { return m_axis; }
    StepMemoryChart *chart() const { return m_chart; }
    /// Hidden where nothing was measured.
    StepMemoryChart *measuredChart() const { return m_measured; }
    PeakCard *peak() const { return m_peak; }
    ProblemsCard *problems() const override;
    QComboBox *rankBox() const { return m_rankBox; }
    /// What is shown; null until there was something.
    const MemoryRun *run() const { return m_run.get(); }
    /// Everything that is shown is of the plan as it is.
    /// How what is shown of the peak comes about.
    std::optional<Derivation> derivationOf(const QString &figure) const override;
    bool isSettled() const { return m_asked && !m_worker->isBusy(); }
    void chooseRank(int rank);

protected:
    void showEvent(QShowEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    using RunPointer = std::shared_ptr<const MemoryRun>;
    QWidget *newToolbar();
    QWidget *newCharts();
    QAction *addTool(const QString &icon, const QString &text, const QKeySequence &keys);
    void refresh();
    void ask();
    void receive(const RunPointer &run);
    void drawNothing();
    void showRun();
    void showMeasured();
    void showFigures();

    PlanView m_view;
    RunPointer m_run; ///< the last one that has something to show
    std::optional<int> m_rank; ///< nothing: the fullest
    bool m_asked = false;

    TimelineAxis *m_axis;
    QWidget *m_toolbar = nullptr;
    QComboBox *m_rankBox = nullptr;
    FigureLine *m_figures = nullptr;
    QAction *m_measure = nullptr;
    QAction *m_fitAll = nullptr;
    QWidget *m_charts = nullptr;
    TimelineCanvas *m_row = nullptr;
    StepMemoryChart *m_chart = nullptr;
    TextLabel *m_measuredTitle = nullptr;
    StepMemoryChart *m_measured = nullptr;
    TimelineOverview *m_overview = nullptr;
    PeakCard *m_peak = nullptr;
    TextLabel *m_reason; ///< why nothing is drawn of a plan that is valid
    PlanErrors *m_errors;
    RunPointer m_last; ///< only the working thread reads and writes it
    std::unique_ptr<LatestWorker<MemoryQuestion, RunPointer>> m_worker; ///< last: its thread ends before anything goes
};

} // namespace meshwright
