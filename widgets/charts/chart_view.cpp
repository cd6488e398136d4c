// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart_view.h"

#include "theme/theme.h"

#include <algorithm>
#include <cmath>

namespace meshwright {

QColor colourOf(const ChartInk &ink, const Theme &theme) {
    const Kind *const kind = std::get_if<Kind>(&ink);
    return kind != nullptr ? theme.fill(*kind) : theme.colour(std::get<ColourRole>(ink));
}

std::optional<double> valueOf(const ChartSeries &series, double x, const ChartAxis &axis) {
    const QVector<QPointF> &points = series.points;
    const auto after = std::find_if(points.cbegin(), points.cend(), [x](const QPointF &p) { return p.x() >= x; });
    if (after == points.cend())
        return std::nullopt;
    if (after->x() == x || after == points.cbegin())
        return after->x() == x && std::isfinite(after->y()) ? std::optional(after->y()) : std::nullopt;
    const QPointF before = *std::prev(after);
    if (series.stepped)
        return std::isfinite(before.y()) ? std::optional(before.y()) : std::nullopt;
    const double from = axis.shareOf(before.x());
    const double share = (axis.shareOf(x) - from) / (axis.shareOf(after->x()) - from);
    const double y = before.y() + share * (after->y() - before.y());
    return std::isfinite(y) ? std::optional(y) : std::nullopt;
}

} // namespace meshwright
