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

/// A card shown on top of a page's cards. The user types a goal for a key figure and gets the minimal changes that
/// reach it, with their effects on other figures. The search runs on another thread. A proposal is applied as one undo
/// step. Esc closes the card.
class GoalCard : public QWidget {
    Q_OBJECT

public:
    explicit GoalCard(const Library &library, QWidget *parent = nullptr);

    /// Opens with a choice of these figures and selects the first one. Closing restores the focus.
    void openFor(const std::vector<GoalFigure> &figures);
    void seekGoal(const std::vector<GoalFigure> &figures, const QString &value);
    void close();
    /// Shows a plan; proposals for another plan are discarded.
    void showPlan(const PlanView &view);
    bool isSearching() const { return m_search.isBusy(); }
    int heightFor(int width) const;
    const GoalAnswer *answer() const { return m_answer.get(); }
    QString status() const;

Q_SIGNALS:
    void edited(const meshwright::PlanEdit &edit);
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
    bool m_applying = false; ///< whether the next plan comes from applying a proposal
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
