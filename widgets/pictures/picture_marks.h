// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme/theme.h"

#include <QObject>
#include <QPainterPath>
#include <QPointF>
#include <QRectF>
#include <QString>

class QPainter;

namespace meshwright {

namespace marks {

/// Text on one line. It is omitted if it does not fit into the rectangle's width.
void text(QPainter &painter, const QRectF &rect, Qt::Alignment alignment, const QString &line, const QFont &font,
          const QColor &ink);

/// The dark or the light text color, whichever has the higher contrast on an opaque fill.
QColor inkOn(const QColor &fill, const Theme &theme);

void arrow(QPainter &painter, const QPainterPath &path, const QColor &colour, qreal width);

enum class Emphasis { Plain, Outlined };

inline constexpr qreal TokenHeight = 14;

/// A small tile around `centre`, as wide as its label needs. Tiles lower than TokenHeight have no label.
void token(QPainter &painter, const QPointF &centre, qreal height, const QString &label, Kind kind, Emphasis emphasis,
           const Theme &theme);

/// A disc with a number, which may be wider than the disc.
void disc(QPainter &painter, const QPointF &centre, qreal radius, const QString &number, const Theme &theme);

/// Height of the heading at the top of a picture.
inline constexpr qreal HeadingHeight = 18;

QString secondsText(double seconds);
QString bytesText(double bytes);

inline constexpr qreal ArrowHead = 5;

} // namespace marks
} // namespace meshwright
