// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "search/result_lines.h"
#include "search/space.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>

namespace meshwright {

/// Results of searches in a file, one a line. Many processes may append to it at once; a line that a kill has left
/// unfinished counts for nothing.

/// Nothing where there is no such file. @throws FileError if it cannot be read
ResultLines readResultLines(const std::string &file);

/// The result of this search and shard. @throws FileError
std::optional<nlohmann::ordered_json> findResultLine(const std::string &file, const std::string &key,
                                                     const Shard &shard);

/// @throws FileError if it cannot be written
void appendResultLine(const std::string &file, const nlohmann::ordered_json &result);

} // namespace meshwright
