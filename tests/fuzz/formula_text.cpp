// SPDX-License-Identifier: GPL-3.0-or-later
// Input: the text of a formula, evaluated with numbers for its names.
#include "formulas/expression.h"
#include "fuzz_target.h"

#include <algorithm>
#include <string>

namespace {

int nested_brackets(const std::string &text) {
    int depth = 0;
    int deepest = 0;
    for (const char c : text)
        deepest = std::max(deepest, depth += c == '(' ? 1 : c == ')' ? -1 : 0);
    return deepest;
}

} // namespace

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
    // Reading the written formula gives the same formula. Writing may add brackets, which makes a formula too deep that
    // is nested close to the limit.
    const std::string written = text_of(*formula);
    constexpr int surely_read = 30;
    const std::optional<Expression> again = parse_expression(written);
    fuzz::require(again ? text_of(*again) == written : nested_brackets(written) > surely_read,
                  "a written formula reads back unchanged");
    if (substituted(*formula, lookup))
        fuzz::went_all_the_way();
    return 0;
}
