// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <string_view>

namespace meshwright {

/// Reads a link's rate over time from a CSV table (RFC 4180) with an increasing column `seconds` and either `share`
/// (fraction of the nominal rate) or `bits_per_second`. Times are relative to the first row. Returns the points of a
/// plan's `rate_trace`.
/// @param nominal_bits_per_second  the link's nominal rate, to convert `bits_per_second` to fractions; 0 if unknown
/// @throws InputError with the invalid line
nlohmann::ordered_json read_rate_trace_text(std::string_view text, double nominal_bits_per_second);

/// Reads the table from a file. @throws FileError if it is not a readable regular file, InputError if it is larger than
/// 16 MiB or invalid, both with the file name
nlohmann::ordered_json read_rate_trace_file(const std::filesystem::path &file, double nominal_bits_per_second);

/// Which files a plan may name. A plan from another source must not be able to probe files outside its folder.
enum class TracePlaces { InFolder, Anywhere };

/// Replaces every file name in a plan's `rate_trace` fields by the points in the file.
/// @param folder  base folder of relative names
/// @throws as above; an InputError has the field's pointer
void take_in_rate_traces(nlohmann::ordered_json &plan, const std::filesystem::path &folder, TracePlaces places);

} // namespace meshwright
