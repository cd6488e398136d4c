// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/lesson_page.h"

#include "controls/text_label.h"
#include "figures/figure_event.h"
#include "lessons/lesson_figure.h"
#include "lessons/lesson_text.h"
#include "lessons/question_panel.h"
#include "theme/theme.h"

#include <QVBoxLayout>

#include <algorithm>

namespace meshwright {

namespace {

constexpr int widestText = 760; ///< logical pixels; longer lines are hard to read

} // namespace

LessonPage::LessonPage(const Library &library, QWidget *parent)
    : QWidget(parent)
    , m_place(new TextLabel({}, TypeRole::Caption, ColourRole::Text3, TextWeight::Regular, this))
    , m_title(new TextLabel({}, TypeRole::Title, ColourRole::Text, TextWeight::SemiBold, this))
    , m_text(new LessonText(this))
    , m_figure(new LessonFigureCard(library, this))
    , m_question(new QuestionPanel(library, this)) {
    m_title->setObjectName(QStringLiteral("lessonStepTitle"));
    m_title->setWordWrap(true);
    showsNoFigures(m_place, NotFigures::name);
    showsNoFigures(m_title, NotFigures::name);
    m_text->setMaximumWidth(widestText);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(24, 16, 24, 16);
    column->setSpacing(12);
    column->addWidget(m_place);
    column->addWidget(m_title);
    column->addWidget(m_text);
    column->addWidget(m_figure);
    column->addWidget(m_question);
    column->addStretch(1);
}

void LessonPage::showStep(const std::shared_ptr<const Lesson> &lesson, int index, bool solved) {
    const LessonStep &step = lesson->steps[static_cast<std::size_t>(index)];
    m_place->setText(
        tr("%1, step %2 of %3").arg(QString::fromStdString(lesson->title)).arg(index + 1).arg(lesson->steps.size()));
    m_title->setText(QString::fromStdString(step.title));
    m_text->setText(QString::fromStdString(step.text));
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
    QFont font = Theme::of(this).font(TypeRole::Title, TextWeight::SemiBold);
    font.setPixelSize(qRound(font.pixelSize() * scale));
    m_title->setFont(font);
}

} // namespace meshwright
