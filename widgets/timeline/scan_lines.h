// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QPointF>

#include <cstdint>
#include <vector>

class QPainter;

namespace meshwright {

/// Writes the mean color of each column over the first `count` lines of a picture.
/// @param sums  scratch space
void meanOfLines(const QImage &lines, int count, std::vector<std::uint32_t> &sums, QRgb *into);

/// Fills the scan lines [from, to).
void fillLines(QImage &image, int from, int to, QRgb colour);

/// The part of the window's backing image that a painter draws on, for direct access to its scan lines. Null if the
/// painter does not draw on an image or is clipped. Valid only while the painter exists.
/// @param size  size of the part in device pixels; it begins at `place` in the painter's coordinates
QImage linesUnder(const QPainter &painter, QSize size, QPointF place);

} // namespace meshwright
