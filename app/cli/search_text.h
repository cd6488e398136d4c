// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace meshwright {

std::string searchText(const nlohmann::ordered_json &result);

std::string adviceText(const nlohmann::ordered_json &advice);

} // namespace meshwright
