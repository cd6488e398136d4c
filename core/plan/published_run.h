// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <vector>

namespace meshwright {

/// What a run's makers count as model FLOPs in their MFU.
enum class MfuConvention {
    causal, ///< attention at half, as in the program's own MFU
    full_attention, ///< attention in full (PaLM, arXiv 2204.02311, appendix B)
    six_nd ///< six per parameter and token, no attention
};
/// "causal", "full-attention", "6nd"
const std::vector<std::string> &mfu_convention_names();

/// What a reported peak counts: the allocator's whole pool with what lies outside it, or tensors alone.
enum class PublishedMemory { reserved, allocated };
const std::vector<std::string> &published_memory_names();

/// Keys of the figures that a plan can say its makers report: "step_seconds", "mfu", ...
const std::vector<std::string> &published_figure_names();

/// What the makers of a run report of it. Nothing is calculated from it; results stand next to it.
struct PublishedRun {
    std::map<std::string, double> figures; ///< by key; SI units
    MfuConvention mfu_convention = MfuConvention::causal;
    PublishedMemory memory_kind = PublishedMemory::reserved;
    bool plan_changed = false; ///< the plan is no longer the one that the makers ran
    std::string note;
    std::string source;
    /// Whether the plan was changed follows from the rest of the plan.
    bool operator==(const PublishedRun &other) const {
        return figures == other.figures && mfu_convention == other.mfu_convention && memory_kind == other.memory_kind
            && note == other.note && source == other.source;
    }
};

} // namespace meshwright
