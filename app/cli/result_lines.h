// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "search/result_lines.h"
#include "search/space.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>

namespace meshwright {

/// A file with one search result per line. Several processes may append concurrently; incomplete lines of killed
/// processes are ignored.

/// Reads all results; empty if the file does not exist. @throws FileError if it cannot be read
ResultLines readResultLines(const std::string &file);

/// The result of this search and shard, if present. @throws FileError
std::optional<nlohmann::ordered_json> findResultLine(const std::string &file, const std::string &key,
                                                     const Shard &shard);

/// @throws FileError if it cannot be written
void appendResultLine(const std::string &file, const nlohmann::ordered_json &result);

} // namespace meshwright
