// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme/roles.h"

#include <QString>
#include <QTimer>
#include <QVector>
#include <QWidget>

#include <functional>

class QPushButton;

namespace meshwright {

class IconLabel;
class TextLabel;

/// A button of a notice.
struct NoticeAction {
    QString text;
    std::function<void()> run;
};

/// A strip of one line that says something and may offer an action, without taking the window away as a dialog would.
class NoticeStrip : public QWidget {
    Q_OBJECT

public:
    explicit NoticeStrip(QWidget *parent = nullptr);

    /// Shows the strip. Texts of buttons may be empty for none; `dismiss` closes it.
    void announce(Tone tone, const QString &text, const QString &action = {}, const QString &dismiss = {});
    /// Says something that is over soon: goes by itself, when leave() is called, or when dismissed. A button does not
    /// close it, so that a path can be copied and the file opened.
    void announcePassing(Tone tone, const QString &text, const QVector<NoticeAction> &actions);
    /// Closes a passing notice; one that waits for an answer stays.
    void leave();
    QString text() const;

    static constexpr int PassingMilliseconds = 12'000;

Q_SIGNALS:
    void accepted();
    void dismissed();

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void say(Tone tone, const QString &text, const QString &action, const QString &dismiss);
    void clearPassing();

    Tone m_tone = Tone::Neutral;
    IconLabel *m_icon;
    TextLabel *m_text;
    QPushButton *m_action;
    QPushButton *m_dismiss;
    QVector<QPushButton *> m_passing; ///< buttons of a passing notice
    QTimer m_gone; ///< runs while a notice passes
};

} // namespace meshwright
