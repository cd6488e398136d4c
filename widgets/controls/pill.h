// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme/roles.h"

#include <QAbstractButton>
#include <QWidget>

class QPainter;
class QRectF;

namespace meshwright {

class Theme;

/// A verdict or count in a soft rounded patch. Has no action of its own; see PillButton.
class Pill : public QWidget {
    Q_OBJECT

public:
    static constexpr int Height = 20;

    explicit Pill(const QString &text = {}, Tone tone = Tone::Neutral, QWidget *parent = nullptr);

    QString text() const { return m_text; }
    void setText(const QString &text);
    void setTone(Tone tone);
    /// An icon by name, drawn before the text; empty for none. Says the tone to those who do not see its colour.
    void setIconName(const QString &name);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

    /// For painters that draw a pill among other things. Width is what paint() fills; without a text, the icon's
    /// circle.
    static qreal width(const Theme &theme, const QString &text, bool withIcon);
    static void paint(QPainter &painter, const QRectF &rect, const Theme &theme, const QString &text, Tone tone,
                      const QString &iconName);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_text;
    QString m_iconName;
    Tone m_tone;
};

/// A pill that is pressed or chosen, such as a pinned plan in the header. Checked shows in the accent.
class PillButton : public QAbstractButton {
    Q_OBJECT

public:
    explicit PillButton(const QString &text = {}, QWidget *parent = nullptr);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *event) override;
};

} // namespace meshwright
