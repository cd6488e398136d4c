// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <string_view>

namespace meshwright {

/// Reads a link's rate over time from a table (RFC 4180) with a column `seconds`, growing, and either `share`, of the
/// nominal rate, or `bits_per_second`. Times count from the first row's. Gives the points that a plan's `rate_trace`
/// holds.
/// @param nominal_bits_per_second  of the link, that `bits_per_second` are shares of; 0 where it is not known
/// @throws InputError with the line that is wrong
nlohmann::ordered_json read_rate_trace_text(std::string_view text, double nominal_bits_per_second);

/// The same from a file. @throws FileError for anything that is not a readable regular file, InputError over 16 MiB and
/// as above, both with the file's name
nlohmann::ordered_json read_rate_trace_file(const std::filesystem::path &file, double nominal_bits_per_second);

/// Which files a plan may name. One from elsewhere shall not learn what there is outside its own folder.
enum class TracePlaces { InFolder, Anywhere };

/// Puts the points in place of every `rate_trace` of a plan that names a file.
/// @param folder  that relative names count from
/// @throws as above; InputError has the field's pointer
void take_in_rate_traces(nlohmann::ordered_json &plan, const std::filesystem::path &folder, TracePlaces places);

} // namespace meshwright
