// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "start/first_plan_runner.h"
#include "start/start_goal.h"
#include "views/view.h"

#include <QStringList>
#include <QTimer>

#include <nlohmann/json_fwd.hpp>

#include <optional>

class QBoxLayout;
class QPushButton;
class QScrollArea;

namespace meshwright {

class AnswerCard;
class Card;
class Gallery;
class GoalTiles;
class Library;
class PlanSummaries;
class QuestionsCard;
class RecentPlans;

/// The start page: the choice of a goal, questions about the run and the best plan that fits, recent plans, and
/// published runs. Nothing is evaluated before the window has been painted.
class StartView : public View {
    Q_OBJECT

public:
    explicit StartView(const Library &library, QWidget *parent = nullptr);

    /// Sets the recently opened files, newest first.
    void setRecentFiles(const QStringList &files);
    void takeFocus() override;

    GoalTiles *goals() const { return m_goals; }
    QuestionsCard *questions() const { return m_questions; }
    AnswerCard *answer() const { return m_answer; }
    RecentPlans *recent() const { return m_recent; }
    Gallery *gallery() const { return m_gallery; }
    /// False while a search or a read is in progress.
    bool isSettled() const;
    /// The plan that a figure of the answer refers to: see AnswerCard::planOf().
    std::optional<Plan> planOf(const QString &name) const override;

Q_SIGNALS:
    /// Emitted when the user opens a new, unsaved plan for the selected goal.
    void planWanted(const nlohmann::ordered_json &document, meshwright::StartGoal goal);
    void presetWanted(const QString &id, meshwright::StartGoal goal);
    void fileWanted(const QString &path);

protected:
    void showEvent(QShowEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    QBoxLayout *column() const override;

private:
    QWidget *makeHeading();
    Card *makeLessonCard();
    void connectParts(const Library &library);
    void showGoal(StartGoal goal);
    void search();
    void submit();
    void open();

    QScrollArea *m_scroll;
    QWidget *m_content;
    GoalTiles *m_goals;
    QuestionsCard *m_questions;
    AnswerCard *m_answer;
    QWidget *m_asked;
    QBoxLayout *m_askedConfiguration;
    Card *m_learn;
    QPushButton *m_formulas = nullptr;
    RecentPlans *m_recent;
    Gallery *m_gallery;
    QBoxLayout *m_lower;
    QTimer m_rest; ///< delays the search until the user stops editing
    FirstPlanRunner m_runner;
    PlanSummaries *m_summaries;
    QStringList m_recentFiles;
    /// Whether Enter was pressed; if so, the button that opens the answer gets the focus when it appears.
    bool m_openWhenFound = false;
};

} // namespace meshwright
