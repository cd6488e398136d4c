// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QRgb>
#include <QString>

#include <array>
#include <cstddef>
#include <vector>

namespace meshwright {

/// Short labels of letters and figures, drawn once a character and then copied into pixels: ten thousand of them in a
/// frame cost what a few hundred cost a painter.
class GlyphCache {
public:
    /// @param ratio  device pixels for each logical one
    GlyphCache(const QFont &font, qreal ratio);

    /// Device pixels. A label of other characters than ASCII has no width and is not drawn.
    int width(const char *text, int length) const;
    int height() const { return m_height; }
    /// Pixels of 32 bits, and how many of them lie between one line and the next.
    struct Target {
        QRgb *pixels;
        std::ptrdiff_t pitch;
        int width;
        int height;
    };
    /// Blends a label into a picture with its top left corner at (x, y); parts outside are left out.
    void draw(const Target &target, int x, int y, const char *text, int length, QRgb ink) const;

private:
    static constexpr int First = 32;
    static constexpr int Count = 95;
    struct Glyph {
        int advance = 0;
        int width = 0;
        std::vector<uchar> mask; ///< width x height()
    };
    const Glyph *glyph(char character) const;
    void blend(const Target &target, int x, int y, const Glyph &glyph, QRgb ink) const;

    std::array<Glyph, Count> m_glyphs;
    int m_height = 0;
};

/// Writes a number behind an optional letter; returns its length. `out` holds at least 16 characters.
int writeLabel(char *out, char letter, int number);

} // namespace meshwright
