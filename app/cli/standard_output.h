// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string_view>

namespace meshwright {

/// Writes all of `text` to standard output. @throws Failure if a closed pipe or a full disk takes less
void writeText(std::string_view text);

/// Writes a document, indented, with a line break at its end. Text that is not UTF-8 (a file's name) is replaced.
void writeJson(const nlohmann::ordered_json &document);

} // namespace meshwright
