// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/stack.h"
#include "input/field_reader.h"
#include "quantities/text.h"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace meshwright {

struct StackField {
    using Place = std::variant<double Stack::*, bool Stack::*, std::int64_t Stack::*, AttentionKernel Stack::*,
                               DataType Stack::*>;

    std::string_view key;
    Place place;
    std::string_view meaning; ///< text in the window; the schema's description begins with it
    Range range{0, 1};
    Quantity quantity = Quantity::number;

    /// Allowed values (enum names); empty for numbers and counts.
    std::vector<std::string> words() const;
    /// The value as a number: 1 for true; for an enum, the index of its name.
    double value(const Stack &stack) const;
    /// @pre `value` is in range
    void set(Stack &stack, double value) const;
};

/// All fields, in the order of the JSON.
const std::vector<StackField> &stack_fields();
/// Null if the key is unknown.
const StackField *find_stack_field(std::string_view key);
/// The member for a numeric key; null if there is none.
double Stack::*stack_number(std::string_view key);

} // namespace meshwright
