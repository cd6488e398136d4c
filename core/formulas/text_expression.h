// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace meshwright {

/// Part of a formula text with names replaced by numbers, and its value.
struct Substitution {
    double value = 0;
    std::string text;
};

/// Returns the substitution for a name, or nothing if the name is unknown.
using NameLookup = std::function<std::optional<Substitution>(std::string_view)>;

/// Parses a text in muParser's syntax (arithmetic, comparisons, ?:, functions) and substitutes its names. A conditional
/// is reduced to the branch that applies. Returns nothing if the text does not parse.
std::optional<Substitution> substituted(std::string_view text, const NameLookup &lookup);

} // namespace meshwright
