// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/orders/builder.h"
#include "pipeline/orders/generators.h"

#include <algorithm>

namespace meshwright::orders {

namespace {

/// One chunk of one microbatch in the order in which all ranks take them forward.
struct Turn {
    std::int64_t microbatch = 0;
    std::int64_t chunk = 0;
};

/// Groups of microbatches; each group through all chunks before the next group.
std::vector<Turn> turns(const OrderRequest &request, std::int64_t group) {
    std::vector<Turn> table;
    table.reserve(static_cast<std::size_t>(request.microbatches * request.chunks));
    for (std::int64_t first = 0; first < request.microbatches; first += group)
        for (std::int64_t chunk = 0; chunk < request.chunks; ++chunk)
            for (std::int64_t k = first; k < std::min(first + group, request.microbatches); ++k)
                table.push_back({.microbatch = k, .chunk = chunk});
    return table;
}

/// Forward turns before the first backward one: those of the last rank and, for each rank before it, so many more.
OperationOrder in_turns(const OrderRequest &request, std::int64_t warm_up_a_rank, bool split) {
    OrderBuilder builder(request, Placement::looped, split ? 3 : 2);
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
            if (i >= rank) // later ranks let weight gradients wait, so that input gradients go on
                builder.weight_gradient(back(i - rank), turn(i - rank).microbatch);
        }
        for (std::int64_t i = std::max<std::int64_t>(0, all - rank); split && i < all; ++i)
            builder.weight_gradient(back(i), turn(i).microbatch);
    }
    return builder.take();
}

} // namespace

OperationOrder interleaved(const OrderRequest &request) {
    return in_turns(request, 2, false);
}

OperationOrder interleaved_zb(const OrderRequest &request) {
    return in_turns(request, 1, true);
}

} // namespace meshwright::orders
