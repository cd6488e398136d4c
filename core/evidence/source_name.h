// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace meshwright {

/// A short name for a source, in one or two words: the repository of "owner/repository path", "Narayanan" of "Narayanan
/// et al. 2021, table 1", or else the first two words.
std::string short_source(std::string_view source);

} // namespace meshwright
