// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/orders/builder.h"
#include "pipeline/orders/generators.h"

#include <algorithm>

namespace meshwright::orders {

namespace {

/// `warm_up` forward passes, then I, W (`lag` behind I) and F in turns.
void add_rank(OrderBuilder &builder, std::int64_t rank, std::int64_t warm_up, std::int64_t lag) {
    const std::int64_t microbatches = builder.microbatches();
    builder.begin_rank();
    std::int64_t next = 0;
    while (next < std::min(microbatches, warm_up))
        builder.forward(rank, next++);
    for (std::int64_t k = 0; k < microbatches; ++k) {
        builder.input_gradient(rank, k);
        if (k >= lag)
            builder.weight_gradient(rank, k - lag);
        if (next < microbatches)
            builder.forward(rank, next++);
    }
    for (std::int64_t k = std::max<std::int64_t>(0, microbatches - lag); k < microbatches; ++k)
        builder.weight_gradient(rank, k);
}

} // namespace

OperationOrder zb_h1(const OrderRequest &request) {
    OrderBuilder builder(request, Placement::looped, 3);
    for (std::int64_t rank = 0; rank < request.ranks; ++rank)
        add_rank(builder, rank, request.ranks - rank, rank);
    return builder.take();
}

OperationOrder zb_h2(const OrderRequest &request) {
    OrderBuilder builder(request, Placement::looped, 3);
    for (std::int64_t rank = 0; rank < request.ranks; ++rank)
        add_rank(builder, rank, 2 * (request.ranks - rank) - 1, 2 * rank);
    return builder.take();
}

} // namespace meshwright::orders
