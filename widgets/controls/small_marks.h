// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme/roles.h"

#include <QAbstractButton>
#include <QWidget>

namespace meshwright {

/// A dot of 6 pixels in the color of a tone. A text next to it has the same meaning.
class StatusDot : public QWidget {
    Q_OBJECT

public:
    explicit StatusDot(Tone tone = Tone::Good, QWidget *parent = nullptr);
    void setTone(Tone tone);
    QSize sizeHint() const override { return {8, 16}; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    Tone m_tone;
};

/// A hairline between sections.
class Rule : public QWidget {
    Q_OBJECT

public:
    explicit Rule(QWidget *parent = nullptr);
    QSize sizeHint() const override { return {1, 1}; }

protected:
    void paintEvent(QPaintEvent *event) override;
};

class IconLabel : public QWidget {
    Q_OBJECT

public:
    explicit IconLabel(const QString &name = {}, ColourRole colour = ColourRole::Text2, int size = 16,
                       QWidget *parent = nullptr);
    void setIconName(const QString &name);
    void setColour(ColourRole colour);
    QSize sizeHint() const override { return {m_size, m_size}; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_name;
    ColourRole m_colour;
    int m_size;
};

/// A link such as "definition" or "why", with a dotted underline and optionally an icon after the text.
class LinkButton : public QAbstractButton {
    Q_OBJECT

public:
    explicit LinkButton(const QString &text, QWidget *parent = nullptr);
    /// Sets the icon after the text by name. The default is "why"; an empty name removes the icon.
    void setTrailingIcon(const QString &name);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_trailingIcon = QStringLiteral("why");
};

/// A padlock. If it is closed, the search does not change the value next to it.
class LockButton : public QAbstractButton {
    Q_OBJECT

public:
    explicit LockButton(QWidget *parent = nullptr);
    QSize sizeHint() const override { return {20, 20}; }
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *event) override;
};

} // namespace meshwright
