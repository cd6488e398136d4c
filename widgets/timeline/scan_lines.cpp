// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/scan_lines.h"

#include <QPaintEngine>
#include <QPainter>

#include <algorithm>

namespace meshwright {

void meanOfLines(const QImage &lines, int count, std::vector<std::uint32_t> &sums, QRgb *into) {
    const int width = lines.width();
    sums.assign(static_cast<std::size_t>(width) * 3, 0);
    for (int line = 0; line < count; ++line) {
        const auto *pixels = reinterpret_cast<const QRgb *>(lines.constScanLine(line));
        std::uint32_t *sum = sums.data();
        for (int x = 0; x < width; ++x, sum += 3) {
            sum[0] += static_cast<std::uint32_t>(qRed(pixels[x]));
            sum[1] += static_cast<std::uint32_t>(qGreen(pixels[x]));
            sum[2] += static_cast<std::uint32_t>(qBlue(pixels[x]));
        }
    }
    const auto of = static_cast<std::uint32_t>(count);
    const std::uint32_t *sum = sums.data();
    for (int x = 0; x < width; ++x, sum += 3)
        into[x] = qRgb(static_cast<int>(sum[0] / of), static_cast<int>(sum[1] / of), static_cast<int>(sum[2] / of));
}

void fillLines(QImage &image, int from, int to, QRgb colour) {
    for (int y = std::max(0, from); y < std::min(to, image.height()); ++y) {
        auto *const pixels = reinterpret_cast<QRgb *>(image.scanLine(y));
        std::fill(pixels, pixels + image.width(), colour);
    }
}

QImage linesUnder(const QPainter &painter, QSize size, QPointF place) {
    QPaintDevice *const device = painter.paintEngine()->paintDevice();
    if (painter.paintEngine()->type() != QPaintEngine::Raster || device->devType() != QInternal::Image
        || painter.hasClipping())
        return {};
    auto *const window = static_cast<QImage *>(device);
    const QTransform &transform = painter.deviceTransform();
    const QRect part(transform.map(place).toPoint(), size);
    if (part.topLeft() != transform.map(place)
        || (window->format() != QImage::Format_RGB32 && window->format() != QImage::Format_ARGB32_Premultiplied)
        || transform.type() > QTransform::TxScale || !window->rect().contains(part))
        return {};
    uchar *const first = window->bits() + part.top() * window->bytesPerLine() + part.left() * qsizetype(sizeof(QRgb));
    return {first, size.width(), size.height(), window->bytesPerLine(), QImage::Format_RGB32};
}

} // namespace meshwright
