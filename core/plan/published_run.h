// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <vector>

namespace meshwright {

enum class MfuConvention {
    causal, ///< causal attention counted at half, as in the MFU that the planner predicts
    full_attention, ///< attention counted in full (PaLM, arXiv 2204.02311, appendix B)
    six_nd ///< 6 FLOPs per parameter and token, without attention
};
/// Names of the conventions: "causal", "full-attention", "6nd".
const std::vector<std::string> &mfu_convention_names();

/// What a published memory peak includes. `reserved`: the allocator's pool and the memory outside it. `allocated`: only
/// tensors.
enum class PublishedMemory { reserved, allocated };
const std::vector<std::string> &published_memory_names();

/// Keys of the figures that a plan's `published` may have: "step_seconds", "mfu", ...
const std::vector<std::string> &published_figure_names();

/// Published figures of a run. Nothing is calculated from them; they are compared with the results.
struct PublishedRun {
    std::map<std::string, double> figures; ///< by key, in SI units
    MfuConvention mfu_convention = MfuConvention::causal;
    PublishedMemory memory_kind = PublishedMemory::reserved;
    bool plan_changed = false; ///< whether the plan differs from the preset of the published run
    std::string note;
    std::string source;
    /// Compares without `plan_changed`, which follows from the rest of the plan.
    bool operator==(const PublishedRun &other) const {
        return figures == other.figures && mfu_convention == other.mfu_convention && memory_kind == other.memory_kind
            && note == other.note && source == other.source;
    }
};

} // namespace meshwright
