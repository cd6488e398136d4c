// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme/roles.h"

#include <QAbstractButton>
#include <QWidget>

class QPainter;
class QRectF;

namespace meshwright {

class Theme;

/// A verdict or count on a rounded background. Not a button; see PillButton.
class Pill : public QWidget {
    Q_OBJECT

public:
    static constexpr int Height = 20;

    explicit Pill(const QString &text = {}, Tone tone = Tone::Neutral, QWidget *parent = nullptr);

    QString text() const { return m_text; }
    void setText(const QString &text);
    void setTone(Tone tone);
    /// Sets the icon before the text by its name; empty for none. The icon conveys the tone without relying on color.
    void setIconName(const QString &name);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

    /// Width of a pill drawn by paint(), for widgets that paint pills themselves. Without text, the width of the icon's
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

/// A pill that can be pressed or checked, such as a pinned plan in the header. Checked pills have the accent color.
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
