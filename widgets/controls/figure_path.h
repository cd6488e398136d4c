// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace meshwright {

/// How widgets name a figure that is not one of the plan's own result: the path of a figure, and after an @ what it is
/// a figure of. That is a schedule by name, which the plan's pipeline is executed with
/// ("schedule.makespan_seconds@zb-v"), or a change of the plan as a JSON merge patch, where the figure's own change is
/// meant
/// ("step.seconds@{"parallelism":{"tensor":4}}"). Two words say the same of what the window knows: "sites" of the runs
/// that were simulated of the sites ("outer.utilisation_p10@sites"), "opened" of the plan as it was opened, where a
/// figure is that plan's and "gain_" and "gain_share_" before its name are what has changed since.
namespace figurepath {

inline constexpr QLatin1Char separator('@');
inline constexpr QLatin1String sites("sites");
inline constexpr QLatin1String opened("opened");

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
