// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/attention_curves.h"
#include "catalog/constants.h"

#include <optional>
#include <string_view>

namespace meshwright {

/// Rated power and dense 16-bit peak of a part that runs at its full clock.
struct FullPower {
    double watts = 0;
    double flops_per_second = 0;
    const char *source = "";
};

/// Efficiency of GEMMs with less than 16 bits.
struct LowPrecision {
    ConstantId fp8;
    std::optional<ConstantId> fp4; ///< efficiency of FP4 GEMMs; empty if only plain FP8 has been measured
    /// Whether `fp8` is relative to the 16-bit efficiency.
    bool relative = false;
    /// The 16-bit efficiency of the siblings on which the low-precision efficiencies were measured; the part's own
    /// efficiency counts relative to it.
    std::optional<ConstantId> siblings = std::nullopt;
};

/// Constants by architecture: generations differ in how much of their peak kernels reach, which no data sheet states.
struct Architecture {
    std::string_view name;
    std::string_view family; ///< measured runs of one family count as runs of one architecture
    ConstantId matrix_efficiency; ///< efficiency of 16-bit GEMMs
    std::optional<LowPrecision> low_precision; ///< empty if nothing beyond 16 bits has been published
    const AttentionCurve *flash_2;
    const AttentionCurve *flash_3;
    std::optional<FullPower> full_power; ///< empty for generations without measurements of a power-limited part
    /// Efficiency of in-switch all-reduces; empty if the generation's switch cannot reduce.
    std::optional<ConstantId> switch_sum_efficiency;
    /// Whether GEMMs run in waves of one tile per multiprocessor; a few large units stream instead.
    bool runs_in_tiles = true;
    bool links_in_torus = false; ///< scale-up links form a torus
    std::string_view usual_stack = "megatron-core-2025"; ///< default software stack (id) of plans that do not name one
    bool later_ones_alike = false; ///< whether this row applies to names that begin with its name and have no other row
};

/// The family of a name; a name without a row is its own family.
std::string_view family_of(std::string_view name);
/// Properties of the architecture with this name. A name without a row ("cdna4") uses its family's row, and a name
/// outside known families the row for unknown parts.
const Architecture &architecture_of(std::string_view name);

} // namespace meshwright
