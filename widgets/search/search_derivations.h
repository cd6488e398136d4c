// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/derivation.h"
#include "search/search_answer.h"

#include <QString>

#include <optional>

namespace meshwright {

/// Derivation of a limit of the search ("tied_within", "needed", "slower_admitted"), of a model size at which rules of
/// thumb change ("rule_small", "rule_medium"), or of the search's result "least_excess_bytes".
/// @param answer  null before the first answer
std::optional<Derivation> searchDerivation(const QString &figure, const SearchAnswer *answer);

} // namespace meshwright
