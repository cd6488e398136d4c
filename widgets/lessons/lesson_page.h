// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lessons/lesson.h"

#include <QWidget>

#include <memory>

namespace meshwright {

class LessonFigureCard;
class LessonText;
class Library;
class QuestionPanel;
class TextLabel;

/// One step of a lesson: its title and text, a figure, a question.
class LessonPage : public QWidget {
    Q_OBJECT

public:
    explicit LessonPage(const Library &library, QWidget *parent = nullptr);

    /// @param index  of the step, from 0 @param solved  whether its question was answered before
    void showStep(const std::shared_ptr<const Lesson> &lesson, int index, bool solved);
    /// Factor of the type's sizes, for presentations.
    void setScale(qreal scale);
    /// Puts a widget below the question.
    void addBelow(QWidget *widget);
    LessonFigureCard *figure() const { return m_figure; }
    QuestionPanel *question() const { return m_question; }

private:
    TextLabel *m_place;
    TextLabel *m_title;
    LessonText *m_text;
    LessonFigureCard *m_figure;
    QuestionPanel *m_question;
};

} // namespace meshwright
