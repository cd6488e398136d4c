// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/pipeline.h"
#include "pipeline/orders/builder.h"

#include <algorithm>

namespace meshwright::orders {

namespace {

/// A chunk and a microbatch: one entry in the order of forward passes. The order is the same on all ranks.
struct Turn {
    std::int64_t microbatch = 0;
    std::int64_t chunk = 0;
};

/// The order of forward passes: each group of microbatches passes through all chunks before the next group.
std::vector<Turn> turns(const OrderRequest &request, std::int64_t group) {
    std::vector<Turn> table;
    table.reserve(static_cast<std::size_t>(request.microbatches * request.chunks));
    for (std::int64_t first = 0; first < request.microbatches; first += group)
        for (std::int64_t chunk = 0; chunk < request.chunks; ++chunk)
            for (std::int64_t k = first; k < std::min(first + group, request.microbatches); ++k)
                table.push_back({.microbatch = k, .chunk = chunk});
    return table;
}

/// @param warm_up_a_rank number of forward passes by which a rank's warm-up is longer than the next rank's
/// @param split whether input and weight gradients are separate operations
OperationOrder in_turns(const OrderRequest &request, std::int64_t warm_up_a_rank, bool split) {
    OrderBuilder builder(request, split ? 3 : 2);
    const std::int64_t ranks = request.ranks;
    const std::int64_t group = request.group > 0 ? request.group : ranks;
    const std::vector<Turn> table = turns(request, group);
    const auto all = static_cast<std::int64_t>(table.size());
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
        builder.begin_rank();
        const auto turn = [&](std::int64_t i) { return table[static_cast<std::size_t>(i)]; };
        const auto stage = [&](std::int64_t chunk) { return chunk * ranks + rank; };
        const auto back = [&](std::int64_t i) { return stage(request.chunks - 1 - turn(i).chunk); };
        std::int64_t next = 0;
        const std::int64_t warm_up = std::min(all, warm_up_a_rank * (ranks - 1 - rank) + (request.chunks - 1) * group);
        for (; next < warm_up; ++next)
            builder.forward(stage(turn(next).chunk), turn(next).microbatch);
        for (std::int64_t i = 0; i < all; ++i) {
            if (next < all) {
                builder.forward(stage(turn(next).chunk), turn(next).microbatch);
                ++next;
            }
            if (!split) {
                builder.backward(back(i), turn(i).microbatch);
                continue;
            }
            builder.input_gradient(back(i), turn(i).microbatch);
            if (i >= rank) // later ranks defer weight gradients so that input gradients are sent earlier
                builder.weight_gradient(back(i - rank), turn(i - rank).microbatch);
        }
        for (std::int64_t i = std::max<std::int64_t>(0, all - rank); split && i < all; ++i)
            builder.weight_gradient(back(i), turn(i).microbatch);
    }
    return builder.take();
}

OperationOrder whole_passes(const OrderRequest &request) {
    return in_turns(request, 2, false);
}

OperationOrder split_passes(const OrderRequest &request) {
    return in_turns(request, 1, true);
}

} // namespace

/// 1F1B with several chunks per rank; microbatches run in groups.
ScheduleDefinition interleaved() {
    return {
        .name = "interleaved",
        .title = "Interleaved 1F1B",
        .source = "Narayanan et al., arXiv 2104.04473, section 2.2.2; Megatron-Core's group size",
        .chunks = ChunkCount::any,
        .takes_groups = true,
        .searches_groups = true,
        .generate = whole_passes,
        .forms = {.bubble = [](const FormTerms &t) { return formula::fill_bubble_seconds(t.p, t.v, t.F, t.I, t.W); },
                  .sends = {.waits = SendForm::Waits::chunks},
                  .in_flight =
                      [](const FormTerms &t) {
                          return formula::interleaved_in_flight(t.p, t.m, t.v, t.g > 0 ? t.g : t.p, t.r);
                      }}};
}

/// Interleaved 1F1B with separate weight gradients.
ScheduleDefinition interleaved_zb() {
    return {.name = "interleaved-zb",
            .title = "Interleaved zero bubble",
            .source = "PyTorch, ScheduleInterleavedZeroBubble",
            .chunks = ChunkCount::any,
            .takes_groups = true,
            .generate = split_passes,
            .forms = {
                .bubble =
                    [](const FormTerms &t) { return formula::interleaved_zb_bubble_seconds(t.p, t.v, t.F, t.I, t.W); },
                .bubble_formula = "interleaved-zb-bubble",
                .in_flight = [](const FormTerms &t) { return std::min(t.m * t.v, t.p * t.v); },
                .needs_equal_times = true}};
}

} // namespace meshwright::orders
