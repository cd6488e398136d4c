// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/timeline_colours.h"

#include "theme/theme.h"

#include <algorithm>
#include <cmath>

namespace meshwright {
namespace {

constexpr qreal HatchSpacing = 6;
constexpr qreal HatchWidth = 1.1;
constexpr qreal ShadeStep = 0.052;
constexpr qreal EdgeInk = 0.45;
/// Contrast between the hatch lines of idle time and the background.
constexpr qreal GreyLine = 0.42;
constexpr qreal ColouredLine = 0.62;

QColor hatchLine(const TimelineStyle &style, const Theme &theme) {
    const QColor ground = theme.colour(ColourRole::Window);
    if (style.kind == Kind::Grey)
        return mixed(ground, theme.colour(ColourRole::LineStrong), GreyLine);
    return mixed(ground, theme.fill(style.kind), ColouredLine);
}

} // namespace

HatchPattern::HatchPattern(QRgb line, QRgb background, qreal ratio)
    : m_period(static_cast<std::size_t>(std::max(2.0, std::round(HatchSpacing * ratio)))) {
    // Horizontal width of a diagonal line. It shifts by one pixel per scan line, so each pixel's coverage is also
    // averaged over its height.
    const double width = HatchWidth * ratio * std::sqrt(2.0);
    constexpr int Samples = 8;
    for (int x = 0; x < length(); ++x) {
        int covered = 0;
        for (int across = 0; across < Samples; ++across)
            for (int down = 0; down < Samples; ++down) {
                const double place = x + (across + down + 1.0) / Samples;
                covered += std::fmod(place, length()) < width ? 1 : 0;
            }
        m_period[static_cast<std::size_t>(x)] =
            mixed(QColor(background), QColor(line), double(covered) / (Samples * Samples)).rgb();
    }
}

void HatchPattern::write(QRgb *scanLine, int left, int right, int y) const {
    int place = (left + y) % length();
    for (int x = left; x < right; ++x) {
        scanLine[x] = m_period[static_cast<std::size_t>(place)];
        place = place + 1 == length() ? 0 : place + 1;
    }
}

TimelineColours::TimelineColours(const TimelineModel &model, const Theme &theme, qreal ratio)
    : background(theme.colour(ColourRole::Window).rgb())
    , mark(theme.colour(ColourRole::Text).rgb()) {
    styles[NothingStyle].mean = background;
    styles[NothingStyle].fill.fill(background);
    styles[NothingStyle].edge.fill(background);
    for (std::size_t i = 1; i < std::min<std::size_t>(model.styles.size(), MaxTimelineStyles); ++i) {
        const TimelineStyle &from = model.styles[i];
        Style &style = styles[i];
        style.hatched = from.fill == TimelineStyle::Fill::Hatched;
        style.label = theme.label(from.kind).rgb();
        if (from.fill == TimelineStyle::Fill::Blank) {
            style.mean = background;
            style.fill.fill(background);
            style.edge.fill(background);
            continue;
        }
        if (style.hatched) {
            const QColor line = hatchLine(from, theme);
            style.hatchLine = line.rgb();
            style.hatch = HatchPattern(line.rgb(), background, ratio);
            const double covered = HatchWidth * std::sqrt(2.0) / HatchSpacing;
            style.mean = mixed(QColor(background), line, covered).rgb();
            style.fill.fill(style.mean);
            style.edge.fill(style.mean);
            continue;
        }
        const QColor fill = theme.fill(from.kind);
        for (int shade = 0; shade < Shades; ++shade) {
            // Shades move away from the label's color, so that each keeps its contrast with the label.
            const bool darkInk = theme.label(from.kind).lightnessF() < 0.5;
            const QColor shaded = mixed(fill, darkInk ? QColor(Qt::white) : QColor(Qt::black), shade * ShadeStep);
            style.fill[static_cast<std::size_t>(shade)] = shaded.rgb();
            style.edge[static_cast<std::size_t>(shade)] =
                mixed(shaded, theme.colour(ColourRole::Window), 1 - EdgeInk).rgb();
        }
        style.mean = fill.rgb();
    }
}

} // namespace meshwright
