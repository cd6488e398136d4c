// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

namespace meshwright::testing {

/// Returns one result of a catalog formula; omitted arguments have their default values.
double given(std::string_view formula, std::string_view result,
             std::initializer_list<std::pair<std::string_view, double>> arguments);

/// Expects equality up to rounding errors.
void near(double actual, double expected);

/// A formula without a published figure, checked against an independent calculation.
struct DerivedFormula {
    std::string_view formula;
    std::string_view by; ///< the independent calculation: a count, a limit, a simulation or another formula
    void (*check)();
};
/// Formulas of layers, kernels and traffic.
std::vector<DerivedFormula> derived_machine_formulas();
/// Formulas of a rank's memory and of offloading to its host.
std::vector<DerivedFormula> derived_memory_formulas();
/// Formulas of GEMMs.
std::vector<DerivedFormula> derived_kernel_formulas();
/// Formulas of runs, of sites and of their cost.
std::vector<DerivedFormula> derived_run_formulas();
/// Formulas of steps, schedules, number formats and documents.
std::vector<DerivedFormula> derived_training_formulas();

} // namespace meshwright::testing
