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
class MemoryList;
class Library;
class PeakCard;
class PlanErrors;
class ProblemsCard;
class StepMemoryChart;
class TextLabel;
class TimelineAxis;
class TimelineCanvas;
class TimelineOverview;

/// Memory of one rank over a step by kind, below the operations of the rank, with a breakdown of the peak. If a run
/// with the same configuration was measured, its profile is shown for comparison. Simulates on another thread, and only
/// while the view is visible.
class MemoryView : public View {
    Q_OBJECT

public:
    /// @param library  provides measured profiles; must outlive this view
    explicit MemoryView(const Library &library, QWidget *parent = nullptr);

    void showPlan(const PlanView &view) override;

    TimelineAxis *axis() const { return m_axis; }
    StepMemoryChart *chart() const { return m_chart; }
    /// Hidden if no run with this configuration was measured.
    StepMemoryChart *measuredChart() const { return m_measured; }
    PeakCard *peak() const { return m_peak; }
    ProblemsCard *problems() const override;
    QComboBox *rankBox() const { return m_rankBox; }
    /// The simulation that is shown; null before the first one.
    const MemoryRun *run() const { return m_run.get(); }
    std::optional<Derivation> derivationOf(const QString &figure) const override;
    /// Whether everything shown is up to date with the current plan.
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
    RunPointer m_run;
    std::optional<int> m_rank; ///< rank chosen by the user; unset: the rank with peak memory
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
    TextLabel *m_reason; ///< why a valid plan cannot be drawn
    PlanErrors *m_errors;
    RunPointer m_last; ///< used only by the worker thread
    std::unique_ptr<LatestWorker<MemoryQuestion, RunPointer>>
        m_worker; ///< last member, so that its thread ends before other members are destroyed
};

} // namespace meshwright
