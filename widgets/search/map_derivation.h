// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/derivation.h"
#include "search/configuration_map.h"

#include <QString>

#include <optional>

namespace meshwright {

/// Derivation of a figure about the measured runs of a map cell: "cell_measured", "cell_measured_mfu",
/// "cell_predicted", "cell_choice_loss".
/// @param cell  the selected cell; null for none
std::optional<Derivation> mapDerivation(const QString &figure, const MapCell *cell);

/// The plan of a measured run, by its row in the program's own table: "row.17".
std::optional<Plan> mapPlan(const QString &name);

} // namespace meshwright
