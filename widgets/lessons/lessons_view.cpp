// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/lessons_view.h"

#include "catalog/library.h"
#include "controls/page_scroll.h"
#include "controls/text_label.h"
#include "figures/figure_event.h"
#include "input/diagnostic.h"
#include "lessons/lesson_figure.h"
#include "lessons/lesson_outline.h"
#include "lessons/lesson_page.h"
#include "lessons/lesson_side.h"
#include "lessons/lessons.h"
#include "lessons/presenter_window.h"
#include "lessons/question_panel.h"
#include "theme/control_states.h"
#include "theme/icon.h"
#include "theme/theme.h"

#include <QFileInfo>
#include <QFileSystemWatcher>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QShortcut>
#include <QTimer>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace meshwright {

namespace {

constexpr int outlineWidth = 296;
constexpr int sideWidth = 300;
constexpr int widestPage = 1088; ///< on wider pages, figures would be far wider than the text
constexpr int narrow = 1150; ///< below this width, hints are at the end of the page
/// Milliseconds until a changed file is read again, because editors write a file in several steps.
constexpr int rereadPause = 150;

} // namespace

LessonsView::LessonsView(const Library &library, QWidget *parent)
    : View({.name = QStringLiteral("lessonsView"),
            .title = tr("Lessons"),
            .icon = QStringLiteral("lessons"),
            .docks = Docks::Hidden,
            .keys = QKeySequence(Qt::CTRL | Qt::Key_0)},
           parent)
    , m_library(library)
    , m_watch(new QFileSystemWatcher(this))
    , m_outline(new LessonOutline(this))
    , m_scroll(new QScrollArea(this))
    , m_page(new LessonPage(library))
    , m_sideScroll(new QScrollArea(this))
    , m_side(new LessonSide) {
    build();
    connect(m_outline, &LessonOutline::stepWanted, this, &LessonsView::openStep);
    connect(m_outline, &LessonOutline::stepEntered, this, &LessonsView::takeFocus);
    connect(m_page->question(), &QuestionPanel::solved, this, &LessonsView::finishStep);
    connect(m_page->question(), &QuestionPanel::judged, this, [this] { reveal(m_page->question()->verdict()); });
    connect(m_page->question(), &QuestionPanel::edited, this, [this] {
        QWidget *const typed = window()->focusWidget();
        if (m_page->question()->isAncestorOf(typed))
            reveal(typed);
    });
    connect(m_page->question(), &QuestionPanel::asked, this, [this] {
        if (const std::shared_ptr<const Lesson> lesson = current())
            m_side->showStep(lesson->steps[static_cast<std::size_t>(m_step)], *m_page->question());
    });
    connect(m_page->figure(), &LessonFigureCard::planWanted, this, &LessonsView::planWanted);
    connect(m_side, &LessonSide::partMarked, m_page->figure(), &LessonFigureCard::mark);
    const auto shortcut = [this](const QKeySequence &keys, void (LessonsView::*run)()) {
        connect(new QShortcut(keys, this, nullptr, nullptr, Qt::WidgetWithChildrenShortcut), &QShortcut::activated,
                this, run);
    };
    shortcut(QKeySequence(Qt::ALT | Qt::Key_Right), &LessonsView::next);
    shortcut(QKeySequence(Qt::ALT | Qt::Key_Left), &LessonsView::back);
    shortcut(QKeySequence(Qt::Key_F5), &LessonsView::present);
    connect(Theme::notifier(), &ThemeNotifier::changed, this,
            [this] { m_outline->showProgress(m_progress); }); // the progress rings are pixmaps and must be drawn again
    auto *pause = new QTimer(this);
    pause->setSingleShot(true);
    pause->setInterval(rereadPause);
    connect(m_watch, &QFileSystemWatcher::fileChanged, pause, qOverload<>(&QTimer::start));
    connect(pause, &QTimer::timeout, this, &LessonsView::rereadFile);
}

