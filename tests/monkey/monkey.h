// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "prompts.h"

#include <QElapsedTimer>
#include <QObject>
#include <QStringList>
#include <QTemporaryDir>
#include <QTimer>

#include <functional>
#include <memory>
#include <random>
#include <vector>

class QFile;

namespace meshwright {

class MainWindow;
class Settings;

/// Shows the real dialogs, except file dialogs, in which the monkey could delete files.
class MonkeyPrompts : public DialogPrompts {
public:
    explicit MonkeyPrompts(std::function<QString()> file)
        : m_file(std::move(file)) { }
    QString fileToOpen(QWidget *, const QString &, const QString &, const QString &) override { return m_file(); }
    QString fileToSave(QWidget *, const QString &, const QString &, const QString &) override { return m_file(); }

private:
    std::function<QString()> m_file;
};

/// Operates the window at random with clicks, drags, keys, the wheel, typed values and dropped files, also in any
/// dialog or menu that opens. A seed repeats the same actions as far as the window's threads allow.
class Monkey : public QObject {
    Q_OBJECT

public:
    struct Wanted {
        int actions = 1000;
        unsigned seed = 1;
        QString log; ///< file that records every action before it is done; none if empty
    };
    explicit Monkey(const Wanted &wanted);
    ~Monkey() override;

    /// Runs until all actions are done.
    void run();
    /// Memory of the program in MiB.
    struct Memory {
        double resident = 0;
        double used = 0; ///< without freed memory that the allocator keeps
    };
    /// Memory after every hundred actions.
    const std::vector<Memory> &memory() const { return m_memory; }
    /// Longest time that the window took for one action.
    double longestSeconds() const { return m_longestSeconds; }
    const QString &longest() const { return m_longest; }
    const QString &last() const { return m_last; } ///< the last action

private:
    struct Kind {
        int weight = 1;
        void (Monkey::*act)(QWidget &top) = nullptr; ///< records the action and performs it
    };
    static const std::vector<Kind> &kinds();

    void open();
    void act();
    void doSomething();
    void took(const QString &what);
    void note(const QString &what);
    QWidget *top() const;
    int below(int end);
    QString fileToWrite();
    QPoint somewhere(const QWidget &in);
    QWidget &someWidget(QWidget &in);
    QPoint aim(QWidget &at, const QPoint &point, const char *what);
    Qt::KeyboardModifiers someModifier();

    void press(QWidget &at, const char *what, Qt::MouseButton button, Qt::KeyboardModifiers modifiers = {});
    void click(QWidget &top);
    void clickAnywhere(QWidget &top);
    void clickRight(QWidget &top);
    void clickTwice(QWidget &top);
    void drag(QWidget &top);
    void wheel(QWidget &top);
    void hover(QWidget &top);
    void key(QWidget &top);
    void shortcut(QWidget &top);
    void type(QWidget &top);
    void drop(QWidget &top);
    void resize(QWidget &top);
    void rest(QWidget &top);

    Wanted m_wanted;
    QTemporaryDir m_folder;
    QStringList m_files; ///< files to drop and to open
    std::mt19937 m_random;
    std::unique_ptr<QFile> m_log;
    MonkeyPrompts m_prompts;
    std::unique_ptr<Settings> m_settings;
    std::unique_ptr<MainWindow> m_window;
    QTimer m_next;
    int m_done = 0;
    int m_part = -1;
    QString m_last;
    QElapsedTimer m_clock; ///< time since the last action began or ended
    std::vector<int> m_levels; ///< levels of event loops with an unfinished action
    std::vector<Memory> m_memory;
    double m_longestSeconds = 0;
    QString m_longest;
};

} // namespace meshwright
