// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QRgb>
#include <QString>

#include <array>
#include <cstddef>
#include <vector>

namespace meshwright {

/// Draws short labels of letters and digits. Each character is rendered once and then blended into pixels, so that ten
/// thousand labels per frame cost as much as a few hundred with QPainter.
class GlyphCache {
public:
    /// @param ratio  device pixels per logical pixel
    GlyphCache(const QFont &font, qreal ratio);

    /// Width in device pixels. A label with non-ASCII characters has width 0 and is not drawn.
    int width(const char *text, int length) const;
    int height() const { return m_height; }
    /// A 32-bit image. `pitch` is the number of pixels between the starts of two lines.
    struct Target {
        QRgb *pixels;
        std::ptrdiff_t pitch;
        int width;
        int height;
    };
    /// Blends a label into a picture with the label's top left corner at (x, y), clipped to the picture.
    void draw(const Target &target, int x, int y, const char *text, int length, QRgb ink) const;

private:
    static constexpr int First = 32;
    static constexpr int Count = 95;
    struct Glyph {
        int advance = 0;
        int width = 0;
        std::vector<uchar> mask; ///< coverage of each pixel; width x height() values
    };
    const Glyph *glyph(char character) const;
    void blend(const Target &target, int x, int y, const Glyph &glyph, QRgb ink) const;

    std::array<Glyph, Count> m_glyphs;
    int m_height = 0;
};

/// Writes an optional letter and a number and returns the length. `out` must hold at least 16 characters.
int writeLabel(char *out, char letter, int number);

} // namespace meshwright
