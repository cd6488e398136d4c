// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QPointF>

#include <cstdint>
#include <vector>

class QPainter;

namespace meshwright {

/// The mean colour of each column of the first lines of a picture.
/// @param sums  room to work in
void meanOfLines(const QImage &lines, int count, std::vector<std::uint32_t> &sums, QRgb *into);

/// Fills the scan lines [from, to).
void fillLines(QImage &image, int from, int to, QRgb colour);

/// The part of the window's own scan lines that a painter draws on, where it draws on such and is not clipped; else no
/// image. Valid as long as the painter.
/// @param size  device pixels, at `place` in the painter's coordinates
QImage linesUnder(const QPainter &painter, QSize size, QPointF place);

} // namespace meshwright
