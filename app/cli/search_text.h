// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace meshwright {

/// Formats a search result as text.
std::string searchText(const nlohmann::ordered_json &result);

/// Formats the output of `--advice` as text.
std::string adviceText(const nlohmann::ordered_json &advice);

} // namespace meshwright
