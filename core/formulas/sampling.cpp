// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/sampling.h"

#include "input/diagnostic.h"

#include <fmt/format.h>

#include <cmath>

namespace meshwright {

std::vector<double> places_between(double low, double high, std::size_t count, Spacing spacing) {
    std::vector<double> places;
    places.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        const double share = static_cast<double>(i) / static_cast<double>(count - 1);
        places.push_back(spacing == Spacing::linear ? low + share * (high - low) : low * std::pow(high / low, share));
    }
    return places;
}

std::vector<double> sampled(const Formula &formula, const FormulaResult &result,
                            const std::map<std::string, double, std::less<>> &arguments, std::string_view symbol,
                            std::span<const double> places) {
    std::vector<double> row;
    double *varied = nullptr;
    row.reserve(result.arguments.size());
    for (const std::string_view name : result.arguments) {
        const Symbol *known = formula.find_symbol(name);
        const auto given = arguments.find(name);
        const bool missing = given == arguments.end() && known != nullptr && !known->otherwise;
        if (known == nullptr || (missing && name != symbol))
            throw InputError("/" + std::string(name), fmt::format("{} needs {}", formula.id, name),
                             "expected a value for each argument");
        row.push_back(given != arguments.end() ? given->second : known->otherwise.value_or(0));
        if (name == symbol)
            varied = &row.back();
    }
    if (varied == nullptr)
        throw InputError("/" + std::string(symbol), fmt::format("{} has no such argument", formula.id),
                         "expected one of the formula's arguments");
    std::vector<double> values;
    values.reserve(places.size());
    for (const double place : places) {
        *varied = place;
        values.push_back(result.function(row));
    }
    return values;
}

} // namespace meshwright
