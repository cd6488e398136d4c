// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/derivation.h"
#include "search/configuration_map.h"

#include <QString>

#include <optional>

namespace meshwright {

/// How what ran in a cell of the map comes about, and what is predicted of it: "cell_measured", "cell_measured_mfu",
/// "cell_predicted", "cell_choice_loss".
/// @param cell  that is chosen; null for none
std::optional<Derivation> mapDerivation(const QString &figure, const MapCell *cell);

/// The plan of a measured run of the program's own table: "row.17".
std::optional<Plan> mapPlan(const QString &name);

} // namespace meshwright
