// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/derivation.h"
#include "search/search_answer.h"
#include "search/search_runner.h"

#include <QString>

#include <optional>

namespace meshwright {

/// How what a search has counted comes about: "considered", "fit", "slower", "too_large", "repeats", "search_seconds",
/// "listed", "least_excess_bytes", "share", "best_so_far"; and the sizes that rules of thumb turn on, "rule_small" and
/// "rule_medium".
/// @param answer  null before the first
std::optional<Derivation> searchMaking(const QString &figure, const SearchAnswer *answer, const SearchState &state);

} // namespace meshwright
