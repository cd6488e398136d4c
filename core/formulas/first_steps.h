// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/function.h"

/// Memory of one accelerator in the first steps of a run. The first update allocates the two Adam states; the first
/// backward pass allocates the gradients. Source: PyTorch's torch.optim.Adam, whose state is empty until its first
/// step(); measured in The Ultra-Scale Playbook, section on memory usage.
namespace meshwright::formula {

/// Bytes of weights, master weights and, from the second step on, Adam states.
inline FormulaFunction states_at_start_bytes{
    [](auto parameters, auto weight_bytes, auto master_bytes, auto moment_bytes, auto step) {
        return parameters * (weight_bytes + master_bytes + when(step > 1, moment_bytes, 0));
    }};
/// Bytes of gradients at the start of a step. @param keeps_gradients 1 if the update zeroes gradients, 0 if it frees
/// them
inline FormulaFunction gradients_at_start_bytes{
    [](auto parameters, auto gradient_bytes, auto step, auto keeps_gradients) {
        return when(step > 1, parameters * gradient_bytes * keeps_gradients, 0);
    }};
/// Memory at the end of the forward pass, when all activations are saved.
inline FormulaFunction after_forward_bytes{[](auto parameters, auto weight_bytes, auto master_bytes, auto moment_bytes,
                                              auto gradient_bytes, auto activation_bytes, auto step,
                                              auto keeps_gradients) {
    return states_at_start_bytes(parameters, weight_bytes, master_bytes, moment_bytes, step)
        + gradients_at_start_bytes(parameters, gradient_bytes, step, keeps_gradients) + activation_bytes;
}};
/// Memory at the end of the backward pass, when all activations are freed and all gradients allocated.
inline FormulaFunction after_backward_bytes{
    [](auto parameters, auto weight_bytes, auto master_bytes, auto moment_bytes, auto gradient_bytes, auto step) {
        return states_at_start_bytes(parameters, weight_bytes, master_bytes, moment_bytes, step)
            + parameters * gradient_bytes;
    }};
/// Memory during the update, which allocates the Adam states in the first step.
inline FormulaFunction in_update_bytes{
    [](auto parameters, auto weight_bytes, auto master_bytes, auto moment_bytes, auto gradient_bytes) {
        return parameters * (weight_bytes + master_bytes + moment_bytes + gradient_bytes);
    }};
/// Peak memory of a step. In the backward pass gradients grow while activations shrink, so the peak is at the start or
/// the end of the backward pass or in the update.
inline FormulaFunction step_peak_bytes{[](auto parameters, auto weight_bytes, auto master_bytes, auto moment_bytes,
                                          auto gradient_bytes, auto activation_bytes, auto step, auto keeps_gradients) {
    return max(after_forward_bytes(parameters, weight_bytes, master_bytes, moment_bytes, gradient_bytes,
                                   activation_bytes, step, keeps_gradients),
               in_update_bytes(parameters, weight_bytes, master_bytes, moment_bytes, gradient_bytes));
}};

} // namespace meshwright::formula
