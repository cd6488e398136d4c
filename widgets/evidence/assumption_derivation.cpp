// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/assumption_derivation.h"

#include "catalog/library.h"
#include "evidence/assumption.h"

namespace meshwright {

namespace {

/// The plan without its own overrides of constants and software fields.
Plan as_shipped(const Plan &plan) {
    Plan shipped = plan;
    shipped.assumptions = measured_constants(plan.cluster);
    const Library &library = Library::standard();
    if (library.find(PresetKind::stack, plan.stack.id))
        shipped.stack = *library.stack(plan.stack.id);
    return shipped;
}

} // namespace

std::optional<Derivation> assumptionDerivation(const QString &figure, const Plan &plan) {
    const QString name = figure.section(QLatin1Char('.'), 1);
    int row = Assumption::rowOf(QStringLiteral("/assumptions/") + name);
    if (row < 0)
        row = Assumption::rowOf(QStringLiteral("/stack/") + name);
    if (row < 0)
        return std::nullopt;
    const QString part = figure.section(QLatin1Char('.'), 0, 0);
    if (part == QLatin1String("range"))
        return Assumption::at(row).derivation(as_shipped(plan));
    if (part == QLatin1String("assumption"))
        return Assumption::at(row).derivation(plan);
    return std::nullopt;
}

} // namespace meshwright
