// SPDX-License-Identifier: GPL-3.0-or-later
// The text of a formula, with numbers put in for its names.
#include "formulas/text_expression.h"
#include "fuzz_target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace meshwright;
    const NameLookup lookup = [](std::string_view name) -> std::optional<Substitution> {
        if (name.empty() || name.front() == 'z')
            return std::nullopt;
        return Substitution{.value = static_cast<double>(name.size()) - 3, .text = std::string(name)};
    };
    if (substituted(fuzz::text_of(data, size), lookup))
        fuzz::went_all_the_way();
    return 0;
}
