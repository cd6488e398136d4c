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

/// Size limits of a document. The program's own files have larger limits, because they contain whole documents.
struct InputLimits {
    std::size_t bytes = largest_input_bytes;
    int nesting = deepest_input_nesting;
};

/// Why text is not JSON: "invalid JSON in line 1, column 66: unexpected end of input instead of '}'".
/// @param position  byte at which parsing stopped
/// @param message  what() of nlohmann's exception
std::string json_error_text(std::size_t position, std::string_view message);

/// Parses JSON text from an untrusted source. Object keys keep their order.
/// @throws InputError if the text exceeds the limits, is not UTF-8 or JSON, repeats a key, or has a number that does
/// not fit a double.
nlohmann::ordered_json parse_json(std::string_view text, const InputLimits &limits = {});

/// Reads and parses a file, up to the size limit.
/// @throws FileError if it cannot be read, InputError as for parse_json().
nlohmann::ordered_json read_json_file(const std::filesystem::path &path, const InputLimits &limits = {});

/// Serializes a document so that parse_json() restores the same document. The text is indented unless that exceeds
/// the size limit. @throws InputError with the exceeded limit if the document could not be read back
std::string document_text(const nlohmann::ordered_json &document);

nlohmann::ordered_json read_json_stream(std::istream &stream);

} // namespace meshwright
