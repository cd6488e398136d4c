// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace meshwright {
struct Plan;
}

namespace meshwright::fuzz {

/// Evaluates a valid plan and checks what holds for every result: numbers are finite, and the terms of a step and the
/// kinds of memory add up. @throws InputError for a rejected plan
void evaluate_and_check(const Plan &plan);

/// Reads a document, writes it, reads that again, and evaluates it. @throws InputError
void read_and_evaluate(const nlohmann::ordered_json &document);

} // namespace meshwright::fuzz
