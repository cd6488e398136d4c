// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace meshwright {

class Library;

/// States why an option of a launcher sets no plan field. The reason follows from the option's section in
/// presets/launchers/options.csv; an option that is missing from the table is unknown to that version of the launcher.
/// @param launcher  name of the launcher in the table: "megatron-lm", "nanotron", ...
std::string why_ignored(std::string_view launcher, std::string_view option, const Library &library);

/// Whether the launcher knows the option.
bool is_known_option(std::string_view launcher, std::string_view option, const Library &library);

} // namespace meshwright
