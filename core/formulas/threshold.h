// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/function.h"

/// Metrics of computing hardware used in regulations.
namespace meshwright::formula {

/// Compute in H100 equivalents: dense FP16 rate relative to the treaty's 990 TFLOP/s. Source: arXiv 2511.10783, Article
/// II.
inline FormulaFunction h100_equivalents{
    [](auto accelerators, auto peak, auto equivalent_peak) { return accelerators * peak / equivalent_peak; }};
inline FormulaFunction share_of_threshold{[](auto accelerators, auto peak, auto equivalent_peak, auto threshold) {
    return h100_equivalents(accelerators, peak, equivalent_peak) / threshold;
}};
/// Total processing performance: dense TFLOP/s times the bits per operand. The definition's factor 2 is already in the
/// peak, which counts a multiply-add as two operations. Source: 15 CFR 774, supplement 1, ECCN 3A090, technical note 2.
inline FormulaFunction total_processing_performance{
    [](auto accelerators, auto peak, auto operand_bits) { return accelerators * peak / 1e12 * operand_bits; }};

} // namespace meshwright::formula
