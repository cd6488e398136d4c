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

/// One thing that a stack says of itself, beside its name: a number, a yes or no, a count or a word of a list.
struct StackField {
    using Place = std::variant<double Stack::*, bool Stack::*, std::int64_t Stack::*, AttentionKernel Stack::*,
                               DataType Stack::*>;

    std::string_view key; ///< as its JSON spells it
    Place place;
    std::string_view meaning; ///< a sentence's beginning
    Range range{0, 1}; ///< of a number or a count
    Quantity quantity = Quantity::number; ///< of a number

    /// The words that the field may hold; empty for a number or a count.
    std::vector<std::string> words() const;
    /// As a number: a yes is 1, a word its place in the list.
    double value(const Stack &stack) const;
    /// @pre in range
    void set(Stack &stack, double value) const;
};

/// All of them, as the JSON orders them.
const std::vector<StackField> &stack_fields();
/// Null where there is none of that key.
const StackField *find_stack_field(std::string_view key);
/// The number under a key; null where there is none.
double Stack::*stack_number(std::string_view key);

} // namespace meshwright
