// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/function.h"
#include "formulas/training_compute.h"

#include <array>
#include <cmath>
#include <cstddef>

/// Relations between loss, parameters and tokens. Constants are arguments, so a law can be chosen by name.
namespace meshwright::formula {

/// Number of tokens, or of parameters, at a fixed ratio of tokens to parameters.
inline FormulaFunction tokens_at_ratio{
    [](auto parameters, auto tokens_per_parameter) { return parameters * tokens_per_parameter; }};
inline FormulaFunction parameters_at_ratio{[](auto flops, auto tokens_per_parameter, auto flops_per_parameter) {
    return sqrt(flops / (flops_per_parameter * tokens_per_parameter));
}};

/// Loss of a model with N parameters trained on D tokens: E + A / N^alpha + B / D^beta. Source: Hoffmann et al., arXiv
/// 2203.15556, equation 2.
inline FormulaFunction parametric_loss{[](auto parameters, auto tokens, auto E, auto A, auto B, auto alpha, auto beta) {
    return E + A / pow(parameters, alpha) + B / pow(tokens, beta);
}};

/// Parameters and tokens that minimize the loss for a compute budget. Source: arXiv 2203.15556, equation 4.
inline FormulaFunction optimal_parameters{[](auto flops, auto A, auto B, auto alpha, auto beta,
                                             auto flops_per_parameter) {
    return pow(alpha * A / (beta * B), 1 / (alpha + beta)) * pow(flops / flops_per_parameter, beta / (alpha + beta));
}};
inline FormulaFunction optimal_tokens{[](auto flops, auto A, auto B, auto alpha, auto beta, auto flops_per_parameter) {
    return flops / flops_per_parameter / optimal_parameters(flops, A, B, alpha, beta, flops_per_parameter);
}};
inline FormulaFunction optimal_loss{
    [](auto flops, auto E, auto A, auto B, auto alpha, auto beta, auto flops_per_parameter) {
        return parametric_loss(optimal_parameters(flops, A, B, alpha, beta, flops_per_parameter),
                               optimal_tokens(flops, A, B, alpha, beta, flops_per_parameter), E, A, B, alpha, beta);
    }};

/// Tokens that minimize the loss, as a power law in compute. Source: Llama 3, arXiv 2407.21783, section 3.2.1: N*(C) =
/// A C^alpha tokens with alpha = 0.53 and A = 0.29.
inline FormulaFunction power_law_tokens{
    [](auto flops, auto coefficient, auto exponent) { return coefficient * pow(flops / flop, exponent); }};

/// Compute-optimal tokens under Llama 3's law, N*(C) = 0.29 C^0.53.
inline FormulaFunction llama3_tokens{[](auto flops) { return power_law_tokens(flops, 0.29, 0.53); }};

/// Published fits of the law, by index: Hoffmann et al., arXiv 2203.15556, appendix D.3; and the refit of the same runs
/// by Besiroglu et al., arXiv 2404.10102.
struct LossLaw {
    double E, A, B, alpha, beta;
};
inline constexpr std::array<LossLaw, 2> loss_laws{
    {{1.69, 406.4, 410.7, 0.34, 0.28}, {1.8172, 482.01, 2085.43, 0.3478, 0.3658}}};

/// The value of one of these laws, or `otherwise` (by default NaN) for any other index.
template <typename Value, typename Otherwise>
double of_law(double law, const Value &value, const Otherwise &otherwise) {
    const auto place = static_cast<std::size_t>(law);
    return place < loss_laws.size() ? value(loss_laws[place]) : branch_value(otherwise);
}
template <typename Value, typename Otherwise>
Expression of_law(const Expression &law, const Value &value, const Otherwise &otherwise) {
    return when(law == 0, value(loss_laws[0]), when(law == 1, value(loss_laws[1]), otherwise));
}
template <typename Value>
double of_law(double law, const Value &value) {
    return of_law(law, value, undefined);
}
template <typename Value>
Expression of_law(const Expression &law, const Value &value) {
    return when(law == 0, value(loss_laws[0]), value(loss_laws[1]));
}

/// Loss by index into loss_laws. Index 2 is Llama 3's power law, which gives tokens but no loss.
inline FormulaFunction law_loss{[](auto parameters, auto tokens, auto law) {
    return of_law(law, [&](const LossLaw &fit) {
        return parametric_loss(parameters, tokens, fit.E, fit.A, fit.B, fit.alpha, fit.beta);
    });
}};
inline FormulaFunction law_optimal_parameters{[](auto flops, auto law, auto flops_per_parameter) {
    return of_law(
        law,
        [&](const LossLaw &fit) {
            return optimal_parameters(flops, fit.A, fit.B, fit.alpha, fit.beta, flops_per_parameter);
        },
        [&] { return flops / flops_per_parameter / llama3_tokens(flops); });
}};
inline FormulaFunction law_optimal_tokens{[](auto flops, auto law, auto flops_per_parameter) {
    return flops / flops_per_parameter / law_optimal_parameters(flops, law, flops_per_parameter);
}};
inline FormulaFunction law_optimal_loss{[](auto flops, auto law, auto flops_per_parameter) {
    return of_law(law, [&](const LossLaw &fit) {
        return optimal_loss(flops, fit.E, fit.A, fit.B, fit.alpha, fit.beta, flops_per_parameter);
    });
}};

/// Number of tokens relative to the compute-optimal number.
inline FormulaFunction overtraining{[](auto parameters, auto tokens, auto tokens_per_parameter) {
    return tokens / tokens_at_ratio(parameters, tokens_per_parameter);
}};
/// Compute for training and for generating tokens afterwards, at two FLOPs per parameter and generated token.
inline FormulaFunction lifetime_flops{
    [](auto parameters, auto tokens, auto generated_tokens, auto flops_per_parameter) {
        return training_flops(parameters, tokens, flops_per_parameter)
            + training_flops(parameters, generated_tokens, flops_per_parameter) / 3;
    }};

} // namespace meshwright::formula
