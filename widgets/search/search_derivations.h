// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/derivation.h"
#include "search/search_answer.h"

#include <QString>

#include <optional>

namespace meshwright {

/// Where the limits that a search goes by come from: "tied_within", "needed", "slower_admitted", and the sizes that
/// rules of thumb turn on, "rule_small" and "rule_medium"; and "least_excess_bytes", which it found.
/// @param answer  null before the first
std::optional<Derivation> searchDerivation(const QString &figure, const SearchAnswer *answer);

} // namespace meshwright
