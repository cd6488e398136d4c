// SPDX-License-Identifier: GPL-3.0-or-later
// The text of a formula, with numbers substituted for its names.
#include "formulas/expression.h"
#include "fuzz_target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace meshwright;
    const NameLookup lookup = [](std::string_view name) -> std::optional<Substitution> {
        if (name.empty() || name.front() == 'z')
            return std::nullopt;
        return Substitution{.value = static_cast<double>(name.size()) - 3, .text = std::string(name)};
    };
    const std::optional<Expression> formula = parse_expression(fuzz::text_of(data, size));
    if (!formula)
        return 0;
    // The written text must parse back to the same formula.
    if (const std::optional<Expression> again = parse_expression(text_of(*formula));
        !again || text_of(*again) != text_of(*formula))
        std::abort();
    if (substituted(*formula, lookup))
        fuzz::went_all_the_way();
    return 0;
}
