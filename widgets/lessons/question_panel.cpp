// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/question_panel.h"

#include "catalog/library.h"
#include "controls/pill.h"
#include "controls/text_label.h"
#include "explain/derivation_text.h"
#include "figures/figure_event.h"
#include "input/diagnostic.h"
#include "lessons/design_goals.h"
#include "lessons/lesson_text.h"
#include "lessons/question_input.h"
#include "theme/control_states.h"
#include "theme/theme.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include <utility>

namespace meshwright {

namespace {

class VerdictStrip : public QWidget {
public:
    using QWidget::QWidget;
    void setTone(Tone tone) {
        m_tone = tone;
        update();
    }

protected:
    void paintEvent(QPaintEvent *) override {
        const Theme &theme = Theme::of(this);
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.softFill(m_tone));
        painter.drawRoundedRect(rect(), Theme::radius(Corner::Button), Theme::radius(Corner::Button));
    }

private:
    Tone m_tone = Tone::Neutral;
};

TextLabel *wrapping(TypeRole type, ColourRole colour, TextWeight weight, QWidget *parent) {
    auto *label = new TextLabel({}, type, colour, weight, parent);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    return label;
}

} // namespace

QuestionPanel::QuestionPanel(const Library &library, QWidget *parent)
    : Card(parent)
    , m_library(library)
    , m_number(new Pill({}, Tone::Accent, this))
    , m_tolerance(new TextLabel({}, TypeRole::Caption, ColourRole::Text3, TextWeight::Regular, this))
    , m_text(new LessonText(this))
    , m_input(new QuestionInput(this))
    , m_goals(new DesignGoals(library, this))
    , m_check(new QPushButton(tr("Check"), this))
    , m_again(new QPushButton(tr("Try again with new numbers"), this))
    , m_show(new QPushButton(tr("Show the answer"), this))
    , m_attempts(new TextLabel({}, TypeRole::Caption, ColourRole::Text3, TextWeight::Regular, this))
    , m_verdict(new VerdictStrip(this))
    , m_verdictTitle(wrapping(TypeRole::Body, ColourRole::Text, TextWeight::SemiBold, m_verdict))
    , m_verdictText(wrapping(TypeRole::Body, ColourRole::Text, TextWeight::Regular, m_verdict))
    , m_solution(new QWidget(this))
    , m_expected(wrapping(TypeRole::Body, ColourRole::Text, TextWeight::SemiBold, m_solution))
    , m_formula(wrapping(TypeRole::Body, ColourRole::Text2, TextWeight::Regular, m_solution))
    , m_numbers(wrapping(TypeRole::Body, ColourRole::Text2, TextWeight::Regular, m_solution))
    , m_source(wrapping(TypeRole::Caption, ColourRole::Text3, TextWeight::Regular, m_solution)) {
    setObjectName(QStringLiteral("lessonQuestion"));
    // The numbers belong to the question and its solution, so they have no derivation to open.
    showsNoFigures(this, NotFigures::setting);
    m_verdict->setObjectName(QStringLiteral("lessonVerdict"));
    m_check->setObjectName(QStringLiteral("lessonCheck"));
    m_again->setObjectName(QStringLiteral("lessonAgain"));
    m_show->setObjectName(QStringLiteral("lessonShow"));
    setButtonRole(m_check, ButtonRole::Primary);
    auto *head = new QHBoxLayout;
    head->setSpacing(8);
    head->addWidget(m_number);
    head->addStretch(1);
    head->addWidget(m_tolerance);
    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(m_check);
    buttons->addWidget(m_again);
    buttons->addWidget(m_show);
    buttons->addStretch(1);
    buttons->addWidget(m_attempts);
    auto *verdict = new QVBoxLayout(m_verdict);
    verdict->setContentsMargins(12, 8, 12, 8);
    verdict->setSpacing(2);
    verdict->addWidget(m_verdictTitle);
    verdict->addWidget(m_verdictText);
    auto *solution = new QVBoxLayout(m_solution);
    solution->setContentsMargins(0, 0, 0, 0);
    solution->setSpacing(2);
    for (TextLabel *line : {m_expected, m_formula, m_numbers, m_source})
        solution->addWidget(line);
    contentLayout()->addLayout(head);
    contentLayout()->addWidget(m_text);
    contentLayout()->addWidget(m_input);
    contentLayout()->addWidget(m_goals);
    contentLayout()->addLayout(buttons);
    contentLayout()->addWidget(m_verdict);
    contentLayout()->addWidget(m_solution);
    connect(m_check, &QPushButton::clicked, this, &QuestionPanel::check);
    connect(m_again, &QPushButton::clicked, this, &QuestionPanel::askAgain);
    connect(m_show, &QPushButton::clicked, this, &QuestionPanel::showAnswer);
    connect(m_input, &QuestionInput::submitted, this, &QuestionPanel::check);
    connect(m_input, &QuestionInput::edited, this, [this] {
        takeEdit();
        Q_EMIT edited();
    });
}

