// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lessons/design_answer.h"
#include "models/latest_worker.h"
#include "theme/roles.h"

#include <QWidget>

#include <memory>
#include <vector>

class QGridLayout;

namespace meshwright {

class Library;
class Pill;
class TextLabel;

/// The goals of a design: for each, the plan's current value, the required value, and whether it is met. Follows the
/// settings that the reader chooses. Plans are evaluated on another thread.
class DesignGoals : public QWidget {
    Q_OBJECT

public:
    /// @param library  must outlive this widget
    explicit DesignGoals(const Library &library, QWidget *parent = nullptr);
    ~DesignGoals() override;

    /// Sets the type role of goals that are shown from now on; presentations use a larger one.
    void setType(TypeRole type) { m_type = type; }
    /// @param step  a step of the lesson that asks for a design
    void showStep(const std::shared_ptr<const Lesson> &lesson, const LessonStep &step);
    void setAnswer(const QString &answer);
    bool isSettled() const { return !m_worker->isBusy(); }
    int metGoals() const;

private:
    struct Question {
        std::shared_ptr<const Lesson> lesson; ///< keeps the step alive
        const LessonStep *step = nullptr;
        std::shared_ptr<LessonEngine> engine; ///< used only by the worker
        std::string answer;
    };
    struct Goal {
        bool isMet = false;
        QString now;
        QString asked;
    };
    struct Answer {
        QString problem;
        std::vector<Goal> goals; ///< empty if there is a problem
    };
    struct Row {
        TextLabel *text;
        TextLabel *now;
        TextLabel *asked;
        Pill *verdict;
    };

    static Answer answer(const Question &question);
    void receive(const Answer &answer);

    const Library &m_library;
    TypeRole m_type = TypeRole::Body;
    Question m_question;
    Answer m_answer;
    QGridLayout *m_grid;
    std::vector<Row> m_rows;
    TextLabel *m_problem;
    std::unique_ptr<LatestWorker<Question, Answer>> m_worker; ///< last member, so that its thread ends first
};

} // namespace meshwright