void LessonsView::build() {
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    m_outline->setFixedWidth(outlineWidth);
    row->addWidget(m_outline);
    auto *middle = new QWidget(this);
    middle->setMaximumWidth(widestPage);
    auto *centre = new QVBoxLayout(middle);
    centre->setContentsMargins(0, 0, 0, 0);
    centre->setSpacing(0);
    m_problem = new TextLabel({}, TypeRole::Body, ColourRole::Bad, TextWeight::Regular, this);
    m_problem->setWordWrap(true);
    m_problem->setContentsMargins(24, 8, 24, 0);
    m_problem->hide();
    centre->addWidget(newToolbar());
    centre->addWidget(m_problem);
    scrollPage(m_scroll, m_page);
    centre->addWidget(m_scroll, 1);
    centre->addWidget(newFooter());
    row->addStretch();
    row->addWidget(middle, 1);
    scrollPage(m_sideScroll, m_side);
    m_sideScroll->setFixedWidth(sideWidth);
    row->addWidget(m_sideScroll);
    row->addStretch();
}

QWidget *LessonsView::newToolbar() {
    auto *bar = new QWidget(this);
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(24, 8, 24, 0);
    row->setSpacing(8);
    row->addStretch(1);
    const auto button = [&](const QString &text, const QString &icon, const QString &tip, const QString &name) {
        auto *pressed = new QPushButton(icons::icon(icon), text, bar);
        pressed->setObjectName(name);
        pressed->setToolTip(tip);
        row->addWidget(pressed);
        return pressed;
    };
    auto *present = button(tr("Present"), QStringLiteral("present"),
                           tr("Shows the lesson full screen in large type, with the notes in a separate window (F5)"),
                           QStringLiteral("lessonPresent"));
    connect(present, &QPushButton::clicked, this, &LessonsView::present);
    auto *handOut = button(tr("Handout"), QStringLiteral("pdf"),
                           tr("Exports the lesson with its questions as PDF, and a key with the answers"),
                           QStringLiteral("lessonHandOut"));
    connect(handOut, &QPushButton::clicked, this, [this] {
        if (const std::shared_ptr<const Lesson> lesson = current())
            Q_EMIT handOutWanted(QString::fromStdString(lesson->id));
    });
    auto *more = button(tr("More"), QStringLiteral("more"), tr("Lessons from files, and progress"),
                        QStringLiteral("lessonMore"));
    auto *menu = new QMenu(more);
    connect(menu->addAction(tr("Open lesson file ...")), &QAction::triggered, this, &LessonsView::fileWanted);
    connect(menu->addAction(tr("Export progress ...")), &QAction::triggered, this, &LessonsView::progressExportWanted);
    connect(menu->addAction(tr("Reset progress of this lesson")), &QAction::triggered, this, [this] {
        if (const std::shared_ptr<const Lesson> lesson = current())
            m_progress.reset(QString::fromStdString(lesson->id));
        setProgress(m_progress);
        Q_EMIT progressChanged();
    });
    connect(menu->addAction(tr("Reset all progress")), &QAction::triggered, this, [this] {
        setProgress({});
        Q_EMIT progressChanged();
    });
    more->setMenu(menu);
    return bar;
}

QWidget *LessonsView::newFooter() {
    auto *bar = new QWidget(this);
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(24, 8, 24, 12);
    m_back = new QPushButton(tr("Back"), bar);
    m_back->setObjectName(QStringLiteral("lessonBack"));
    m_back->setToolTip(tr("Previous step (Alt+Left)"));
    m_next = new QPushButton(tr("Next"), bar);
    m_next->setObjectName(QStringLiteral("lessonNext"));
    m_next->setToolTip(tr("Next step (Alt+Right)"));
    setButtonRole(m_next, ButtonRole::Primary);
    m_place = new TextLabel({}, TypeRole::Caption, ColourRole::Text3, TextWeight::Regular, bar);
    showsNoFigures(m_place, NotFigures::statistic);
    row->addWidget(m_back);
    row->addStretch(1);
    row->addWidget(m_place);
    row->addStretch(1);
    row->addWidget(m_next);
    connect(m_back, &QPushButton::clicked, this, &LessonsView::back);
    connect(m_next, &QPushButton::clicked, this, &LessonsView::next);
    return bar;
}

