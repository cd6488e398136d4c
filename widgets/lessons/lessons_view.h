// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lessons/lesson_progress.h"
#include "lessons/program.h"
#include "views/view.h"

#include <QPointer>

#include <memory>
#include <vector>

class QFileSystemWatcher;
class QLabel;
class QMenu;
class QPushButton;
class QScrollArea;

namespace meshwright {

class LessonOutline;
class LessonPage;
class LessonSide;
class Library;
class PresenterWindow;
class TextLabel;

/// The course: lessons of text, live figures and questions. Each lesson works on a plan of its own; the plan in the
/// window does not change.
class LessonsView : public View {
    Q_OBJECT

public:
    /// @param library  must outlive this view
    explicit LessonsView(const Library &library, QWidget *parent = nullptr);

    void takeFocus() override;

    void setRunner(const ProgramRunner &run);
    const LessonProgress &progress() const { return m_progress; }
    void setProgress(const LessonProgress &progress);

    const std::vector<std::shared_ptr<const Lesson>> &lessons();
    /// @param step  index from 0, or -1 for the first step that is not done
    void openStep(int lesson, int step = -1);
    int lesson() const { return m_lesson; }
    int step() const { return m_step; }
    void next();
    void back();
    void present();
    PresenterWindow *presenter() const;
    LessonPage *page() const { return m_page; }
    LessonOutline *outline() const { return m_outline; }
    bool isSettled() const;

    /// Adds a lesson's file to the list and opens it. The file is read again whenever it is saved.
    /// @returns the problem with the file in one line, or an empty string
    QString openFile(const QString &path);

Q_SIGNALS:
    void progressChanged();
    void planWanted(const nlohmann::ordered_json &document, const QString &name);
    /// Emitted when the user asks to export the handout of the open lesson.
    void handOutWanted(const QString &lesson);
    void fileWanted();
    void progressExportWanted();

protected:
    void showEvent(QShowEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void build();
    QWidget *newToolbar();
    QWidget *newFooter();
    void load();
    void showStep();
    void finishStep();
    void reveal(QWidget *part);
    bool isLast() const;
    void rereadFile();
    std::shared_ptr<const Lesson> current() const;

    const Library &m_library;
    std::vector<std::shared_ptr<const Lesson>> m_lessons;
    bool m_loaded = false;
    LessonProgress m_progress;
    int m_lesson = 0;
    int m_step = 0;
    QString m_file; ///< lesson file that an instructor is writing; may be empty
    QFileSystemWatcher *m_watch;
    LessonOutline *m_outline;
    QScrollArea *m_scroll;
    LessonPage *m_page;
    QScrollArea *m_sideScroll;
    LessonSide *m_side;
    QPushButton *m_back = nullptr;
    QPushButton *m_next = nullptr;
    TextLabel *m_place = nullptr;
    TextLabel *m_problem = nullptr;
    QPointer<PresenterWindow> m_presenter;
};

} // namespace meshwright
