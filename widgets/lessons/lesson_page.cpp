// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/lesson_page.h"

#include "controls/text_label.h"
#include "figures/figure_event.h"
#include "input/diagnostic.h"
#include "lessons/design_goals.h"
#include "lessons/lesson_figure.h"
#include "lessons/lesson_text.h"
#include "lessons/question_panel.h"
#include "theme/theme.h"

#include <QVBoxLayout>

#include <algorithm>

namespace meshwright {

namespace {

constexpr int widestText = 760; ///< logical pixels; longer lines are hard to read

QString textWithNumbers(const LessonStep *step, LessonEngine &engine) {
    try {
        // Any seed gives the same text, because a step without a question draws no random numbers.
        constexpr std::uint64_t seed = 1;
        return QString::fromStdString(filled_in(step->text, ask(*step, seed, engine)));
    } catch (const InputError &error) {
        return QString::fromStdString(step->text + "\n\n" + error.diagnostics().front().message.text);
    }
}

/// The text with placeholders for numbers that are not calculated yet.
std::string withoutNumbers(const LessonStep &step) {
    QString text = QString::fromStdString(step.text);
    for (const EngineValue &value : step.values)
        text.replace(QStringLiteral("{%1}").arg(QString::fromStdString(value.name)), QStringLiteral("…"));
    return text.toStdString();
}

} // namespace

LessonPage::LessonPage(const Library &library, QWidget *parent)
    : QWidget(parent)
    , m_library(library)
    , m_place(new TextLabel({}, TypeRole::Caption, ColourRole::Text3, TextWeight::Regular, this))
    , m_title(new TextLabel({}, TypeRole::Title, ColourRole::Text, TextWeight::SemiBold, this))
    , m_text(new LessonText(this))
    , m_figure(new LessonFigureCard(library, this))
    , m_question(new QuestionPanel(library, this))
    , m_numbers(std::make_unique<LatestWorker<Shown, QString>>(
          this, [](const Shown &shown, const std::stop_token &) { return textWithNumbers(shown.step, *shown.engine); },
          [this](const QString &text) { m_text->setText(text); })) {
    m_title->setObjectName(QStringLiteral("lessonStepTitle"));
    m_title->setWordWrap(true);
    showsNoFigures(m_place, NotFigures::name);
    showsNoFigures(m_title, NotFigures::name);
    m_text->setMaximumWidth(widestText);
    m_question->setTextWidth(widestText);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(24, 16, 24, 16);
    column->setSpacing(12);
    column->addWidget(m_place);
    column->addWidget(m_title);
    column->addWidget(m_text);
    column->addWidget(m_figure);
    column->addWidget(m_question);
    column->addStretch(1);
    connect(m_question, &QuestionPanel::asked, this, &LessonPage::showText);
}

LessonPage::~LessonPage() = default;

bool LessonPage::isSettled() const {
    return !m_numbers->isBusy() && m_figure->isSettled() && m_question->goals()->isSettled();
}

void LessonPage::showText() {
    const LessonStep &step = *m_shown.step;
    const std::optional<Question> &question = m_question->question();
    m_numbers->cancel();
    if (!is_question(step.kind) && !step.values.empty())
        m_numbers->ask(m_shown);
    m_text->setText(QString::fromStdString(is_question(step.kind) && question ? filled_in(step.text, *question)
                                               : step.values.empty()          ? step.text
                                                                              : withoutNumbers(step)));
}

void LessonPage::showStep(const std::shared_ptr<const Lesson> &lesson, int index, bool solved) {
    const LessonStep &step = lesson->steps[static_cast<std::size_t>(index)];
    m_place->setText(
        tr("%1, step %2 of %3").arg(QString::fromStdString(lesson->title)).arg(index + 1).arg(lesson->steps.size()));
    m_title->setText(QString::fromStdString(step.title));
    if (m_shown.lesson != lesson)
        m_shown.engine = std::make_shared<LessonEngine>(*lesson, m_library);
    m_shown.lesson = lesson;
    m_shown.step = &step;
    m_text->setVisible(!step.text.empty());
    m_figure->setVisible(step.figure.has_value());
    if (step.figure)
        m_figure->showFigure(*lesson, *step.figure);
    m_question->setVisible(is_question(step.kind));
    if (is_question(step.kind)) {
        const auto here = lesson->steps.begin() + index;
        const auto before =
            std::count_if(lesson->steps.begin(), here, [](const LessonStep &each) { return is_question(each.kind); });
        m_question->showStep(lesson, step, static_cast<int>(before) + 1, solved);
    }
    showText();
}

void LessonPage::addBelow(QWidget *widget) {
    auto *column = static_cast<QVBoxLayout *>(layout());
    column->insertWidget(column->indexOf(m_question) + 1, widget);
    widget->show();
}

void LessonPage::setScale(qreal scale) {
    m_text->setScale(scale);
    m_text->setMaximumWidth(qRound(widestText * scale));
    m_question->setScale(scale);
    m_question->setTextWidth(qRound(widestText * scale));
    QFont font = Theme::of(this).font(TypeRole::Title, TextWeight::SemiBold);
    font.setPixelSize(qRound(font.pixelSize() * scale));
    m_title->setFont(font);
}

} // namespace meshwright
