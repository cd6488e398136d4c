// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace meshwright {

/// Whether a family of models applies FSDP with expert parallelism even if FSDP has nothing to shard across, which
/// fails (torchtitan v0.2.2, models/*/infra/parallelize.py).
constexpr bool needs_fsdp_for_experts(std::string_view family) {
    return family != "qwen3";
}

/// The stack of torchtitan with or without a compiled model.
constexpr const char *torchtitan_stack(bool compiles) {
    return compiles ? "torchtitan-2024" : "torchtitan-2024-eager";
}

/// A pipeline schedule by its name in torchtitan (the classes of torch.distributed.pipelining) and in plans.
struct TorchtitanSchedule {
    std::string_view torchtitan;
    std::string_view plan;
    bool several_stages = false; ///< whether each rank has several stages (at least 2, by default 2) or exactly 1
    bool v_shape = false; ///< whether each rank has exactly 2 stages, the second in reverse order
};

inline constexpr TorchtitanSchedule torchtitan_schedules[] = {
    {"1F1B", "1f1b"},
    {"GPipe", "gpipe"},
    {"Interleaved1F1B", "interleaved", true},
    {"LoopedBFS", "looped-bfs", true},
    {"InterleavedZeroBubble", "interleaved-zb", true},
    {"ZBVZeroBubble", "zb-v", true, true},
    {"DualPipeV", "dualpipe-v", true, true},
};

} // namespace meshwright
