// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <nlohmann/json_fwd.hpp>

#include <vector>

namespace meshwright {

/// A field that differs between two versions of a plan, or that only one version sets.
struct FieldDifference {
    QString field;
    QString theirs; ///< shortened value in the other version; empty if not set
    QString mine;
};

/// The differing fields: first those of `mine`, in order, then those that only `theirs` sets. Objects are compared
/// field by field; lists of equal length, element by element.
std::vector<FieldDifference> fieldDifferences(const nlohmann::ordered_json &theirs, const nlohmann::ordered_json &mine);

} // namespace meshwright
