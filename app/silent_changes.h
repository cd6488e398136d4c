// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace meshwright {

class Library;

/// Many defaults depend on other fields: sequence parallelism on the tensor degree, the schedule on the chunks. An edit
/// must not change other fields silently. Therefore, fields whose defaults would change keep their old values, which
/// are set explicitly. Exceptions: unset fields shown as derived (data parallelism, the accelerator's price), and the
/// outer loop of a plan that had one site.
/// @param before  the document before the edit
/// @param after  the document with `patch` applied; receives the fields whose defaults would change
void keepUntouchedFields(const nlohmann::ordered_json &before, nlohmann::ordered_json &after,
                         const nlohmann::ordered_json &patch, const Library &library);

} // namespace meshwright
