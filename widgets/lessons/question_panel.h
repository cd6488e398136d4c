// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controls/card.h"
#include "lessons/judgement.h"
#include "lessons/program.h"
#include "lessons/question.h"

#include <memory>
#include <optional>

class QPushButton;

namespace meshwright {

class DesignGoals;
class LessonText;
class Library;
class Pill;
class QuestionInput;
class TextLabel;

/// Shows one question of a lesson: asks it with random numbers, judges the answer, names the mistake, and shows how the
/// right answer is calculated. "Again" draws different numbers.
class QuestionPanel : public Card {
    Q_OBJECT

public:
    /// @param library  must outlive this panel
    explicit QuestionPanel(const Library &library, QWidget *parent = nullptr);

    /// Sets how exercise programs are run. Without this, they cannot be checked.
    void setRunner(ProgramRunner run) { m_run = std::move(run); }
    const ProgramRunner &runner() const { return m_run; }
    /// @param lesson  keeps the step alive
    void showStep(std::shared_ptr<const Lesson> lesson, const LessonStep &step, int number, bool solved);
    void setScale(qreal scale);
    /// Sets the maximum width of a line of text, in logical pixels.
    void setTextWidth(int width);
    void takeFocus();

    const std::optional<Question> &question() const { return m_question; }
    const std::optional<Judgement> &judgement() const { return m_judgement; }
    QString answer() const;
    void setAnswer(const QString &answer);
    /// The message about the last checked answer; hidden before the first.
    QWidget *verdict() const { return m_verdict; }
    void check();
    void askAgain();
    void showAnswer();
    DesignGoals *goals() const { return m_goals; }

Q_SIGNALS:
    void edited();
    void solved();
    /// Emitted after an answer is judged; `attempt` counts from 1.
    void judged(int attempt);
    void asked();

private:
    void ask();
    void showVerdict();
    void takeEdit();

    const Library &m_library;
    ProgramRunner m_run;
    std::shared_ptr<const Lesson> m_lesson;
    const LessonStep *m_step = nullptr;
    std::unique_ptr<LessonEngine> m_engine;
    std::optional<Question> m_question;
    std::optional<Judgement> m_judgement;
    std::uint64_t m_seed = 1;
    int m_attempt = 0;
    Pill *m_number;
    TextLabel *m_tolerance;
    LessonText *m_text;
    QuestionInput *m_input;
    DesignGoals *m_goals;
    QPushButton *m_check;
    QPushButton *m_again;
    QPushButton *m_show;
    TextLabel *m_attempts;
    QWidget *m_verdict;
    TextLabel *m_verdictTitle;
    TextLabel *m_verdictText;
    QWidget *m_solution;
    TextLabel *m_expected;
    TextLabel *m_formula;
    TextLabel *m_numbers;
    TextLabel *m_source;
};

} // namespace meshwright
