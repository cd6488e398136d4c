// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/derivation.h"
#include "search/configuration_map.h"

#include <QString>

#include <optional>

namespace meshwright {

/// How what a map has counted and what is known of measured runs comes about: "map_cells", "map_spearman",
/// "cell_measured".
/// @param cell  that is chosen; null for none
std::optional<Derivation> mapMaking(const QString &figure, const ConfigurationMap &map, const MapCell *cell);

/// The plan of a measured run of the program's own table: "row.17".
std::optional<Plan> mapPlan(const QString &name);

} // namespace meshwright
