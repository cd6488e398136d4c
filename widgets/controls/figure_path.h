// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace meshwright {

/// How widgets name a figure that is not one of the plan's own result: the path of a figure, and after an @ what it is
/// a figure of. That is a schedule by name, which the plan's pipeline is executed with
/// ("schedule.makespan_seconds@zb-v"), or a change of the plan as a JSON merge patch, where the figure's own change is
/// meant
/// ("step.seconds@{"parallelism":{"tensor":4}}").
namespace figurepath {

inline constexpr QLatin1Char separator('@');

inline QString of(const QString &figure, const QString &scope) {
    return figure + separator + scope;
}
inline QString figureOf(const QString &path) {
    return path.section(separator, 0, 0);
}
/// Empty for a figure of the plan's result.
inline QString scopeOf(const QString &path) {
    return path.section(separator, 1);
}
inline bool isChange(const QString &scope) {
    return scope.startsWith(QLatin1Char('{'));
}

} // namespace figurepath

} // namespace meshwright
