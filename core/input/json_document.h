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

/// What a document may not exceed. Those of the program's own files are wider: they hold whole documents.
struct InputLimits {
    std::size_t bytes = largest_input_bytes;
    int nesting = deepest_input_nesting;
};

/// Parses JSON text from an untrusted source. Object keys keep their order.
/// @throws InputError beyond the limits, not UTF-8, not JSON, a repeated key, or a number that no double can hold.
nlohmann::ordered_json parse_json(std::string_view text, const InputLimits &limits = {});

/// Reads and parses a file; stops reading at the limit.
/// @throws FileError if it cannot be read, InputError as parse_json.
nlohmann::ordered_json read_json_file(const std::filesystem::path &path, const InputLimits &limits = {});

/// The text of a document for its file, which parse_json() reads back as the same document: indented where that is not
/// too long. @throws InputError for a document that no text would give back, with the limit that it exceeds
std::string document_text(const nlohmann::ordered_json &document);

/// The same from a stream, for standard input.
nlohmann::ordered_json read_json_stream(std::istream &stream);

} // namespace meshwright
