// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "calibration/machine_fit.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace meshwright {

/// What a fitted preset is to be called. @pre is_preset_id(id)
struct PresetName {
    std::string id;
    std::string name;
};

/// A cluster as a preset of its own, with the constants that moved and the runs that they are fitted to; sources say
/// from how many.
nlohmann::ordered_json fitted_cluster(Cluster cluster, const MachineFit &fit, const PresetName &name);
/// An accelerator likewise, with those of the constants that are the device's own: what its multiplies, its memory and
/// its allocator reach.
nlohmann::ordered_json fitted_accelerator(Accelerator accelerator, const MachineFit &fit, const PresetName &name);

/// Constants, runs with errors before and after, and what was skipped: "meshwright.machine/1".
nlohmann::ordered_json to_json(const MachineFit &fit);

/// What the fit says in a sentence each: what the runs do not determine, what ended at the end of its range, and
/// whether runs left out are predicted better than before.
std::vector<std::string> remarks(const MachineFit &fit);

} // namespace meshwright
