// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme/roles.h"

#include <QWidget>

class QPushButton;

namespace meshwright {

class IconLabel;
class TextLabel;

/// A strip of one line that says something and may offer an action, without taking the window away as a dialog would.
class NoticeStrip : public QWidget {
    Q_OBJECT

public:
    explicit NoticeStrip(QWidget *parent = nullptr);

    /// Shows the strip. Texts of buttons may be empty for none; `dismiss` closes it.
    void announce(Tone tone, const QString &text, const QString &action = {}, const QString &dismiss = {});
    QString text() const;

Q_SIGNALS:
    void accepted();
    void dismissed();

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    Tone m_tone = Tone::Neutral;
    IconLabel *m_icon;
    TextLabel *m_text;
    QPushButton *m_action;
    QPushButton *m_dismiss;
};

} // namespace meshwright
