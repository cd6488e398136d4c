// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QPair>
#include <QPointer>
#include <QString>
#include <QVector>

#include <optional>

namespace meshwright {

/// What a hover card says. Rows are name and value; the footnote wraps.
struct HoverContent {
    QString title;
    std::optional<QColor> swatch;
    QVector<QPair<QString, QString>> rows;
    QString footnote;
    bool operator==(const HoverContent &) const = default;

    /// All of it in one sentence, for assistive technology.
    QString spoken() const;
};

/// A card beside the pointer, inside the window. Not a tooltip: it comes at once, follows, and is never hidden by a
/// timer. Takes no mouse events and no focus.
class HoverCard : public QFrame {
    Q_OBJECT

public:
    explicit HoverCard(QWidget *window);

    /// Near `at` in the window's coordinates, on the side where there is room.
    void showAt(const QPoint &at, const HoverContent &content);
    const HoverContent &content() const { return m_content; }
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    HoverContent m_content;
};

/// Holds a canvas's card: made when first needed, since the window is not known before.
class HoverCardSlot {
public:
    void show(QWidget *canvas, const QPoint &at, const HoverContent &content);
    void hide();
    ~HoverCardSlot();

private:
    QPointer<HoverCard> m_card;
};

} // namespace meshwright
