// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "compare/compared_plan.h"
#include "compare/comparison_run.h"
#include "models/latest_worker.h"
#include "search/trade_offs.h"
#include "views/view.h"

#include <QTimer>
#include <QVector>

#include <memory>
#include <optional>

class QBoxLayout;
class QMenu;
class QPushButton;
class QScrollArea;
class QToolButton;

namespace meshwright {

class Card;
class CausesCard;
class ComparedFieldsModel;
class ComparedFiguresModel;
class FigureTable;
class FiguresTable;
class Invitation;
class Library;
class MemoryBars;
class Pill;
class PlanErrors;
class PlanHeads;
class StepBar;
class TextLabel;
class TimelinesCard;
class ToggleSwitch;

/// The current plan, A, next to up to four others: figures on the same scales, memory and step bars on one axis,
/// pipelines on one time axis, the fields that differ, and the effect of each change. Comparisons run on other threads,
/// only while the view is visible.
class CompareView : public View {
    Q_OBJECT

public:
    /// @param library  resolves presets of changed plans; must outlive this view
    explicit CompareView(const Library &library, QWidget *parent = nullptr);

    void showPlan(const PlanView &view) override;
    void takeFocus() override;
    ProblemsCard *problems() const override;
    std::optional<Derivation> derivationOf(const QString &figure) const override;
    std::optional<Plan> planOf(const QString &name) const override;

    /// The plans next to the current one, B to E.
    const QVector<ComparedPlan> &others() const { return m_others; }
    /// Adds a valid plan; shows a notice if there are four already.
    void add(const ComparedPlan &plan);
    /// @param plan  index of the plan: 1 for B, 2 for C
    void remove(int plan);
    void replace(int plan, const ComparedPlan &by);
    /// Replaces the compared plans with the plans of a ready-made comparison, as soon as they are found.
    void openTradeOff(TradeOff which);

    /// The menu of the button that adds a plan; the window fills it.
    QMenu *addMenu() const { return m_addMenu; }
    ComparedFiguresModel *figures() const { return m_figures; }
    ComparedFieldsModel *fields() const { return m_fields; }
    FigureTable *figuresTable() const { return m_figuresTable; }
    CausesCard *causes() const { return m_causes; }
    MemoryBars *memory() const { return m_memory; }
    StepBar *steps() const { return m_steps; }
    TimelinesCard *timelines() const { return m_timelines; }
    Invitation *invitation() const { return m_invitation; }
    PlanHeads *heads() const { return m_heads; }
    ToggleSwitch *differencesOnly() const { return m_only; }
    /// Whether everything shown is up to date with the current plan and the compared plans.
    bool isSettled() const;
    /// Sets the function that returns the formula lines in hover cards of the bars.
    void setFormulaLines(const std::function<QString(const FigureRef &)> &lines);

Q_SIGNALS:
    /// The user wants to replace the current plan with a compared plan (1 for B).
    void openWanted(int plan);

protected:
    void showEvent(QShowEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    struct TradeOffQuestion {
        TradeOff which = TradeOff::sharding;
        Plan plan;
    };
    struct TradeOffAnswer {
        TradeOffPlans found;
        QString problem;
    };
    using TimelinesAnswer = std::vector<ComparedTimeline>;

    QWidget *newToolbar();
    void buildCards();
    void prepareTables();
    void connectParts();
    void arrange();
    void refresh();
    void ask();
    ComparisonQuestion question() const;
    void showState();
    void showHeads();
    void receive(const ComparisonPointer &run);
    void receiveTimelines(const TimelinesAnswer &timelines);
    void receiveTradeOff(const TradeOffAnswer &answer);
    void showRun();
    void fitTables();
    void openField(const QModelIndex &index);
    bool isComparing() const { return !m_others.isEmpty(); }

    const Library &m_library;
    PlanView m_view;
    QVector<ComparedPlan> m_others;
    ComparisonPointer m_run; ///< the last comparison without a problem; null for none
    bool m_asked = false;
    bool m_wide = false;
    bool m_seeking = false; ///< whether the plans of a ready-made comparison are being searched for

    PlanHeads *m_heads;
    PlanErrors *m_errors;
    TextLabel *m_notes; ///< how the plans of a ready-made comparison were chosen
    Invitation *m_invitation;
    QMenu *m_addMenu;
    QMenu *m_tradeOffMenu;
    ToggleSwitch *m_only = nullptr;
    QWidget *m_onlyLabel = nullptr;
    QPushButton *m_add = nullptr;
    QPushButton *m_ready = nullptr;
    Pill *m_state = nullptr;
    QScrollArea *m_scroll;
    QWidget *m_content;
    QBoxLayout *m_columns = nullptr; ///< two columns of cards, side by side if the view is wide enough
    ComparedFiguresModel *m_figures;
    ComparedFieldsModel *m_fields;
    FigureTable *m_figuresTable = nullptr;
    FiguresTable *m_fieldsTable = nullptr;
    Card *m_fieldsCard = nullptr;
    CausesCard *m_causes = nullptr;
    MemoryBars *m_memory = nullptr;
    StepBar *m_steps = nullptr;
    TimelinesCard *m_timelines = nullptr;
    QTimer m_late; ///< delay before an outdated comparison is marked as such

    TimelinesAnswer m_drawn; ///< timelines that wait for their comparison
    TimelinesAnswer m_lastTimelines; ///< used only by the worker thread
    // Declared last, so that their threads end before the other members are destroyed.
    std::unique_ptr<LatestWorker<ComparisonQuestion, ComparisonPointer>> m_worker;
    std::unique_ptr<LatestWorker<ComparisonQuestion, TimelinesAnswer>> m_drawer;
    std::unique_ptr<LatestWorker<TradeOffQuestion, TradeOffAnswer>> m_seeker;
};

} // namespace meshwright