void LessonsView::setRunner(const ProgramRunner &run) {
    m_page->question()->setRunner(run);
}

void LessonsView::setProgress(const LessonProgress &progress) {
    m_progress = progress;
    if (m_loaded)
        m_outline->showProgress(m_progress);
}

const std::vector<std::shared_ptr<const Lesson>> &LessonsView::lessons() {
    load();
    return m_lessons;
}

void LessonsView::load() {
    if (m_loaded)
        return;
    m_loaded = true;
    m_lessons = Lessons::standard().all();
    QStringList problems;
    for (const InvalidLesson &invalid : Lessons::standard().invalid())
        problems.append(QString::fromStdString(invalid.problem));
    m_problem->setText(problems.join(QLatin1Char('\n')));
    m_problem->setVisible(!problems.isEmpty());
    m_outline->setLessons(m_lessons);
    m_outline->showProgress(m_progress);
}

std::shared_ptr<const Lesson> LessonsView::current() const {
    return m_lesson < static_cast<int>(m_lessons.size()) ? m_lessons[static_cast<std::size_t>(m_lesson)] : nullptr;
}

void LessonsView::showEvent(QShowEvent *event) {
    const bool isFirst = !m_loaded;
    load();
    if (isFirst)
        openStep(0);
    View::showEvent(event);
}

void LessonsView::resizeEvent(QResizeEvent *event) {
    const bool hasRoom = width() >= narrow;
    if (hasRoom && m_sideScroll->widget() == nullptr) {
        m_sideScroll->setWidget(m_side);
        m_side->show();
    } else if (!hasRoom && m_sideScroll->widget() != nullptr) {
        m_page->addBelow(m_sideScroll->takeWidget());
    }
    m_side->setBesidePage(hasRoom);
    m_sideScroll->setVisible(hasRoom);
    View::resizeEvent(event);
}

void LessonsView::keyPressEvent(QKeyEvent *event) {
    const int key = event->key();
    if (key == Qt::Key_PageDown || key == Qt::Key_PageUp)
        m_scroll->verticalScrollBar()->triggerAction(key == Qt::Key_PageDown ? QAbstractSlider::SliderPageStepAdd
                                                                             : QAbstractSlider::SliderPageStepSub);
    else
        View::keyPressEvent(event);
}

/// Scrolls to a part of the page after the page has been laid out.
void LessonsView::reveal(QWidget *part) {
    QTimer::singleShot(0, part, [this, part] { m_scroll->ensureWidgetVisible(part); });
}

void LessonsView::openStep(int lesson, int step) {
    load();
    if (lesson < 0 || lesson >= static_cast<int>(m_lessons.size()))
        return;
    m_lesson = lesson;
    const Lesson &opened = *current();
    m_step = std::min(step, static_cast<int>(opened.steps.size()) - 1);
    if (m_step < 0) {
        const auto first = std::find_if(opened.steps.begin(), opened.steps.end(), [&](const LessonStep &each) {
            return !m_progress.isDone(QString::fromStdString(opened.id), QString::fromStdString(each.id));
        });
        m_step = first == opened.steps.end() ? 0 : static_cast<int>(first - opened.steps.begin());
    }
    showStep();
}

void LessonsView::showStep() {
    const std::shared_ptr<const Lesson> lesson = current();
    const LessonStep &step = lesson->steps[static_cast<std::size_t>(m_step)];
    const QString id = QString::fromStdString(lesson->id);
    m_page->showStep(lesson, m_step, m_progress.isDone(id, QString::fromStdString(step.id)));
    m_side->showStep(step, *m_page->question());
    m_outline->select(m_lesson, m_step);
    m_back->setEnabled(m_step > 0 || m_lesson > 0);
    m_next->setText(isLast() ? tr("Done") : tr("Next"));
    m_next->setEnabled(!isLast()
                       || (!is_question(step.kind) && !m_progress.isDone(id, QString::fromStdString(step.id))));
    m_place->setText(tr("Step %1 of %2").arg(m_step + 1).arg(lesson->steps.size()));
    m_scroll->ensureVisible(0, 0);
    if (m_presenter != nullptr)
        m_presenter->showStep(lesson, m_step);
}

