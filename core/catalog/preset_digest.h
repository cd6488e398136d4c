// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

namespace meshwright {

class Library;

/// Digest of everything that predictions of measured runs depend on: names and contents of the built-in accelerators,
/// clusters, models, stacks, memory profiles and measured runs. Empty if the user has presets, because they may
/// override these, or if a file cannot be read.
std::optional<std::uint64_t> digest_of_presets(const Library &library);

} // namespace meshwright
