// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace meshwright {
struct Plan;
}

namespace meshwright::fuzz {

/// Evaluates a valid plan and checks that all numbers are finite and that step terms and memory kinds add up.
/// @throws InputError if the plan is rejected
void evaluate_and_check(const Plan &plan);

/// Reads a document, writes it, reads it back and evaluates it.
/// @throws InputError if the document is rejected
void read_and_evaluate(const nlohmann::ordered_json &document);

} // namespace meshwright::fuzz
