// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/accelerator.h"
#include "catalog/stack.h"
#include "formulas/traced.h"

#include <string>

namespace meshwright {

/// The source that a preset states for a field; `otherwise` if it states none.
inline std::string source_of(const Sources &sources, const std::string &field, const std::string &otherwise) {
    const std::string *const found = sources.find(field);
    return found != nullptr ? *found : otherwise;
}

/// The source of an accelerator's property. @param field  key of the property in the accelerator's JSON
inline std::string source_of(const Accelerator &accelerator, const std::string &field) {
    return source_of(accelerator.sources, field, accelerator.name + ": the plan's accelerator");
}

/// Reads a property of the plan's accelerator, with its source.
/// @param field  key of the property in the accelerator's JSON
template <Number N>
N accelerator_property(const Accelerator &accelerator, const char *field, std::string_view name, std::string_view title,
                       double value, Quantity quantity) {
    if constexpr (std::same_as<N, double>)
        return value;
    else
        return read<N>(
            value, {Origin::hardware, name, title, quantity, "/cluster/accelerator", source_of(accelerator, field)});
}

/// Reads a property of the plan's software stack, with its source.
/// @param field  key of the property in the stack's JSON
template <Number N>
N stack_property(const Stack &stack, const char *field, std::string_view name, std::string_view title, double value,
                 Quantity quantity = Quantity::number) {
    if constexpr (std::same_as<N, double>)
        return value;
    else {
        const std::string pointer = std::string("/stack/") + field;
        return read<N>(value,
                       {Origin::software, name, title, quantity, pointer,
                        source_of(stack.sources, field, stack.name + ": " + field)});
    }
}

} // namespace meshwright