void LessonsView::finishStep() {
    const std::shared_ptr<const Lesson> lesson = current();
    if (lesson == nullptr)
        return;
    const QString step = QString::fromStdString(lesson->steps[static_cast<std::size_t>(m_step)].id);
    if (!m_progress.setDone(QString::fromStdString(lesson->id), step))
        return;
    m_outline->showProgress(m_progress);
    Q_EMIT progressChanged();
}

void LessonsView::next() {
    const std::shared_ptr<const Lesson> lesson = current();
    if (lesson == nullptr)
        return;
    if (!is_question(lesson->steps[static_cast<std::size_t>(m_step)].kind))
        finishStep(); // a step without a question is done once the reader has seen it
    if (isLast())
        m_next->setEnabled(false);
    else if (m_step + 1 < static_cast<int>(lesson->steps.size()))
        openStep(m_lesson, m_step + 1);
    else
        openStep(m_lesson + 1, 0);
    takeFocus();
}

bool LessonsView::isLast() const {
    return m_lesson + 1 >= static_cast<int>(m_lessons.size())
        && m_step + 1 >= static_cast<int>(m_lessons.back()->steps.size());
}

void LessonsView::back() {
    if (m_step > 0)
        openStep(m_lesson, m_step - 1);
    else if (m_lesson > 0)
        openStep(m_lesson - 1, static_cast<int>(m_lessons[static_cast<std::size_t>(m_lesson) - 1]->steps.size()) - 1);
    takeFocus();
}

void LessonsView::present() {
    const std::shared_ptr<const Lesson> lesson = current();
    if (lesson == nullptr)
        return;
    if (m_presenter == nullptr) {
        m_presenter = new PresenterWindow(m_library, this);
        m_presenter->setRunner(m_page->question()->runner());
        connect(m_presenter, &PresenterWindow::nextWanted, this, &LessonsView::next);
        connect(m_presenter, &PresenterWindow::backWanted, this, &LessonsView::back);
    }
    m_presenter->showStep(lesson, m_step);
    m_presenter->start(lesson->minutes > 0 ? static_cast<int>(lesson->minutes) : 30);
}

PresenterWindow *LessonsView::presenter() const {
    return m_presenter;
}

bool LessonsView::isSettled() const {
    return m_loaded && m_page->isSettled();
}

void LessonsView::takeFocus() {
    if (m_page->question()->isVisible())
        m_page->question()->takeFocus();
    else
        m_next->setFocus();
}

QString LessonsView::openFile(const QString &path) {
    load();
    try {
        auto lesson = std::make_shared<const Lesson>(read_lesson_file(path.toStdString(), m_library));
        if (!m_file.isEmpty()) {
            m_watch->removePath(m_file);
            m_lessons.back() = lesson;
        } else {
            m_lessons.push_back(lesson);
        }
        m_file = path;
        m_watch->addPath(path);
        m_problem->hide();
        m_outline->setLessons(m_lessons);
        m_outline->showProgress(m_progress);
        openStep(static_cast<int>(m_lessons.size()) - 1, 0);
        return {};
    } catch (const InputError &error) {
        return QString::fromStdString(one_line(QFileInfo(path).fileName().toStdString(), error.diagnostics()));
    } catch (const FileError &error) {
        return QString::fromStdString(error.what());
    }
}

void LessonsView::rereadFile() {
    if (m_file.isEmpty())
        return;
    const int step = m_step;
    const bool isOpen = m_lesson + 1 == static_cast<int>(m_lessons.size());
    const QString path = m_file;
    const QString problem = openFile(path);
    if (!m_watch->files().contains(path))
        m_watch->addPath(path); // the watch ends when an editor renames a new file to this path
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
    if (problem.isEmpty() && isOpen)
        openStep(static_cast<int>(m_lessons.size()) - 1, step);
}

} // namespace meshwright
