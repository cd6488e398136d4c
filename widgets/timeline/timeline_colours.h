// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/timeline_model.h"

#include <QRgb>

#include <array>
#include <vector>

namespace meshwright {

class Theme;

/// Diagonal hatching, stored as one period of a scan line. Each further line is shifted by one pixel.
class HatchPattern {
public:
    HatchPattern() = default;
    /// @param ratio  device pixels per logical pixel
    HatchPattern(QRgb line, QRgb background, qreal ratio);

    QRgb at(int x, int y) const { return m_period[static_cast<std::size_t>((x + y) % length())]; }
    /// Writes the pixels [left, right) of scan line y.
    void write(QRgb *scanLine, int left, int right, int y) const;

private:
    int length() const { return static_cast<int>(m_period.size()); }
    std::vector<QRgb> m_period;
};

struct TimelineColours {
    static constexpr int Shades = 8;

    struct Style {
        std::array<QRgb, Shades> fill{}; ///< fill color of a solid style, by shade
        std::array<QRgb, Shades> edge{}; ///< color of the edge between two adjacent spans of the same style
        QRgb label = 0;
        QRgb mean = 0; ///< mean color, for spans too narrow to be drawn individually
        bool hatched = false;
        QRgb hatchLine = 0;
        HatchPattern hatch;
    };

    TimelineColours(const TimelineModel &model, const Theme &theme, qreal ratio);

    std::array<Style, MaxTimelineStyles> styles;
    QRgb background = 0;
    QRgb mark = 0;
};

} // namespace meshwright
