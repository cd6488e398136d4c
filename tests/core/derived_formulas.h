// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

namespace meshwright::testing {

/// One result of a formula of the catalog; omitted arguments have their defaults.
double given(std::string_view formula, std::string_view result,
             std::initializer_list<std::pair<std::string_view, double>> arguments);

/// Expects both values to be equal up to rounding.
void near(double actual, double expected);

/// A formula without published figures, which is checked against another way to calculate it.
struct DerivedFormula {
    std::string_view formula;
    std::string_view by; ///< what it is checked against: a count, a limit, a simulation, another formula
    void (*check)();
};
/// Formulas of a layer, its kernels and its traffic.
std::vector<DerivedFormula> derived_machine_formulas();
/// Formulas of the memory of a rank and of its host.
std::vector<DerivedFormula> derived_memory_formulas();
/// Formulas of GEMMs.
std::vector<DerivedFormula> derived_kernel_formulas();
/// Formulas of runs, sites and their cost.
std::vector<DerivedFormula> derived_run_formulas();
/// Formulas of steps, schedules, number formats and documents.
std::vector<DerivedFormula> derived_training_formulas();

} // namespace meshwright::testing
