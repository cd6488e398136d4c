// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/attention_curves.h"
#include "catalog/constants.h"

#include <optional>
#include <string_view>

namespace meshwright {

/// Rated power and dense 16-bit peak of an accelerator model that runs at its full clock.
struct FullPower {
    double watts = 0;
    double flops_per_second = 0;
    const char *source = "";
};

/// Efficiency of GEMMs in formats below 16 bits.
struct LowPrecision {
    ConstantId fp8;
    std::optional<ConstantId> fp4; ///< efficiency of FP4 GEMMs; empty if only plain FP8 has been measured
    /// Whether `fp8` is relative to the 16-bit efficiency.
    bool relative = false;
    /// 16-bit efficiency of the accelerators on which the low-precision efficiencies were measured. For another
    /// accelerator, the low-precision efficiencies are multiplied by the ratio of its 16-bit efficiency to this value.
    std::optional<ConstantId> siblings = std::nullopt;
};

/// Constants per architecture, because generations differ in the fraction of peak that kernels reach, which no data
/// sheet states.
struct Architecture {
    std::string_view name;
    std::string_view family; ///< Measured runs are matched by family, not by architecture.
    ConstantId matrix_efficiency;
    std::optional<LowPrecision> low_precision; ///< empty if nothing below 16 bits has been published
    const AttentionCurve *flash_2;
    const AttentionCurve *flash_3;
    std::optional<FullPower> full_power; ///< empty if no power-limited accelerator of the generation was measured
    /// Efficiency of in-switch all-reduces; empty if the generation's switch cannot reduce.
    std::optional<ConstantId> switch_sum_efficiency;
    /// Whether GEMMs run in waves of one tile per multiprocessor, rather than streaming through a few large units.
    bool runs_in_tiles = true;
    bool links_in_torus = false;
    std::string_view usual_stack = "megatron-core-2025"; ///< id of the software stack for plans that do not name one
    bool later_ones_alike = false; ///< Whether unlisted architectures whose names begin with this name share its row.
};

/// The family of an architecture; an unlisted architecture is its own family.
std::string_view family_of(std::string_view name);
/// Properties of the architecture with this name. An unlisted name ("cdna4") has the properties of its family, and an
/// unknown family has default properties.
const Architecture &architecture_of(std::string_view name);

} // namespace meshwright
