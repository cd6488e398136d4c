// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "quantities/text.h"

#include <string_view>

namespace meshwright {

/// The direction in which a figure improves for the user.
enum class Preference {
    none, ///< neither direction is better: parameters, tokens, capacity
    lower, ///< time, memory, cost, energy
    higher ///< throughput, MFU, goodput, headroom
};

/// @param figure  name of the figure's derivation, or its path in a result: "step_mfu", "step.mfu"
/// @param quantity  decides for figures that are not listed by name
Preference preference_of(std::string_view figure, Quantity quantity);

} // namespace meshwright
