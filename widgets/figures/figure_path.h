// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace meshwright {

/// How widgets name a figure that is not one of the plan's own result: the path of a figure, and after an @ what it is
/// a figure of. That is a schedule by name, which the plan's pipeline is executed with
/// ("schedule.makespan_seconds@zb-v"), or a change of the plan as a JSON merge patch, where the figure's own change is
/// meant
/// ("step.seconds@{"parallelism":{"tensor":4}}"). Two words say the same of what the window knows: "sites" of the runs
/// that were simulated of the sites ("outer.utilisation_p10@sites"), "opened" of the plan as it was opened, where a
/// figure is that plan's and "gain_" and "gain_share_" before its name are what has changed since. What varying one
/// input does to a figure is a figure too, of a scope that ends with that figure's path: ofVariation() and ofGrowth().
/// Views that have figures of their own.
namespace views {
inline constexpr QLatin1String search("search");
inline constexpr QLatin1String evidence("evidence");
inline constexpr QLatin1String memory("memory");
inline constexpr QLatin1String sites("sites");
inline constexpr QLatin1String sliders("sliders");
inline constexpr QLatin1String start("start");
} // namespace views

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
/// Of what a view itself has counted or measured: "rows@#evidence".
inline QString ofView(const QString &figure, QLatin1String view) {
    return of(figure, QLatin1Char('#') + view);
}
/// Of a plan that a view knows beside the present one, by the view's name for it: "step.seconds@%evidence/row.17".
inline QString ofPlan(const QString &figure, QLatin1String view, const QString &plan) {
    return of(figure, QLatin1Char('%') + view + QLatin1Char('/') + plan);
}
inline bool isOfPlan(const QString &scope) {
    return scope.startsWith(QLatin1Char('%'));
}
/// The view that knows it, and the view's name for it.
inline QString viewOfPlan(const QString &scope) {
    return scope.mid(1).section(QLatin1Char('/'), 0, 0);
}
inline QString planOf(const QString &scope) {
    return scope.section(QLatin1Char('/'), 1);
}
inline bool isOfView(const QString &scope) {
    return scope.startsWith(QLatin1Char('#'));
}
/// A figure of the plan that a JSON merge patch makes of the present one.
inline QString ofChanged(const QString &figure, const QString &patch) {
    return of(QLatin1String("changed_") + figure, patch);
}
inline bool isChange(const QString &scope) {
    return scope.startsWith(QLatin1Char('{'));
}

/// An input of a plan as it is varied: JSON pointer, "8", "16".
struct VariedInput {
    QString pointer;
    QString from;
    QString to;
};
/// How much the figure of a path changes with an input, by whole evaluations of its plan.
/// @param figure  name of the change's own node
QString ofVariation(const QString &figure, const VariedInput &input, const QString &path);
inline bool isVariation(const QString &scope) {
    return scope.startsWith(QLatin1Char('~'));
}
/// Empty where it cannot be read.
VariedInput inputOf(const QString &scope);

/// How much the figure of a path changes where one of its nodes is 10 % larger, by its formulas alone.
/// @param nodes  names from the figure down to the node
/// @param everywhere  also at the other places where the same quantity stands
QString ofGrowth(const QStringList &nodes, bool everywhere, const QString &path);
inline bool isGrowth(const QString &scope) {
    return scope.startsWith(QLatin1Char('^'));
}
struct GrownNode {
    QStringList nodes;
    bool everywhere = false;
};
GrownNode grownOf(const QString &scope);

/// Path of the figure that a variation or a growth changes.
inline QString variedOf(const QString &scope) {
    return scope.section(separator, 1);
}
/// Whether what its makings refer to goes by paths, not by names in the same tree.
inline bool refersByPath(const QString &scope) {
    return isOfView(scope) || isGrowth(scope);
}
/// The path of what a making in a scope refers to by this name.
QString referredFrom(const QString &scope, const QString &name);
/// The scope of what is varied, through all variations; else the path's own.
QString innermostScopeOf(const QString &path);
/// Whether all plan fields that a figure goes back to are those of the plan that is shown.
bool isOfPresentPlan(const QString &path);

} // namespace figurepath

} // namespace meshwright
