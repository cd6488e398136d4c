// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace meshwright {

/// The tables of a search's result for people.
std::string searchText(const nlohmann::ordered_json &result);

/// What `--advice` adds, for people.
std::string adviceText(const nlohmann::ordered_json &advice);

} // namespace meshwright
