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

/// A number that calibration may change: a constant of the registry, or a field of training stacks. The prior of its
/// logarithm is a normal distribution around ln(expected) with standard deviation `spread`.
struct FreeParameter {
    std::string name; ///< "matrix-efficiency-ampere", or "nemo-2024.host_seconds_per_layer"
    double expected = 1; ///< expected value before any runs are measured
    double spread = 0.3; ///< standard deviation of the log-normal prior
    double low = 0;
    double high = 0;
    std::map<std::string, double> stacks; ///< values in the presets, by stack id; empty for a constant
    std::string field;
    const Constant *constant = nullptr;

    /// Whether a plan uses the preset's value; a rule or a user may have set another value.
    bool concerns(const Plan &plan) const;
    double value_in(const Plan &plan, const Assumptions &assumptions) const;
    void set(double value, Plan &plan, Assumptions &assumptions) const;
};

/// Reads a list of parameters that calibration may change (presets/evidence/free-parameters.json).
/// @param list  key in the file: "parameters" for step time, "memory_parameters" for memory
/// @throws InputError
std::vector<FreeParameter> read_free_parameters(const nlohmann::ordered_json &document, const Library &library,
                                                const char *list = "parameters");

} // namespace meshwright
