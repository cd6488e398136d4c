// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme/roles.h"

#include <QAbstractButton>
#include <QWidget>

namespace meshwright {

/// A dot of 6 pixels in a tone. Always beside words that say the same.
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

/// A hairline that parts sections.
class Rule : public QWidget {
    Q_OBJECT

public:
    explicit Rule(QWidget *parent = nullptr);
    QSize sizeHint() const override { return {1, 1}; }

protected:
    void paintEvent(QPaintEvent *event) override;
};

/// An icon in a colour role.
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

/// Words that lead somewhere: "definition", "why". Dotted underline, and the "why" mark behind them if wanted.
class LinkButton : public QAbstractButton {
    Q_OBJECT

public:
    explicit LinkButton(const QString &text, QWidget *parent = nullptr);
    /// An icon by name, drawn after the words; "why" at first, empty for none.
    void setTrailingIcon(const QString &name);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_trailingIcon = QStringLiteral("why");
};

/// A padlock: checked means that the search leaves the value beside it alone.
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
