// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lessons/lesson.h"
#include "lessons/lesson_progress.h"

#include <QWidget>

#include <memory>
#include <vector>

class QTreeWidget;
class QTreeWidgetItem;

namespace meshwright {

class TextLabel;

/// The list of lessons with the progress of each, and the steps of the open lesson.
class LessonOutline : public QWidget {
    Q_OBJECT

public:
    explicit LessonOutline(QWidget *parent = nullptr);

    void setLessons(const std::vector<std::shared_ptr<const Lesson>> &lessons);
    void showProgress(const LessonProgress &progress);
    void select(int lesson, int step);
    QTreeWidget *tree() const { return m_tree; }

Q_SIGNALS:
    void stepWanted(int lesson, int step);
    /// Enter was pressed on a lesson or a step, so the page should take the keyboard focus.
    void stepEntered();

protected:
    void paintEvent(QPaintEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    std::vector<std::shared_ptr<const Lesson>> m_lessons;
    TextLabel *m_count;
    class ProgressLine *m_line;
    QTreeWidget *m_tree;
    bool m_selecting = false;
    bool m_staysOnLesson = false; ///< whether a lesson's row that was selected by keyboard stays selected
};

} // namespace meshwright
