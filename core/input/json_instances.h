// SPDX-License-Identifier: GPL-3.0-or-later
// Part of the precompiled headers: files use the library's compiled JSON classes. Compiling these classes again in each
// file would take a tenth of the compile time.
#pragma once

#include <nlohmann/json.hpp>

extern template class nlohmann::basic_json<nlohmann::ordered_map>;
extern template class nlohmann::detail::serializer<nlohmann::ordered_json>;
extern template class nlohmann::json_pointer<std::string>;
