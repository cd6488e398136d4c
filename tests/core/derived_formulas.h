// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

namespace meshwright::testing {

/// One result of a formula of the catalogue; arguments that are left out take their defaults.
double given(std::string_view formula, std::string_view result,
             std::initializer_list<std::pair<std::string_view, double>> arguments);

/// The two are the same but for rounding.
void near(double actual, double expected);

/// A formula for which no figure has been published, held to another way of getting at it.
struct DerivedFormula {
    std::string_view formula;
    std::string_view by; ///< what it is held to: a count, a limit, a simulation, another formula
    void (*check)();
};
/// Of a layer and its kernels, and of traffic.
std::vector<DerivedFormula> derived_machine_formulas();
/// Of what a rank holds, and what it leaves to its host.
std::vector<DerivedFormula> derived_memory_formulas();
/// Of multiplies.
std::vector<DerivedFormula> derived_kernel_formulas();
/// Of runs, sites and what they cost.
std::vector<DerivedFormula> derived_run_formulas();
/// Of steps, schedules, number formats and documents.
std::vector<DerivedFormula> derived_training_formulas();

} // namespace meshwright::testing
