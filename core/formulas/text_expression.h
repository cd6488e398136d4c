// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace meshwright {

/// A part of a formula's text with numbers for its names, and what it comes to.
struct Substitution {
    double value = 0;
    std::string text;
};

/// What stands for a name; nothing for a name that is not known.
using NameLookup = std::function<std::optional<Substitution>(std::string_view)>;

/// Reads a text in muParser's syntax (arithmetic, comparisons, ?:, functions) and puts in what stands for its names. Of
/// a case distinction only the case that holds is left. Nothing if it is not such a text.
std::optional<Substitution> substituted(std::string_view text, const NameLookup &lookup);

} // namespace meshwright
