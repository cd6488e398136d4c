// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/stacked_area.h"

#include "theme/theme.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace meshwright {
namespace {

constexpr qreal FillShare = 0.72; ///< opacity of a memory category's color
constexpr qreal OverShare = 0.62; ///< weight of the warning color in areas above the memory capacity

struct Stretch {
    int left;
    int right;
};

class AreaPainter {
public:
    AreaPainter(QImage &picture, const StackedAreaScale &scale, const Theme &theme)
        : m_picture(picture)
        , m_unit(picture.height() / scale.highest)
        , m_limit(scale.capacity > 0 ? rowOf(scale.capacity) : 0) {
        const QColor ground = theme.colour(ColourRole::Window);
        const QColor over = theme.colour(ColourRole::Bad);
        for (std::size_t kind = 0; kind < step_memory_kind_count; ++kind) {
            const QColor fill =
                mixed(ground, theme.fill(stepMemoryColour(static_cast<StepMemoryKind>(kind))), FillShare);
            m_fill.at(kind) = fill.rgb();
            m_over.at(kind) = mixed(fill, over, OverShare).rgb();
        }
    }

    void column(const MemoryPoint &point, Stretch stretch) {
        double sum = 0;
        int bottom = m_picture.height();
        for (std::size_t kind = 0; kind < step_memory_kind_count; ++kind) {
            sum += point.bytes[kind];
            const int top = std::clamp(rowOf(sum), 0, bottom);
            fill(stretch, std::max(top, m_limit), bottom, m_fill.at(kind));
            fill(stretch, top, std::min(bottom, m_limit), m_over.at(kind));
            bottom = top;
        }
    }

private:
    int rowOf(double bytes) const { return m_picture.height() - static_cast<int>(std::lround(bytes * m_unit)); }

    void fill(Stretch stretch, int top, int bottom, QRgb colour) {
        for (int y = top; y < bottom; ++y) {
            auto *const line = reinterpret_cast<QRgb *>(m_picture.scanLine(y));
            std::fill(line + stretch.left, line + stretch.right, colour);
        }
    }

    QImage &m_picture;
    double m_unit;
    int m_limit; ///< pixel row of the memory capacity; memory above it does not fit
    std::array<QRgb, step_memory_kind_count> m_fill{};
    std::array<QRgb, step_memory_kind_count> m_over{};
};

} // namespace

void drawStackedArea(QImage &picture, const MemoryTrace &trace, const StackedAreaScale &scale, const Theme &theme) {
    const int width = picture.width();
    AreaPainter painter(picture, scale, theme);
    const auto timeAt = [&](int x) { return xToTime(x, scale.visible, width); };
    const TimeRange whole = trace.whole();
    int left = 0;
    std::size_t shown = trace.highestWithin(timeAt(0), timeAt(1));
    for (int x = 1; x <= width; ++x) {
        const bool beyond = x == width || timeAt(x) >= whole.end;
        const std::size_t next = beyond ? shown : trace.highestWithin(timeAt(x), timeAt(x + 1));
        if (!beyond && next == shown)
            continue;
        painter.column(trace.point(shown), {left, x});
        if (beyond)
            return;
        shown = next;
        left = x;
    }
}

} // namespace meshwright
