// SPDX-License-Identifier: GPL-3.0-or-later
#include "input/json_instances.h"

template class nlohmann::basic_json<nlohmann::ordered_map>;
template class nlohmann::detail::serializer<nlohmann::ordered_json>;
template class nlohmann::json_pointer<std::string>;
