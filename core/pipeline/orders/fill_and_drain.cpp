// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/pipeline.h"
#include "pipeline/orders/builder.h"

namespace meshwright::orders {

namespace {

OperationOrder gpipe_order(const OrderRequest &request) {
    OrderBuilder builder(request, 2);
    for (std::int64_t rank = 0; rank < request.ranks; ++rank) {
        builder.begin_rank();
        for (std::int64_t k = 0; k < request.microbatches; ++k)
            builder.forward(rank, k);
        for (std::int64_t k = 0; k < request.microbatches; ++k)
            builder.backward(rank, k);
    }
    return builder.take();
}

OperationOrder looped_bfs_order(const OrderRequest &request) {
    OrderBuilder builder(request, 2);
    for (std::int64_t rank = 0; rank < request.ranks; ++rank) {
        builder.begin_rank();
        for (std::int64_t chunk = 0; chunk < request.chunks; ++chunk)
            for (std::int64_t k = 0; k < request.microbatches; ++k)
                builder.forward(chunk * request.ranks + rank, k);
        for (std::int64_t chunk = request.chunks - 1; chunk >= 0; --chunk)
            for (std::int64_t k = request.microbatches - 1; k >= 0; --k)
                builder.backward(chunk * request.ranks + rank, k);
    }
    return builder.take();
}

} // namespace

/// All forward passes, then all backward passes.
ScheduleDefinition gpipe() {
    return {.name = "gpipe",
            .title = "GPipe",
            .source = "Huang et al., GPipe, arXiv 1811.06965",
            .forward_first = true,
            .generate = gpipe_order,
            .forms = {.bubble = [](const FormTerms &t) { return formula::fill_bubble_seconds(t.p, 1, t.F, t.I, t.W); },
                      .sends = {.through_chunks = false},
                      .in_flight = [](const FormTerms &t) { return t.m; }}};
}

/// Breadth-first: each chunk's forward passes together, then the microbatches' backward passes in reverse order.
ScheduleDefinition looped_bfs() {
    return {
        .name = "looped-bfs",
        .title = "Looped BFS",
        .source = "Lamy-Poirier, Breadth-first pipeline parallelism, arXiv 2211.05953",
        .chunks = ChunkCount::any,
        .forward_first = true,
        .generate = looped_bfs_order,
        .forms = {.bubble = [](const FormTerms &t) { return formula::fill_bubble_seconds(t.p, t.v, t.F, t.I, t.W); },
                  .in_flight = [](const FormTerms &t) { return t.m * t.v; }}};
}

} // namespace meshwright::orders
