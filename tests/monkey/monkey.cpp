// SPDX-License-Identifier: GPL-3.0-or-later
#include "monkey.h"

#include "catalog/library.h"
#include "freed_memory.h"
#include "hostile_files.h"
#include "main_window.h"
#include "settings.h"

#include <QAction>
#include <QApplication>
#include <QDir>
#include <QDragEnterEvent>
#include <QElapsedTimer>
#include <QFile>
#include <QMimeData>
#include <QPointer>
#include <QTest>
#include <QThread>
#include <QTimer>
#include <QUrl>
#include <QWheelEvent>
#include <QWindow>

#include <malloc.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>

namespace meshwright {

namespace {

constexpr std::array plans{"preset:smollm-135m", "preset:llama3-405b-16k", "preset:deepseek-v3", "preset:ten-to-25",
                           "preset:megatron-1t-2021"};

/// Ends the program if the window does not return from an action. Computation is limited by processor time, which other
/// programs do not affect; waiting is limited by wall-clock time.
void endWhereItHangs() {
    constexpr time_t maxProcessorSeconds = 120;
    constexpr unsigned maxSeconds = 1200;
    const itimerval most{.it_interval = {}, .it_value = {.tv_sec = maxProcessorSeconds, .tv_usec = 0}};
    setitimer(ITIMER_PROF, &most, nullptr);
    alarm(maxSeconds);
}

constexpr double mebibyte = 1 << 20;

/// Memory that the program uses, without memory that the allocator keeps free.
double usedMebibytes() {
    const struct mallinfo2 all = mallinfo2();
    return double(all.uordblks + all.hblkhd) / mebibyte;
}

QString named(const QWidget &widget) {
    return QStringLiteral("%1 %2").arg(QString::fromLatin1(widget.metaObject()->className()), widget.objectName());
}

/// Returns the point, or the nearest point within the window if an earlier event made the window smaller.
QPoint placeIn(const QWindow &window, const QPoint &place) {
    return {std::clamp(place.x(), 0, std::max(window.width() - 1, 0)),
            std::clamp(place.y(), 0, std::max(window.height() - 1, 0))};
}

/// Presses and releases. If the press destroys the window, nothing more is sent: Qt Test would use a deleted window.
void tap(const QPointer<QWindow> &window, Qt::MouseButton button, Qt::KeyboardModifiers modifiers,
         const QPoint &place) {
    if (window)
        QTest::mousePress(window, button, modifiers, placeIn(*window, place));
    if (window)
        QTest::mouseRelease(window, button, modifiers, placeIn(*window, place));
}

/// Presses and releases a key with its modifiers, which are keys of their own: each of them may close a menu and so
/// destroy the window, which QTest::sendKeyEvent() would continue to use.
void tap(const QPointer<QWindow> &window, Qt::Key key, const QString &text, Qt::KeyboardModifiers modifiers) {
    struct Modifier {
        Qt::KeyboardModifier flag;
        Qt::Key key;
    };
    constexpr std::array all{Modifier{Qt::ShiftModifier, Qt::Key_Shift}, Modifier{Qt::ControlModifier, Qt::Key_Control},
                             Modifier{Qt::AltModifier, Qt::Key_Alt}, Modifier{Qt::MetaModifier, Qt::Key_Meta}};
    Qt::KeyboardModifiers held;
    const auto send = [&](bool press, Qt::Key code, const QString &typed) {
        if (window)
            QTest::simulateEvent(window, press, code, held, typed, false);
    };
    for (const Modifier &modifier : all)
        if (modifiers.testFlag(modifier.flag)) {
            send(true, modifier.key, {});
            held.setFlag(modifier.flag);
        }
    send(true, key, text);
    send(false, key, text);
    for (const Modifier &modifier : all)
        if (held.testFlag(modifier.flag)) {
            send(false, modifier.key, {});
            held.setFlag(modifier.flag, false);
        }
}

void tap(QWindow *window, Qt::Key key, Qt::KeyboardModifiers modifiers) {
    tap(window, key, QString(QLatin1Char(QTest::keyToAscii(key))), modifiers);
}

} // namespace

const std::vector<Monkey::Kind> &Monkey::kinds() {
    static const std::vector<Kind> all{
        {30, &Monkey::click},   {8, &Monkey::clickAnywhere}, {3, &Monkey::clickRight}, {4, &Monkey::clickTwice},
        {10, &Monkey::drag},    {8, &Monkey::wheel},         {6, &Monkey::hover},      {20, &Monkey::key},
        {8, &Monkey::shortcut}, {10, &Monkey::type},         {3, &Monkey::drop},       {1, &Monkey::resize},
        {3, &Monkey::rest},
    };
    return all;
}

Monkey::Monkey(const Wanted &wanted)
    : m_wanted(wanted)
    , m_random(wanted.seed)
    , m_prompts([this] { return fileToWrite(); })
    , m_settings(std::make_unique<Settings>(m_folder.filePath(QStringLiteral("settings.ini")))) {
    const QString files = m_folder.filePath(QStringLiteral("files"));
    QDir().mkpath(files);
    m_files = writeHostileFiles(files);
    if (!wanted.log.isEmpty()) {
        m_log = std::make_unique<QFile>(wanted.log);
        if (!m_log->open(QIODevice::WriteOnly | QIODevice::Unbuffered))
            m_log.reset();
    }
    m_next.setSingleShot(true);
    connect(&m_next, &QTimer::timeout, this, &Monkey::act);
    open();
}

Monkey::~Monkey() = default;

void Monkey::open() {
    m_window = std::make_unique<MainWindow>(Library::standard(), *m_settings, m_prompts,
                                            m_folder.filePath(QStringLiteral("autosave")));
    m_window->resize(1440, 900);
    m_window->openAtStart({});
    m_window->show();
    m_window->offerRecovery();
}

int Monkey::below(int end) {
    // std::uniform_int_distribution may give different numbers with another standard library.
    return end <= 0 ? 0 : int(m_random() % unsigned(end));
}

QString Monkey::fileToWrite() {
    constexpr int names = 4;
    switch (below(names)) {
    case 0:
        return {};
    case 1:
        return m_files[below(int(m_files.size()))];
    default:
        return m_folder.filePath(QStringLiteral("saved-%1.json").arg(below(names)));
    }
}

QWidget *Monkey::top() const {
    if (QWidget *popup = QApplication::activePopupWidget())
        return popup;
    if (QWidget *modal = QApplication::activeModalWidget())
        return modal;
    return m_window.get();
}

void Monkey::run() {
    m_clock.start();
    m_next.start(0);
    while (m_done < m_wanted.actions)
        QApplication::exec(); // Quit is an action like any other
}

void Monkey::act() {
    const int level = QThread::currentThread()->loopLevel();
    if (!m_levels.empty() && level <= m_levels.back()) {
        m_next.start(1); // the current action is still processing events and may start an event loop
        return;
    }
    took(QStringLiteral("after %1").arg(m_last));
    if (m_done >= m_wanted.actions) {
        for (QWidget *each : QApplication::topLevelWidgets())
            each->hide(); // ends the event loops of dialogs and menus
        QApplication::exit();
        return;
    }
    endWhereItHangs();
    const int before = ++m_done;
    m_levels.push_back(level);
    m_next.start(0); // continues in the event loop that the action starts
    doSomething();
    m_levels.pop_back();
    if (m_done == before)
        took(m_last);
    if (before % std::max(1, m_wanted.actions / 100) == 0)
        m_memory.push_back({.resident = FreedMemory::resident() / mebibyte, .used = usedMebibytes()});
    m_clock.start();
    m_next.start(0);
}

void Monkey::doSomething() {
    m_clock.start();
    if (!m_window->isVisible())
        m_window->show();
    const int part = std::max(1, m_wanted.actions / int(plans.size()));
    if (m_done / part != m_part && top() == m_window.get()) {
        m_part = m_done / part;
        const QString plan = QString::fromLatin1(plans[std::size_t(m_part) % plans.size()]);
        note(QStringLiteral("open ") + plan);
        m_window->openAtStart(plan);
        return;
    }
    int weight = 0;
    for (const Kind &kind : kinds())
        weight += kind.weight;
    int drawn = below(weight);
    const Kind *chosen = kinds().data();
    while (drawn >= chosen->weight)
        drawn -= (chosen++)->weight;
    (this->*chosen->act)(*top());
}

void Monkey::took(const QString &what) {
    const double seconds = double(m_clock.elapsed()) / 1000;
    if (seconds <= m_longestSeconds)
        return;
    m_longestSeconds = seconds;
    m_longest = what;
}

void Monkey::note(const QString &what) {
    m_last = what;
    if (m_log)
        m_log->write(QStringLiteral("%1 %2\n").arg(m_done).arg(what).toUtf8());
}

/// Returns a random point of a widget, more often near its middle.
QPoint Monkey::somewhere(const QWidget &in) {
    const QPoint any(below(in.width()), below(in.height()));
    return below(2) == 0 ? any : (any + in.rect().center()) / 2;
}

/// Returns a random usable widget, large or small with equal probability.
QWidget &Monkey::someWidget(QWidget &in) {
    QList<QWidget *> all = in.findChildren<QWidget *>();
    all.removeIf([&in](const QWidget *each) {
        return !each->isVisibleTo(&in) || !each->isEnabled() || each->window() != in.window()
            || each->visibleRegion().isEmpty();
    });
    return all.isEmpty() ? in : *all[below(int(all.size()))];
}

/// @returns the widget's point in coordinates of its window
QPoint Monkey::aim(QWidget &at, const QPoint &point, const char *what) {
    const QWidget *window = at.window();
    const QPoint in = at.mapTo(window, point);
    const QPoint place(std::clamp(in.x(), 0, window->width() - 1), std::clamp(in.y(), 0, window->height() - 1));
    note(QStringLiteral("%1 %2 at %3,%4 in %5")
             .arg(QLatin1String(what), named(at))
             .arg(place.x())
             .arg(place.y())
             .arg(named(*window)));
    return place;
}

void Monkey::press(QWidget &at, const char *what, Qt::MouseButton button, Qt::KeyboardModifiers modifiers) {
    const QPoint place = aim(at, somewhere(at), what);
    tap(at.window()->windowHandle(), button, modifiers, place);
}

void Monkey::click(QWidget &top) {
    press(someWidget(top), "click", Qt::LeftButton, someModifier());
}

void Monkey::clickAnywhere(QWidget &top) {
    press(top, "click", Qt::LeftButton);
}

void Monkey::clickRight(QWidget &top) {
    press(someWidget(top), "right click", Qt::RightButton);
}

void Monkey::clickTwice(QWidget &top) {
    QWidget &at = someWidget(top);
    const QPoint place = aim(at, somewhere(at), "double click");
    if (QWindow *window = top.windowHandle())
        QTest::mouseDClick(window, Qt::LeftButton, {}, placeIn(*window, place));
}

void Monkey::drag(QWidget &top) {
    QWidget &at = someWidget(top);
    const QPoint from = aim(at, somewhere(at), "drag");
    QPoint to = from;
    const QPointer<QWindow> window = top.windowHandle();
    const QSize size = top.window()->size();
    if (window)
        QTest::mousePress(window, Qt::LeftButton, {}, placeIn(*window, from));
    constexpr int farthest = 160;
    for (int moves = 2 + below(5); moves > 0; --moves) {
        to += {below(farthest) - farthest / 2, below(farthest / 2) - farthest / 4};
        to = {std::clamp(to.x(), 0, size.width() - 1), std::clamp(to.y(), 0, size.height() - 1)};
        if (window)
            QTest::mouseMove(window, placeIn(*window, to));
    }
    if (window)
        QTest::mouseRelease(window, Qt::LeftButton, {}, placeIn(*window, to));
}

void Monkey::wheel(QWidget &top) {
    QWidget &at = someWidget(top);
    const QPoint point = somewhere(at);
    aim(at, point, "wheel");
    constexpr int notch = 120;
    const int turned = (below(2) == 0 ? 1 : -1) * notch * (1 + below(4));
    QWheelEvent event(point, at.mapToGlobal(point), {}, {0, turned}, Qt::NoButton, someModifier(), Qt::NoScrollPhase,
                      false);
    QApplication::sendEvent(&at, &event);
}

void Monkey::hover(QWidget &top) {
    QWidget &at = someWidget(top);
    const QPoint place = aim(at, somewhere(at), "hover");
    if (QWindow *window = top.windowHandle())
        QTest::mouseMove(window, placeIn(*window, place));
}

void Monkey::key(QWidget &top) {
    static const std::vector<Qt::Key> keys{
        Qt::Key_Tab,   Qt::Key_Tab,    Qt::Key_Backtab,    Qt::Key_Return,    Qt::Key_Enter, Qt::Key_Escape,
        Qt::Key_Space, Qt::Key_Left,   Qt::Key_Right,      Qt::Key_Up,        Qt::Key_Down,  Qt::Key_PageUp,
        Qt::Key_Home,  Qt::Key_End,    Qt::Key_PageDown,   Qt::Key_Backspace, Qt::Key_F1,    Qt::Key_Delete,
        Qt::Key_F2,    Qt::Key_F10,    Qt::Key_Plus,       Qt::Key_Minus,     Qt::Key_A,     Qt::Key_G,
        Qt::Key_H,     Qt::Key_Slash,  Qt::Key_Question,   Qt::Key_0,         Qt::Key_7,     Qt::Key_Alt,
        Qt::Key_Menu,  Qt::Key_Period, Qt::Key_BracketLeft};
    const Qt::Key pressed = keys[size_t(below(int(keys.size())))];
    note(QStringLiteral("key %1 in %2").arg(QKeySequence(pressed).toString(), named(top)));
    tap(top.windowHandle(), pressed, someModifier());
}

void Monkey::shortcut(QWidget &top) {
    QList<QKeySequence> all;
    for (const QAction *action : m_window->findChildren<QAction *>())
        all += action->shortcuts();
    if (all.isEmpty())
        return;
    // Closing a file would be as frequent as all other shortcuts together if every key had the same probability.
    const QKeySequence &chosen = all[below(int(all.size()))];
    if (chosen.matches(QKeySequence::Quit) == QKeySequence::ExactMatch && below(8) != 0)
        return;
    note(QStringLiteral("shortcut %1 in %2").arg(chosen.toString(), named(top)));
    tap(top.windowHandle(), chosen[0].key(), chosen[0].keyboardModifiers());
}

void Monkey::type(QWidget &top) {
    static const QStringList texts{QStringLiteral("0"),
                                   QStringLiteral("1"),
                                   QStringLiteral("8"),
                                   QStringLiteral("64"),
                                   QStringLiteral("-1"),
                                   QStringLiteral("3.5"),
                                   QStringLiteral("4k"),
                                   QStringLiteral("1e308"),
                                   QStringLiteral("1e-30"),
                                   QStringLiteral("nan"),
                                   QStringLiteral("inf"),
                                   QStringLiteral("8 TB"),
                                   QStringLiteral("40 %"),
                                   QStringLiteral("2 days"),
                                   QStringLiteral("x = 1"),
                                   QStringLiteral("/dev/zero"),
                                   QStringLiteral("2*3+4"),
                                   QStringLiteral("<b>bold</b>"),
                                   QStringLiteral("Tt|ttL"),
                                   QString(300, QLatin1Char('9')),
                                   QStringLiteral("\u202e\U0001F600 %1"),
                                   QStringLiteral("10000000"),
                                   QStringLiteral("bf16")};
    const QString &text = texts[below(int(texts.size()))];
    note(QStringLiteral("type %1 in %2").arg(text.left(20), named(top)));
    // Sends keys to the focused widget, as a keyboard does.
    const QPointer<QWindow> window = top.windowHandle();
    for (const QChar letter : text)
        tap(window, Qt::Key_unknown, QString(letter), Qt::NoModifier);
    if (below(4) != 0)
        tap(window, below(2) == 0 ? Qt::Key_Return : Qt::Key_Tab, Qt::NoModifier);
}

void Monkey::drop(QWidget &top) {
    const QString &file = m_files[below(int(m_files.size()))];
    note(QStringLiteral("drop %1 on %2").arg(file, named(top)));
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(file)});
    const QPoint place = top.rect().center();
    QDragEnterEvent enter(place, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&top, &enter);
    QDropEvent dropped(place, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    if (enter.isAccepted())
        QApplication::sendEvent(&top, &dropped);
}

void Monkey::resize(QWidget &) {
    const QSize size(900 + below(1200), 560 + below(700));
    note(QStringLiteral("resize to %1x%2").arg(size.width()).arg(size.height()));
    m_window->resize(size);
}

/// Waits for background work to finish.
void Monkey::rest(QWidget &) {
    constexpr int longest = 400; // milliseconds
    const int pause = below(longest);
    note(QStringLiteral("rest %1 ms").arg(pause));
    m_next.start(pause);
    QTest::qWait(pause);
    m_clock.start();
}

Qt::KeyboardModifiers Monkey::someModifier() {
    switch (below(16)) {
    case 0:
        return Qt::ShiftModifier;
    case 1:
        return Qt::ControlModifier;
    case 2:
        return Qt::AltModifier;
    default:
        return Qt::NoModifier;
    }
}

} // namespace meshwright
