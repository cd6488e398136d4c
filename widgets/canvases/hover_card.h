// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QPair>
#include <QPointer>
#include <QString>
#include <QVector>

#include <optional>

namespace meshwright {

/// Content of a hover card. Rows are pairs of name and value; the footnote wraps.
struct HoverContent {
    QString title;
    std::optional<QColor> swatch;
    QVector<QPair<QString, QString>> rows;
    QString footnote;
    bool operator==(const HoverContent &) const = default;

    /// The whole content as one sentence, for assistive technology.
    QString spoken() const;
};

/// A card next to the pointer, inside the window. Unlike a tool tip, it appears at once, follows the pointer, and is
/// not hidden by a timer. It takes no mouse events and no focus.
class HoverCard : public QFrame {
    Q_OBJECT

public:
    explicit HoverCard(QWidget *window);

    /// Shows the card near `at`, in the window's coordinates, on the side that has room.
    void showAt(const QPoint &at, const HoverContent &content);
    const HoverContent &content() const { return m_content; }
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    HoverContent m_content;
};

/// Owns a canvas's hover card. The card is created on first use, because the window is unknown before.
class HoverCardSlot {
public:
    void show(QWidget *canvas, const QPoint &at, const HoverContent &content);
    void hide();
    ~HoverCardSlot();

private:
    QPointer<HoverCard> m_card;
};

} // namespace meshwright
