// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/function.h"
#include "formulas/training_compute.h"

#include <cmath>

/// How loss, parameters and tokens belong together. Constants are arguments, so that a law can be chosen by name.
namespace meshwright::formula {

/// Tokens, or parameters, at a fixed ratio of the two.
inline FormulaFunction tokens_at_ratio{
    +[](double parameters, double tokens_per_parameter) { return parameters * tokens_per_parameter; }};
inline FormulaFunction parameters_at_ratio{+[](double flops, double tokens_per_parameter, double flops_per_parameter) {
    return std::sqrt(flops / (flops_per_parameter * tokens_per_parameter));
}};

/// L = E + A / N^alpha + B / D^beta. Source: Hoffmann and others, arXiv 2203.15556, equation 2.
inline FormulaFunction parametric_loss{
    +[](double parameters, double tokens, double E, double A, double B, double alpha, double beta) {
        return E + A / std::pow(parameters, alpha) + B / std::pow(tokens, beta);
    }};

/// Parameters and tokens of least loss for an amount of computation. Source: the same, equation 4.
inline FormulaFunction optimal_parameters{
    +[](double flops, double A, double B, double alpha, double beta, double flops_per_parameter) {
        return std::pow(alpha * A / (beta * B), 1 / (alpha + beta))
            * std::pow(flops / flops_per_parameter, beta / (alpha + beta));
    }};
inline FormulaFunction optimal_tokens{
    +[](double flops, double A, double B, double alpha, double beta, double flops_per_parameter) {
        return flops / flops_per_parameter / optimal_parameters(flops, A, B, alpha, beta, flops_per_parameter);
    }};
inline FormulaFunction optimal_loss{
    +[](double flops, double E, double A, double B, double alpha, double beta, double flops_per_parameter) {
        return parametric_loss(optimal_parameters(flops, A, B, alpha, beta, flops_per_parameter),
                               optimal_tokens(flops, A, B, alpha, beta, flops_per_parameter), E, A, B, alpha, beta);
    }};

/// Tokens of least loss as a power of the computation. Source: Llama 3, arXiv 2407.21783, section 3.2.1:
/// N*(C) = A C^alpha in tokens with alpha 0.53 and A 0.29.
inline FormulaFunction power_law_tokens{
    +[](double flops, double coefficient, double exponent) { return coefficient * std::pow(flops, exponent); }};

/// How many times the tokens of the optimum a model sees.
inline FormulaFunction overtraining{+[](double parameters, double tokens, double tokens_per_parameter) {
    return tokens / tokens_at_ratio(parameters, tokens_per_parameter);
}};
/// Computation of training and of generating tokens afterwards: two FLOPs a parameter and token.
inline FormulaFunction lifetime_flops{
    +[](double parameters, double tokens, double generated_tokens, double flops_per_parameter) {
        return training_flops(parameters, tokens, flops_per_parameter)
            + training_flops(parameters, generated_tokens, flops_per_parameter) / 3;
    }};

} // namespace meshwright::formula
