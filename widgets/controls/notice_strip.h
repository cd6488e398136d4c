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

struct NoticeAction {
    QString text;
    std::function<void()> run;
};

/// A one-line message that may offer an action, without blocking the window as a dialog would.
class NoticeStrip : public QWidget {
    Q_OBJECT

public:
    explicit NoticeStrip(QWidget *parent = nullptr);

    /// Shows the strip with up to two buttons. A button with an empty text is omitted. `dismiss` closes the strip.
    void announce(Tone tone, const QString &text, const QString &action = {}, const QString &dismiss = {});
    /// Shows a temporary message, which closes by timer, by leave() or when dismissed. Its other buttons do not close
    /// it, so that the user can copy a path and then open the file.
    void announcePassing(Tone tone, const QString &text, const QVector<NoticeAction> &actions);
    /// Closes a temporary message. A message that needs an answer stays.
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
    QVector<QPushButton *> m_passing; ///< buttons of a temporary message
    QTimer m_gone;
};

} // namespace meshwright
