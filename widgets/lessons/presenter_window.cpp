// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/presenter_window.h"

#include "controls/page_scroll.h"
#include "controls/text_label.h"
#include "figures/figure_event.h"
#include "lessons/lesson_page.h"
#include "lessons/lesson_text.h"
#include "lessons/question_panel.h"
#include "theme/theme.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QVBoxLayout>

namespace meshwright {

namespace {

constexpr qreal typeScale = 1.6;
constexpr qreal noteScale = 1.3;

class NotesWindow : public QWidget {
public:
    using QWidget::QWidget;

protected:
    void paintEvent(QPaintEvent *) override {
        QPainter(this).fillRect(rect(), Theme::of(this).colour(ColourRole::Window));
    }
};

bool isTyping() {
    const QWidget *const focus = QApplication::focusWidget();
    return qobject_cast<const QLineEdit *>(focus) != nullptr || qobject_cast<const QPlainTextEdit *>(focus) != nullptr;
}

} // namespace

PresenterWindow::PresenterWindow(const Library &library, QWidget *parent)
    : QWidget(parent, Qt::Window)
    , m_page(new LessonPage(library))
    , m_scroll(new QScrollArea(this))
    , m_clock(new TextLabel({}, TypeRole::Title, ColourRole::Text3, TextWeight::Regular, this))
    , m_notes(std::make_unique<NotesWindow>(nullptr, Qt::Window))
    , m_noteText(new LessonText(m_notes.get()))
    , m_nextTitle(new TextLabel({}, TypeRole::Emphasis, ColourRole::Text2, TextWeight::Regular, m_notes.get()))
    , m_noteClock(new TextLabel({}, TypeRole::Figure, ColourRole::Text, TextWeight::Regular, m_notes.get())) {
    setObjectName(QStringLiteral("presenter"));
    setWindowTitle(tr("Presentation"));
    m_notes->setObjectName(QStringLiteral("presenterNotes"));
    m_notes->setWindowTitle(tr("Speaker notes"));
    for (QWidget *clock :
         {static_cast<QWidget *>(m_clock), static_cast<QWidget *>(m_noteClock), static_cast<QWidget *>(m_nextTitle)})
        showsNoFigures(clock, NotFigures::statistic);
    m_page->setScale(typeScale);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(48, 16, 48, 16);
    scrollPage(m_scroll, m_page);
    column->addWidget(m_scroll, 1);
    auto *bar = new QHBoxLayout;
    auto *back = new QPushButton(tr("Back"), this);
    auto *next = new QPushButton(tr("Next"), this);
    bar->addWidget(back);
    bar->addStretch(1);
    bar->addWidget(m_clock);
    bar->addStretch(1);
    bar->addWidget(next);
    column->addLayout(bar);
    auto *notes = new QVBoxLayout(m_notes.get());
    notes->setContentsMargins(24, 16, 24, 16);
    notes->addWidget(m_noteClock);
    notes->addWidget(m_noteText);
    notes->addStretch(1);
    notes->addWidget(m_nextTitle);
    m_noteText->setScale(noteScale);
    m_notes->installEventFilter(this);
    connect(back, &QPushButton::clicked, this, &PresenterWindow::backWanted);
    connect(next, &QPushButton::clicked, this, &PresenterWindow::nextWanted);
    connect(&m_tick, &QTimer::timeout, this, &PresenterWindow::showClock);
    m_tick.setInterval(1000);
}

PresenterWindow::~PresenterWindow() = default;

void PresenterWindow::setRunner(const ProgramRunner &run) {
    m_page->question()->setRunner(run);
}

void PresenterWindow::paintEvent(QPaintEvent *) {
    QPainter(this).fillRect(rect(), Theme::of(this).colour(ColourRole::Window));
}

void PresenterWindow::showStep(const std::shared_ptr<const Lesson> &lesson, int step) {
    m_page->showStep(lesson, step, false);
    const LessonStep &shown = lesson->steps[static_cast<std::size_t>(step)];
    m_noteText->setText(shown.notes.empty() ? tr("No notes for this step.") : QString::fromStdString(shown.notes));
    const bool isLast = step + 1 >= static_cast<int>(lesson->steps.size());
    m_nextTitle->setText(
        isLast ? tr("This is the last step.")
               : tr("Next: %1").arg(QString::fromStdString(lesson->steps[static_cast<std::size_t>(step) + 1].title)));
}

void PresenterWindow::start(int minutes) {
    m_minutes = minutes;
    m_since.start();
    m_tick.start();
    showClock();
    const QList<QScreen *> screens = QApplication::screens();
    m_notes->resize(640, 480);
    if (screens.size() > 1)
        m_notes->move(screens.at(1)->availableGeometry().topLeft());
    m_notes->show();
    showFullScreen();
    activateWindow();
}

void PresenterWindow::showClock() {
    const qint64 left = m_minutes * 60 - m_since.elapsed() / 1000;
    const qint64 shown = std::abs(left);
    const QString time = QStringLiteral("%1:%2").arg(shown / 60).arg(shown % 60, 2, 10, QLatin1Char('0'));
    m_clock->setText(left >= 0 ? tr("%1 left").arg(time) : tr("%1 over").arg(time));
    m_noteClock->setText(m_clock->text());
}

bool PresenterWindow::takesKey(int key, bool typing) {
    if (key == Qt::Key_Escape) {
        close();
        return true;
    }
    const bool forward = key == Qt::Key_PageDown || (!typing && (key == Qt::Key_Right || key == Qt::Key_Space));
    const bool backward = key == Qt::Key_PageUp || (!typing && key == Qt::Key_Left);
    if (forward)
        Q_EMIT nextWanted();
    if (backward)
        Q_EMIT backWanted();
    return forward || backward;
}

void PresenterWindow::keyPressEvent(QKeyEvent *event) {
    if (!takesKey(event->key(), isTyping()))
        QWidget::keyPressEvent(event);
}

bool PresenterWindow::eventFilter(QObject *watched, QEvent *event) {
    if (watched == m_notes.get() && event->type() == QEvent::KeyPress)
        return takesKey(static_cast<QKeyEvent *>(event)->key(), false);
    if (watched == m_notes.get() && event->type() == QEvent::Close)
        hide();
    return QWidget::eventFilter(watched, event);
}

void PresenterWindow::closeEvent(QCloseEvent *event) {
    m_tick.stop();
    m_notes->hide();
    QWidget::closeEvent(event);
}

} // namespace meshwright
