// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lessons/question.h"
#include "models/latest_worker.h"

#include <QWidget>

#include <memory>

namespace meshwright {

class LessonFigureCard;
class LessonText;
class Library;
class QuestionPanel;
class TextLabel;

class LessonPage : public QWidget {
    Q_OBJECT

public:
    explicit LessonPage(const Library &library, QWidget *parent = nullptr);
    ~LessonPage() override;

    /// @param index  index of the step, from 0
    /// @param solved  whether the question was answered before
    void showStep(const std::shared_ptr<const Lesson> &lesson, int index, bool solved);
    /// Scales the font sizes, for presentations.
    void setScale(qreal scale);
    void addBelow(QWidget *widget);
    LessonFigureCard *figure() const { return m_figure; }
    QuestionPanel *question() const { return m_question; }
    /// Whether the numbers in the text, the figure and the goals are up to date.
    bool isSettled() const;

private:
    /// A step without a question, with text that contains engine values.
    struct Shown {
        std::shared_ptr<const Lesson> lesson; ///< shared ownership keeps the step valid
        const LessonStep *step = nullptr;
        std::shared_ptr<LessonEngine> engine; ///< only the worker thread uses the engine
    };
    void showText();

    const Library &m_library;
    Shown m_shown;
    TextLabel *m_place;
    TextLabel *m_title;
    LessonText *m_text;
    LessonFigureCard *m_figure;
    QuestionPanel *m_question;
    std::unique_ptr<LatestWorker<Shown, QString>>
        m_numbers; ///< last member, so that its thread ends before other members are destroyed
};

} // namespace meshwright
