// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lessons/question.h"

#include <QWidget>

#include <string>
#include <vector>

class QVBoxLayout;

namespace meshwright {

class Card;
class LessonText;
class QuestionPanel;

/// The column next to a step: hints that are shown one by one, the glossary terms of the page, and the speaker notes.
class LessonSide : public QWidget {
    Q_OBJECT

public:
    explicit LessonSide(QWidget *parent = nullptr);

    void showStep(const LessonStep &step, const QuestionPanel &panel);
    /// Sets the margins between column and page. If the column is below the page, it needs no margins.
    void setBesidePage(bool beside);

Q_SIGNALS:
    /// Emitted after the user has opened a hint about a part of the step's figure.
    void partMarked(const std::string &part);

private:
    void showHints();
    void showTerms(const LessonStep &step);

    QStringList m_hints;
    std::vector<std::string> m_parts; ///< the part of the figure that each hint explains
    int m_shown = 0;
    Card *m_hintCard;
    QWidget *m_hintRows;
    Card *m_termCard;
    LessonText *m_terms;
    Card *m_noteCard;
    LessonText *m_notes;
};

} // namespace meshwright
