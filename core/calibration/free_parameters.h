// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/constants.h"
#include "evidence/run_plan.h"

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <string>
#include <vector>

namespace meshwright {

class Library;

/// One number of the model that measured runs may move: a constant of the registry, or a field of training stacks. It
/// is varied by a factor, its logarithm being near that of `expected`, as far as `spread` says.
struct FreeParameter {
    std::string name; ///< "matrix-efficiency-ampere", or "nemo-2024.host_seconds_per_layer"
    double expected = 1; ///< what it would be taken as without measured runs
    double spread = 0.3; ///< standard deviation of its logarithm before any run is looked at
    double low = 0;
    double high = 0;
    std::map<std::string, double> stacks; ///< ids with what their presets say; empty for a constant
    std::string field; ///< of these stacks
    const Constant *constant = nullptr;

    /// Whether a plan as it was read takes this number from the preset: rules and users may have set another.
    bool concerns(const Plan &plan) const;
    double value_in(const Plan &plan, const Assumptions &assumptions) const;
    void set(double value, Plan &plan, Assumptions &assumptions) const;
};

/// Reads a list of parameters that calibration may move (presets/evidence/free-parameters.json).
/// @param list  its key: "parameters" for those of the step's time, "memory_parameters"
/// @throws InputError
std::vector<FreeParameter> read_free_parameters(const nlohmann::ordered_json &document, const Library &library,
                                                const char *list = "parameters");

} // namespace meshwright
