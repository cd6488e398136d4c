// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <nlohmann/json_fwd.hpp>

#include <vector>

namespace meshwright {

/// A field that two versions of a plan have different values for, or only one has.
struct FieldDifference {
    QString field; ///< as `--set` names it: "parallelism.tensor"
    QString theirs; ///< short; empty where it is left out
    QString mine;
};

/// In the order of `mine`, then what only `theirs` has. Objects and lists of one length are compared part by part.
std::vector<FieldDifference> fieldDifferences(const nlohmann::ordered_json &theirs, const nlohmann::ordered_json &mine);

} // namespace meshwright
