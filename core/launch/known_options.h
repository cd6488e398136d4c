// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace meshwright {

class Library;

/// Why an option of a launcher sets no plan field: by the section that presets/launchers/options.csv has it in, or
/// because the launcher knows no such option at the version that the table was read from.
/// @param launcher  as the table names it: "megatron-lm", "nanotron", ...
std::string why_ignored(std::string_view launcher, std::string_view option, const Library &library);

/// Whether the launcher knows the option.
bool is_known_option(std::string_view launcher, std::string_view option, const Library &library);

} // namespace meshwright
