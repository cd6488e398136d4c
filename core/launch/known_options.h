// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace meshwright {

class Library;

/// The reason why an option of a launcher sets no plan field. It follows from the option's section in
/// presets/launchers/options.csv; options that are not in the table are unknown to that version of the launcher.
/// @param launcher  name in the table: "megatron-lm", "nanotron", ...
/// @param is_off  whether the file sets the option to false
std::string why_ignored(std::string_view launcher, std::string_view option, const Library &library,
                        bool is_off = false);

/// The reason for an option that the importer does not know, of a launcher whose options the table lists only in part.
inline constexpr const char *unknown_effect = "the importer does not know what it changes";

bool is_known_option(std::string_view launcher, std::string_view option, const Library &library);

} // namespace meshwright
