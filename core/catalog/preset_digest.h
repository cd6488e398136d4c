// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

namespace meshwright {

class Library;

/// Of everything that predictions of the measured runs are made from: the names and texts of the program's
/// accelerators, clusters, models, stacks, memory profiles and measured runs. Nothing where the user has presets of
/// their own, which may stand in for any of these, or where a file does not read.
std::optional<std::uint64_t> digest_of_presets(const Library &library);

} // namespace meshwright
