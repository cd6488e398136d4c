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

/// Real dialogs, except for file dialogs, since a monkey could delete files there.
class MonkeyPrompts : public DialogPrompts {
public:
    explicit MonkeyPrompts(std::function<QString()> file)
        : m_file(std::move(file)) { }
    QString fileToOpen(QWidget *, const QString &, const QString &, const QString &) override { return m_file(); }
    QString fileToSave(QWidget *, const QString &, const QString &, const QString &) override { return m_file(); }

private:
    std::function<QString()> m_file;
};

/// Uses the window at random: clicks, drags, keys, the wheel, typed values and dropped files. The same seed gives the
/// same actions as far as the window's threads allow. Continues in any dialog or menu that opens.
class Monkey : public QObject {
    Q_OBJECT

public:
    struct Wanted {
        int actions = 1000;
        unsigned seed = 1;
        QString log; ///< file that logs each action before it runs; empty for none
    };
    explicit Monkey(const Wanted &wanted);
    ~Monkey() override;

    /// Runs until all actions are done.
    void run();
    /// in MiB
    struct Memory {
        double resident = 0;
        double used = 0; ///< without freed memory that the allocator keeps
    };
    /// Memory after each hundredth of the actions.
    const std::vector<Memory> &memory() const { return m_memory; }
    /// The longest time that the window took for one action.
    double longestSeconds() const { return m_longestSeconds; }
    const QString &longest() const { return m_longest; }

private:
    struct Kind {
        int weight = 1;
        void (Monkey::*act)(QWidget &top) = nullptr; ///< logs the action, then executes it
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
    std::vector<int> m_levels; ///< nesting depth of event loops while an action runs
    std::vector<Memory> m_memory;
    double m_longestSeconds = 0;
    QString m_longest;
};

} // namespace meshwright
