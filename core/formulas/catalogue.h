// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/formula.h"
#include "formulas/function.h"

#include <cstddef>
#include <string_view>

/// Helpers for the files that define the catalog's formulas. Only those files include this header.
namespace meshwright::catalogue {

namespace topic {
constexpr std::string_view batch_and_learning_rate = "Batch and learning rate";
constexpr std::string_view checkpoints_and_failures = "Checkpoints and failures";
constexpr std::string_view communication = "Communication";
constexpr std::string_view compute = "Compute";
constexpr std::string_view cost_and_energy = "Cost and energy";
constexpr std::string_view diloco = "DiLoCo";
constexpr std::string_view hardware_thresholds = "Hardware thresholds";
constexpr std::string_view inter_site_network = "Inter-site network";
constexpr std::string_view kernels = "Kernels";
constexpr std::string_view memory = "Memory";
constexpr std::string_view model = "Model";
constexpr std::string_view number_formats = "Number formats";
constexpr std::string_view pipeline = "Pipeline";
constexpr std::string_view scaling_laws = "Scaling laws";
constexpr std::string_view step = "Step";
constexpr std::string_view tensor_parallelism = "Tensor parallelism";
} // namespace topic

/// A symbol for a positive amount, limited to the sensible range of its quantity.
Symbol amount(Quantity quantity, std::string_view name, std::string_view letter, std::string_view meaning);
Symbol whole(std::string_view name, std::string_view letter, std::string_view meaning, double low = 1,
             double high = 1e9);
/// A symbol for a number without a unit.
Symbol real(std::string_view name, std::string_view letter, std::string_view meaning, double low, double high);
/// A symbol that is 0 or 1.
Symbol flag(std::string_view name, std::string_view letter, std::string_view meaning);
Symbol choice(std::string_view name, std::string_view letter, std::string_view meaning,
              std::vector<std::string_view> words);

/// A symbol for the bytes per parameter of one part of the model states, such as the Adam states. The default is
/// `value`; 0 means that the model has no such part.
Symbol per_parameter(std::string_view name, std::string_view letter, std::string_view meaning, double value);

/// Extends the symbol's range to include 0.
Symbol or_zero(Symbol symbol);
/// Gives the symbol a default value.
Symbol otherwise(Symbol symbol, double value);
/// Gives the symbol a unit that is not SI.
Symbol in(std::string_view unit, Symbol symbol);
FormulaResult in(std::string_view unit, FormulaResult result);

/// A result calculated by `function`. There must be one argument name per parameter of the function.
template <std::size_t Count, typename Function, typename Indices>
FormulaResult result(FormulaResult about, const std::string_view (&arguments)[Count],
                     const FormulaFunction<Function, Indices> &function) {
    static_assert(Count == FormulaFunction<Function, Indices>::argument_count, "one symbol per function argument");
    about.arguments.assign(std::begin(arguments), std::end(arguments));
    about.function = [&function](std::span<const double> values) { return function.call(values); };
    about.identity = &function;
    about.formula = [&function](std::span<const Expression> names) { return function.express(names); };
    return about;
}

/// A result calculated by a loop, so it has no formula text. If an argument is a list of numbers, it is the last one.
FormulaResult procedure(FormulaResult about, std::vector<std::string_view> arguments,
                        double (*function)(std::span<const double>));

std::vector<Formula> collective_formulas();
std::vector<Formula> overlap_formulas();
std::vector<Formula> memory_formulas();
std::vector<Formula> activation_formulas();
std::vector<Formula> pipeline_formulas();
std::vector<Formula> schedule_formulas();
std::vector<Formula> tensor_formulas();
std::vector<Formula> batch_formulas();
std::vector<Formula> learning_rate_formulas();
std::vector<Formula> compute_formulas();
std::vector<Formula> model_formulas();
std::vector<Formula> checkpoint_formulas();
std::vector<Formula> cost_formulas();
std::vector<Formula> float_formulas();
std::vector<Formula> wan_formulas();
std::vector<Formula> wire_formulas();
std::vector<Formula> outer_formulas();
std::vector<Formula> diloco_formulas();
std::vector<Formula> scaling_formulas();
std::vector<Formula> threshold_formulas();
std::vector<Formula> kernel_formulas();
std::vector<Formula> network_formulas();
std::vector<Formula> step_formulas();
std::vector<Formula> rank_memory_formulas();
std::vector<Formula> offload_formulas();
std::vector<Formula> figure_formulas();
std::vector<Formula> zero_fit_formulas();
std::vector<Formula> batch_stage_formulas();
std::vector<Formula> step_timeline_formulas();
std::vector<Formula> dimension_traffic_formulas();
std::vector<Formula> failure_loss_formulas();
std::vector<Formula> underflow_formulas();
std::vector<Formula> attention_memory_formulas();
std::vector<Formula> packing_formulas();
std::vector<Formula> first_step_formulas();

} // namespace meshwright::catalogue
