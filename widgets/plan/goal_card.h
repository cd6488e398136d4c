// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/latest_worker.h"
#include "search/goal_seek.h"
#include "views/plan_edit.h"
#include "views/plan_view.h"

#include <QPointer>
#include <QWidget>

#include <memory>
#include <vector>

class QLineEdit;
class QPushButton;
class QScrollArea;
class QToolButton;
class QVBoxLayout;

namespace meshwright {

class GoalRow;
class Library;
class Segmented;
class FigureSentence;
class TextLabel;
class ToggleSwitch;

/// Lies over the cards of a page: a goal is typed for a key figure, and the least changes that reach it are listed with
/// what each costs. They are looked for on another thread; one is applied as one step. Esc closes it.
class GoalCard : public QWidget {
    Q_OBJECT

public:
    explicit GoalCard(const Library &library, QWidget *parent = nullptr);

    /// Opens for one of these figures; the first is the one that is meant. The focus comes back when it closes.
    void openFor(const std::vector<GoalFigure> &figures);
    /// The same, and looks for what reaches this goal at once.
    void seekGoal(const std::vector<GoalFigure> &figures, const QString &value);
    void close();
    /// What was found for another plan is dropped.
    void showPlan(const PlanView &view);
    bool isSearching() const { return m_search.isBusy(); }
    /// Height that all of it takes at this width.
    int heightFor(int width) const;
    const GoalAnswer *answer() const { return m_answer.get(); }
    QString status() const;

Q_SIGNALS:
    void edited(const meshwright::PlanEdit &edit);
    /// Its height has changed.
    void resized();

protected:
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void showEvent(QShowEvent *event) override;

private:
    struct Question {
        Plan plan;
        Goal goal;
        bool keepsHardware = false;
    };
    using AnswerPointer = std::shared_ptr<const GoalAnswer>;

    QWidget *newHeading();
    GoalFigure figure() const;
    void find();
    void forget(const QString &words);
    void receive(const AnswerPointer &answer);
    void showAnswer();
    void showRows(const std::vector<const Proposal *> &proposals);
    void apply(std::size_t row);
    void say(const QString &words);

    const Library &m_library;
    Plan m_plan;
    std::shared_ptr<const Result> m_result;
    bool m_valid = false;
    bool m_applying = false; ///< the next plan is one of its own
    std::vector<GoalFigure> m_figures;
    AnswerPointer m_answer;
    Segmented *m_which = nullptr;
    QLineEdit *m_value = nullptr;
    QPushButton *m_find = nullptr;
    QToolButton *m_close = nullptr;
    ToggleSwitch *m_keepHardware = nullptr;
    FigureSentence *m_status = nullptr;
    QWidget *m_heading = nullptr;
    QScrollArea *m_scroll = nullptr;
    QVBoxLayout *m_list = nullptr;
    std::vector<GoalRow *> m_rows;
    QPointer<QWidget> m_cameFrom;
    LatestWorker<Question, AnswerPointer> m_search;
};

} // namespace meshwright
