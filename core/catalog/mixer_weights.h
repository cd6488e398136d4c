// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/weights.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace meshwright {

/// A weight matrix without bias.
Weight matrix(std::string_view name, WeightKind kind, std::int64_t inputs, std::int64_t outputs, Split split);
Weight vector_of(std::string_view name, WeightKind kind, std::int64_t parameters);

/// The weights of a layer's sequence mixer, including norms inside it.
std::vector<Weight> mixer_weights(const Model &model, const Mixer &mixer);

} // namespace meshwright
