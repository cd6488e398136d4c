// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "calibration/machine_fit.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace meshwright {

/// Id and name of a fitted preset.
/// @pre is_preset_id(id)
struct PresetName {
    std::string id;
    std::string name;
};

/// A cluster preset with the changed constants and the runs to which they were fitted. The preset's `sources` state the
/// number of runs.
nlohmann::ordered_json fitted_cluster(Cluster cluster, const MachineFit &fit, const PresetName &name);
/// An accelerator preset with the changed constants that belong to the device: efficiencies of GEMMs, memory and the
/// allocator.
nlohmann::ordered_json fitted_accelerator(Accelerator accelerator, const MachineFit &fit, const PresetName &name);

/// JSON of a fit ("meshwright.machine/1"): constants, runs with errors before and after, and skipped runs.
nlohmann::ordered_json to_json(const MachineFit &fit);

/// Notes on a fit, one sentence each: constants that the runs do not determine, constants at the limit of their range,
/// and whether held-out runs are predicted better than before.
std::vector<std::string> notes(const MachineFit &fit);

} // namespace meshwright
