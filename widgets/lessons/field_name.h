// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <string>

namespace meshwright {

/// Label of a plan field in a lesson: "ZeRO stage" for "parallelism.zero_stage", "Recompute: mode" for
/// "recompute.mode". Fields of parallelism and batch need no section name.
/// @param field  dotted name, as for --set
QString fieldName(const std::string &field);

} // namespace meshwright
