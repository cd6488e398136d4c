// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/glyph_cache.h"

#include <QFontMetricsF>
#include <QImage>
#include <QPainter>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace meshwright {
namespace {

/// Linear blend between two colors; `share` is 0 to 255.
QRgb blended(QRgb from, QRgb to, int share) {
    const auto channel = [share](int low, int high) { return low + (high - low) * share / 255; };
    return qRgb(channel(qRed(from), qRed(to)), channel(qGreen(from), qGreen(to)), channel(qBlue(from), qBlue(to)));
}

} // namespace

GlyphCache::GlyphCache(const QFont &font, qreal ratio) {
    const QFontMetricsF metrics(font);
    // Only digits and capitals occur, so the line height is the cap height plus one pixel for round glyphs, which
    // overshoot it.
    const qreal capHeight = metrics.capHeight();
    m_height = static_cast<int>(std::ceil((capHeight + 2) * ratio));
    for (int i = 0; i < Count; ++i) {
        const QString text(QChar(static_cast<ushort>(First + i)));
        Glyph &glyph = m_glyphs[static_cast<std::size_t>(i)];
        glyph.advance = static_cast<int>(std::round(metrics.horizontalAdvance(text) * ratio));
        glyph.width = glyph.advance + static_cast<int>(std::ceil(ratio));
        QImage image(glyph.width, m_height, QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::transparent);
        QPainter painter(&image);
        painter.scale(ratio, ratio);
        painter.setFont(font);
        painter.setPen(Qt::white);
        painter.drawText(QPointF(0, capHeight + 1), text);
        painter.end();
        glyph.mask.resize(static_cast<std::size_t>(glyph.width) * static_cast<std::size_t>(m_height));
        auto mask = glyph.mask.begin();
        for (int y = 0; y < m_height; ++y) {
            const auto *line = reinterpret_cast<const QRgb *>(image.constScanLine(y));
            mask = std::transform(line, line + glyph.width, mask, [](QRgb p) { return static_cast<uchar>(qAlpha(p)); });
        }
    }
}

const GlyphCache::Glyph *GlyphCache::glyph(char character) const {
    const int index = character - First;
    return index >= 0 && index < Count ? &m_glyphs[static_cast<std::size_t>(index)] : nullptr;
}

int GlyphCache::width(const char *text, int length) const {
    int width = 0;
    for (int i = 0; i < length; ++i)
        if (const Glyph *found = glyph(text[i]))
            width += found->advance;
    return width;
}

void GlyphCache::draw(const Target &target, int x, int y, const char *text, int length, QRgb ink) const {
    for (int i = 0; i < length; ++i) {
        const Glyph *found = glyph(text[i]);
        if (found == nullptr)
            continue;
        blend(target, x, y, *found, ink);
        x += found->advance;
    }
}

void GlyphCache::blend(const Target &target, int x, int y, const Glyph &glyph, QRgb ink) const {
    const int left = std::max(0, -x);
    const int right = std::min(glyph.width, target.width - x);
    const int top = std::max(0, -y);
    const int bottom = std::min(m_height, target.height - y);
    for (int row = top; row < bottom; ++row) {
        QRgb *line = target.pixels + (y + row) * target.pitch + x;
        const uchar *mask = glyph.mask.data() + static_cast<std::ptrdiff_t>(row) * glyph.width;
        for (int column = left; column < right; ++column)
            if (mask[column] != 0)
                line[column] = blended(line[column], ink, mask[column]);
    }
}

int writeLabel(char *out, char letter, int number) {
    char *at = out;
    if (letter != 0)
        *at++ = letter;
    if (number >= 0)
        at = std::to_chars(at, out + 15, number).ptr;
    return static_cast<int>(at - out);
}

} // namespace meshwright
