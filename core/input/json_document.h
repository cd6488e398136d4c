// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "input/files.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <string_view>

namespace meshwright {

inline constexpr int deepest_input_nesting = 64;

/// Parses JSON text from an untrusted source. Object keys keep their order.
/// @throws InputError over 16 MiB, nested deeper than 64, not UTF-8, not JSON, a repeated key, or a number that no
///         double can hold.
nlohmann::ordered_json parse_json(std::string_view text);

/// Reads and parses a file; stops reading at 16 MiB.
/// @throws FileError if it cannot be read, InputError as parse_json.
nlohmann::ordered_json read_json_file(const std::filesystem::path &path);

/// The same from a stream, for standard input.
nlohmann::ordered_json read_json_stream(std::istream &stream);

} // namespace meshwright
