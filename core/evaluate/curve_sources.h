// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/precision.h"

#include <cstddef>
#include <optional>

namespace meshwright {

// Values from published runs and laws, for curves whose plan does not state them.

/// Llama 2's warm-up (arXiv 2307.09288, section 2.2): 2,000 steps with batches of 4 million tokens, then a cosine down
/// to a tenth.
inline constexpr double published_warmup_steps = 2000;
inline constexpr double published_warmup_batch = 4e6; ///< tokens
/// GPT-3's ramp (arXiv 2005.14165, appendix B): from 32 thousand to 3.2 million tokens over the first 12 billion of 300
/// billion tokens.
inline constexpr double published_ramp_start = 0.01; ///< fraction of the full batch size
inline constexpr double published_ramp_share = 0.04; ///< fraction of the run's tokens

struct NamedLaw {
    const char *name;
    double place; ///< index among the laws of the compute-optimal calculator
};
inline constexpr NamedLaw loss_laws_shown[] = {{"Hoffmann", 0}, {"Besiroglu", 1}};
/// A law for the compute-optimal number of tokens; it predicts no loss.
inline constexpr NamedLaw llama3_law{"Llama 3", 2};
/// Besiroglu et al.'s refit of the third method of Hoffmann et al. It is preferred because it agrees with their other
/// two methods.
inline constexpr const NamedLaw &preferred_law = loss_laws_shown[1];
inline constexpr double flops_per_parameter_and_token = 6;

struct NamedFormat {
    const char *name;
    DataType type;
    double exponent_bits;
    double mantissa_bits;
    double finite_only = 0;
    double all_finite = 0;
};
inline constexpr NamedFormat named_formats[] = {
    {"FP32", DataType::fp32, 8, 23},          {"TF32", DataType::tf32, 8, 10},    {"BF16", DataType::bf16, 8, 7},
    {"FP16", DataType::fp16, 5, 10},          {"FP8 E5M2", DataType::none, 5, 2}, {"FP8 E4M3", DataType::fp8, 4, 3, 1},
    {"FP4 E2M1", DataType::nvfp4, 2, 1, 0, 1}};
/// Index into named_formats; formats with block scales count as their element format.
std::optional<std::size_t> place_of_format(DataType type);

} // namespace meshwright