void QuestionPanel::showStep(std::shared_ptr<const Lesson> lesson, const LessonStep &step, int number, bool solved) {
    if (m_lesson != lesson) {
        m_engine.reset();
        m_lesson = std::move(lesson);
        m_engine = std::make_unique<LessonEngine>(*m_lesson, m_library);
    }
    m_step = &step;
    m_seed = 1;
    m_number->setText(solved ? tr("Question %1, solved").arg(number) : tr("Question %1").arg(number));
    m_number->setTone(solved ? Tone::Good : Tone::Accent);
    m_tolerance->setText(
        step.kind == StepKind::number
            ? tr("tolerance %1; use any unit").arg(QString::fromStdString(text_of(step.tolerance, Quantity::share)))
            : QString());
    ask();
}

void QuestionPanel::setScale(qreal scale) {
    m_text->setScale(scale);
    m_input->setScale(scale);
    m_goals->setType(scale > 1 ? TypeRole::Title : TypeRole::Body);
}

void QuestionPanel::setTextWidth(int width) {
    m_text->setMaximumWidth(width);
    m_input->setMaximumWidth(width);
    m_goals->setMaximumWidth(width);
    m_solution->setMaximumWidth(width);
}

void QuestionPanel::takeEdit() {
    m_check->setEnabled(m_input->isAnswered());
    if (m_step->kind == StepKind::design)
        m_goals->setAnswer(m_input->answer());
}

void QuestionPanel::takeFocus() {
    m_input->takeFocus();
}

QString QuestionPanel::answer() const {
    return m_input->answer();
}

void QuestionPanel::setAnswer(const QString &answer) {
    m_input->setAnswer(answer);
}

void QuestionPanel::ask() {
    m_attempt = 0;
    m_judgement.reset();
    m_verdict->hide();
    m_solution->hide();
    m_attempts->setText({});
    try {
        m_question = meshwright::ask(*m_step, m_seed, *m_engine);
    } catch (const InputError &error) {
        m_question.reset();
        m_text->setText(QString::fromStdString(error.diagnostics().front().message.text));
        m_input->hide();
        m_goals->hide();
        m_check->setEnabled(false);
        return;
    }
    m_input->show();
    m_text->setText(QString::fromStdString(m_question->text));
    m_input->showQuestion(*m_question);
    QWidget *before = m_text;
    for (QWidget *control : m_input->controls()) {
        setTabOrder(before, control);
        before = control;
    }
    m_again->setVisible(!m_step->draws.empty() && m_step->kind != StepKind::code);
    m_goals->setVisible(m_step->kind == StepKind::design);
    if (m_step->kind == StepKind::design)
        m_goals->showStep(m_lesson, *m_step);
    takeEdit();
    Q_EMIT asked();
}

void QuestionPanel::askAgain() {
    ++m_seed;
    ask();
    m_input->takeFocus();
}

void QuestionPanel::check() {
    if (!m_question || !m_input->isAnswered())
        return;
    ++m_attempt;
    m_judgement = judge(*m_question, m_input->answer().toStdString(), *m_engine, m_run);
    showVerdict();
    if (m_judgement->correct)
        Q_EMIT solved();
    Q_EMIT judged(m_attempt);
}

void QuestionPanel::showVerdict() {
    const bool correct = m_judgement->correct;
    const QString slip = QString::fromStdString(m_judgement->slip);
    static_cast<VerdictStrip *>(m_verdict)->setTone(correct ? Tone::Good : Tone::Warn);
    m_verdictTitle->setText(correct ? tr("Right.")
                                : slip.isEmpty() || m_step->kind != StepKind::number
                                ? tr("Not right yet.")
                                : tr("Not right yet: %1").arg(slip));
    m_verdictText->setText(QString::fromStdString(m_judgement->hint));
    m_verdictText->setVisible(!m_judgement->hint.empty());
    m_verdict->show();
    m_attempts->setText(tr("attempt %1").arg(m_attempt));
    setAccessibleDescription(m_verdictTitle->text() + QLatin1Char(' ') + m_verdictText->text());
    if (correct)
        showAnswer();
}

void QuestionPanel::showAnswer() {
    if (!m_question)
        return;
    try {
        m_expected->setText(tr("Answer: %1").arg(QString::fromStdString(expected_text(*m_question, *m_engine))));
        const Derivation derivation = derivation_of(*m_question, *m_engine);
        const bool hasFormula = !derivation.formula.empty();
        m_formula->setText(hasFormula ? QString::fromStdString(derivation.name) + QStringLiteral(" = ")
                                   + formulaLineOf(derivation)
                                      : QString());
        m_numbers->setText(hasFormula ? QStringLiteral("= ") + numbersLineOf(derivation) : QString());
        QStringList values;
        for (const Derivation &input : derivation.inputs)
            if (!hasFormula)
                values.append(titleOf(input) + QStringLiteral(": ") + valueTextOf(input));
        if (!hasFormula)
            m_formula->setText(values.join(QLatin1Char('\n')));
        m_source->setText(QString::fromStdString(derivation.source));
    } catch (const InputError &error) {
        m_expected->setText(QString::fromStdString(error.diagnostics().front().message.text));
    }
    for (TextLabel *line : {m_formula, m_numbers, m_source})
        line->setVisible(!line->text().isEmpty());
    m_solution->show();
}

} // namespace meshwright
