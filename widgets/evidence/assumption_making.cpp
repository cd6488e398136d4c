// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/assumption_making.h"

#include "catalog/library.h"
#include "evidence/assumption.h"

#include <algorithm>

namespace meshwright {

namespace {

Derivation counted_in(const char *where, const char *name, const char *title, std::size_t count) {
    return by_procedure({name, title, Quantity::count}, static_cast<double>(count), "count", where, {});
}

/// With nothing of the plan's own.
Plan as_shipped(const Plan &plan) {
    Plan shipped = plan;
    shipped.assumptions = measured_constants(plan.cluster);
    const Library &library = Library::standard();
    if (library.find(PresetKind::stack, plan.stack.id))
        shipped.stack = *library.stack(plan.stack.id);
    return shipped;
}

} // namespace

std::optional<Derivation> assumptionMaking(const QString &figure, const Plan &plan) {
    if (figure == QLatin1String("constants"))
        return counted_in("the registry", "constants", "constants of the registry", constants().size());
    if (figure == QLatin1String("fitted"))
        return counted_in(
            "the registry", "fitted", "constants that are fitted to measured runs",
            static_cast<std::size_t>(std::count_if(constants().begin(), constants().end(), [](const Constant &one) {
                return one.provenance == Provenance::fitted;
            })));
    if (figure == QLatin1String("software"))
        return counted_in("the software", "fields", "what training software says of itself", stack_fields().size());
    const QString name = figure.section(QLatin1Char('.'), 1);
    int row = Assumption::rowOf(QStringLiteral("/assumptions/") + name);
    if (row < 0)
        row = Assumption::rowOf(QStringLiteral("/stack/") + name);
    if (row < 0)
        return std::nullopt;
    const QString part = figure.section(QLatin1Char('.'), 0, 0);
    if (part == QLatin1String("range"))
        return Assumption::at(row).making(as_shipped(plan));
    if (part == QLatin1String("assumption"))
        return Assumption::at(row).making(plan);
    return std::nullopt;
}

} // namespace meshwright
