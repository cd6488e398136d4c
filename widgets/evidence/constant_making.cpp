// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/constant_making.h"

#include <algorithm>

namespace meshwright {

std::optional<Derivation> constantMaking(const QString &figure, const Assumptions &plan) {
    const auto count = [](const char *name, const char *title, auto number) {
        return by_procedure({name, title, Quantity::count}, static_cast<double>(number), "count", "the registry", {});
    };
    if (figure == QLatin1String("constants"))
        return count("constants", "constants of the registry", constants().size());
    if (figure == QLatin1String("fitted"))
        return count("fitted", "constants that are fitted to measured runs",
                     std::count_if(constants().begin(), constants().end(),
                                   [](const Constant &constant) { return constant.provenance == Provenance::fitted; }));
    const Constant *const constant = find_constant(figure.section(QLatin1Char('.'), 1).toStdString());
    if (constant == nullptr)
        return std::nullopt;
    const QString part = figure.section(QLatin1Char('.'), 0, 0);
    if (part == QLatin1String("range"))
        return constant_value(constant->id, Assumptions());
    const Derivation own = constant_value(constant->id, plan);
    if (part == QLatin1String("constant"))
        return own;
    return std::nullopt;
}

} // namespace meshwright
