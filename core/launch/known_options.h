// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace meshwright {

class Library;

/// The reason why an option of a launcher sets no plan field. It follows from the option's section in
/// presets/launchers/options.csv; an option that is not in the table is unknown to that version of the launcher.
/// @param launcher  as the table names it: "megatron-lm", "nanotron", ...
std::string why_ignored(std::string_view launcher, std::string_view option, const Library &library);

/// Whether the launcher knows the option.
bool is_known_option(std::string_view launcher, std::string_view option, const Library &library);

} // namespace meshwright
