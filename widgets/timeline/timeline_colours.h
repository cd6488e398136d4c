// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/timeline_model.h"

#include <QRgb>

#include <array>
#include <vector>

namespace meshwright {

class Theme;

/// Diagonal lines as a stretch of one scan line; the line below starts one pixel further on.
class HatchPattern {
public:
    HatchPattern() = default;
    /// @param ratio  device pixels for each logical one
    HatchPattern(QRgb line, QRgb background, qreal ratio);

    /// The pixel at a place of the device.
    QRgb at(int x, int y) const { return m_period[static_cast<std::size_t>((x + y) % length())]; }
    /// Writes [left, right) of scan line y.
    void write(QRgb *scanLine, int left, int right, int y) const;

private:
    int length() const { return static_cast<int>(m_period.size()); }
    std::vector<QRgb> m_period;
};

/// The colours of a model's styles in a theme, ready to be written into pixels.
struct TimelineColours {
    static constexpr int Shades = 8;

    struct Style {
        std::array<QRgb, Shades> fill{}; ///< of a solid style, by shade
        std::array<QRgb, Shades> edge{}; ///< where one span ends and its like begins
        QRgb label = 0;
        QRgb mean = 0; ///< where a span is too narrow to be drawn as what it is
        bool hatched = false;
        QRgb hatchLine = 0;
        HatchPattern hatch;
    };

    TimelineColours(const TimelineModel &model, const Theme &theme, qreal ratio);

    std::array<Style, MostTimelineStyles> styles;
    QRgb background = 0;
    QRgb mark = 0;
};

} // namespace meshwright
