// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/figure_path.h"

#include <QUrl>

namespace meshwright::figurepath {

namespace {

constexpr QLatin1Char variation('~');
constexpr QLatin1Char growth('^');
constexpr QLatin1Char everyPlace('*');
constexpr QLatin1Char between('/');

/// Without any of the signs that paths are made of.
QString encoded(const QString &text) {
    return QString::fromLatin1(QUrl::toPercentEncoding(text, {}, "~"));
}
QString decoded(const QString &text) {
    return QUrl::fromPercentEncoding(text.toLatin1());
}

} // namespace

QString ofVariation(const QString &figure, const VariedInput &input, const QString &path) {
    QString scope;
    for (const QString &part : {input.pointer, input.from, input.to})
        scope += variation + encoded(part);
    return of(figure, of(scope, path));
}

VariedInput inputOf(const QString &scope) {
    const QStringList parts = scope.section(separator, 0, 0).split(variation);
    constexpr int count = 4; // the first stands before the first sign
    if (parts.size() != count)
        return {};
    return {decoded(parts.at(1)), decoded(parts.at(2)), decoded(parts.at(3))};
}

QString ofGrowth(const QStringList &nodes, bool everywhere, const QString &path) {
    return of(QStringLiteral("effect"),
              of(growth + (everywhere ? QString(everyPlace) : QString()) + nodes.join(between), path));
}

GrownNode grownOf(const QString &scope) {
    QString nodes = scope.section(separator, 0, 0).mid(1);
    const bool everywhere = nodes.startsWith(everyPlace);
    if (everywhere)
        nodes.remove(0, 1);
    return {nodes.split(between), everywhere};
}

QString referredFrom(const QString &scope, const QString &name) {
    // What a change refers to in the plan before it is explained beside it; a path says itself where it is.
    const bool isOfThePlan = scope.isEmpty() || refersByPath(scope)
        || (isChange(scope) && !name.startsWith(QLatin1String("changed_"))) || name.contains(separator);
    return isOfThePlan ? name : of(name, scope);
}

QString innermostScopeOf(const QString &path) {
    QString scope = scopeOf(path);
    while (isVariation(scope) || isGrowth(scope))
        scope = scopeOf(variedOf(scope));
    return scope;
}

bool isOfPresentPlan(const QString &path) {
    const QString scope = innermostScopeOf(path);
    return scope.isEmpty() || scope == sites || isOfView(scope);
}

} // namespace meshwright::figurepath
