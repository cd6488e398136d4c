// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lessons/lesson.h"
#include "lessons/program.h"

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

#include <memory>

class QGraphicsView;
class QPushButton;
class QScrollArea;

namespace meshwright {

class LessonPage;
class LessonText;
class Library;
class TextLabel;

/// Presents a lesson: one step full screen in large type, with a clock. The speaker's notes and the title of the next
/// step are in a separate window, on the second screen if there is one. Right, Space and Page Down go to the next
/// step, Left and Page Up to the previous one; Esc ends.
class PresenterWindow : public QWidget {
    Q_OBJECT

public:
    explicit PresenterWindow(const Library &library, QWidget *parent = nullptr);
    ~PresenterWindow() override;

    void setRunner(const ProgramRunner &run);
    void showStep(const std::shared_ptr<const Lesson> &lesson, int step);
    void start(int minutes);
    LessonPage *page() const { return m_page; }
    QWidget *notesWindow() const { return m_notes.get(); }

Q_SIGNALS:
    void nextWanted();
    void backWanted();

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void closeEvent(QCloseEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void showClock();
    bool takesKey(int key, bool typing);

    LessonPage *m_page;
    QScrollArea *m_scroll;
    TextLabel *m_clock;
    std::unique_ptr<QWidget> m_notes;
    LessonText *m_noteText;
    TextLabel *m_nextTitle;
    TextLabel *m_noteClock;
    QTimer m_tick;
    QElapsedTimer m_since;
    int m_minutes = 30;
};

} // namespace meshwright
