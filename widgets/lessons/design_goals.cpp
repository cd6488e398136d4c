// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/design_goals.h"

#include "controls/pill.h"
#include "controls/text_label.h"
#include "input/diagnostic.h"
#include "lessons/step_parts.h"

#include <QGridLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace meshwright {

DesignGoals::DesignGoals(const Library &library, QWidget *parent)
    : QWidget(parent)
    , m_library(library)
    , m_grid(new QGridLayout)
    , m_problem(new TextLabel({}, TypeRole::Body, ColourRole::Bad, TextWeight::Regular, this))
    , m_worker(std::make_unique<LatestWorker<Question, Answer>>(
          this, [](const Question &question, const std::stop_token &) { return answer(question); },
          [this](const Answer &answer) { receive(answer); })) {
    setObjectName(QStringLiteral("designGoals"));
    m_problem->setObjectName(QStringLiteral("designProblem"));
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->setWordWrap(true);
    m_problem->hide();
    m_grid->setHorizontalSpacing(20);
    m_grid->setVerticalSpacing(6);
    m_grid->setColumnStretch(0, 1);
    int column = 0;
    for (const QString &head : {tr("Goal"), tr("Now"), tr("Required")})
        m_grid->addWidget(new TextLabel(head, TypeRole::Caption, ColourRole::Text3, TextWeight::Regular, this), 0,
                          column++);
    auto *rows = new QVBoxLayout(this);
    rows->setContentsMargins(0, 4, 0, 4);
    rows->setSpacing(6);
    rows->addLayout(m_grid);
    rows->addWidget(m_problem);
}

DesignGoals::~DesignGoals() = default;

void DesignGoals::showStep(const std::shared_ptr<const Lesson> &lesson, const LessonStep &step) {
    m_worker->cancel();
    if (m_question.lesson != lesson)
        m_question.engine = std::make_shared<LessonEngine>(*lesson, m_library);
    m_question.lesson = lesson;
    m_question.step = &step;
    for (const Row &row : m_rows)
        for (QWidget *part : {static_cast<QWidget *>(row.text), static_cast<QWidget *>(row.now),
                              static_cast<QWidget *>(row.asked), static_cast<QWidget *>(row.verdict)})
            delete part;
    m_rows.clear();
    const auto label = [this](ColourRole colour, TextWeight weight) {
        auto *text = new TextLabel({}, m_type, colour, weight, this);
        text->setTextFormat(Qt::PlainText);
        return text;
    };
    for (const DesignGoal &goal : step.goals) {
        const Row row{.text = label(ColourRole::Text, TextWeight::Regular),
                      .now = label(ColourRole::Text, TextWeight::SemiBold),
                      .asked = label(ColourRole::Text2, TextWeight::Regular),
                      .verdict = new Pill({}, Tone::Neutral, this)};
        row.text->setText(QString::fromStdString(goal.text));
        row.text->setWordWrap(true);
        const int line = static_cast<int>(m_rows.size()) + 1;
        m_grid->addWidget(row.text, line, 0);
        m_grid->addWidget(row.now, line, 1);
        m_grid->addWidget(row.asked, line, 2);
        m_grid->addWidget(row.verdict, line, 3, Qt::AlignLeft | Qt::AlignVCenter);
        m_rows.push_back(row);
    }
    receive({});
}

void DesignGoals::setAnswer(const QString &answer) {
    m_question.answer = answer.toStdString();
    m_worker->ask(m_question);
}

DesignGoals::Answer DesignGoals::answer(const Question &question) {
    Answer answer;
    try {
        for (const ReachedGoal &goal : goals_with(*question.step, question.answer, *question.engine))
            answer.goals.push_back({.isMet = goal.reached,
                                    .now = QString::fromStdString(reached_text(goal)),
                                    .asked = QString::fromStdString(asked_text(goal))});
    } catch (const InputError &error) {
        answer.problem = tr("Not a valid plan: %1").arg(QString::fromStdString(problem_text(error)));
    }
    return answer;
}

void DesignGoals::receive(const Answer &answer) {
    m_answer = answer;
    m_problem->setText(answer.problem);
    m_problem->setVisible(!answer.problem.isEmpty());
    QStringList spoken(answer.problem);
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const Row &row = m_rows[i];
        const bool isKnown = i < answer.goals.size();
        row.now->setText(isKnown ? answer.goals[i].now : QStringLiteral("–"));
        if (isKnown)
            row.asked->setText(answer.goals[i].asked);
        const bool isMet = isKnown && answer.goals[i].isMet;
        row.verdict->setText(isMet ? tr("met") : isKnown ? tr("not met") : tr("unknown"));
        row.verdict->setTone(isMet ? Tone::Good : isKnown ? Tone::Warn : Tone::Neutral);
        row.verdict->setIconName(isMet ? QStringLiteral("ok") : isKnown ? QStringLiteral("minus") : QString());
        spoken.append(tr("%1: %2, %3").arg(row.text->text(), row.verdict->text(), row.now->text()));
    }
    setAccessibleName(tr("Goals"));
    setAccessibleDescription(spoken.join(QStringLiteral(". ")));
}

int DesignGoals::metGoals() const {
    return static_cast<int>(
        std::count_if(m_answer.goals.begin(), m_answer.goals.end(), [](const Goal &goal) { return goal.isMet; }));
}

} // namespace meshwright
