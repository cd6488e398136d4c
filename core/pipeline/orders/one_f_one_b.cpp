// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/orders/builder.h"
#include "pipeline/orders/generators.h"

#include <algorithm>

namespace meshwright::orders {

OperationOrder seq1f1b(const OrderRequest &request) {
    OrderBuilder builder(request, Placement::looped, 2);
    const std::int64_t slices = request.schedule == Schedule::seq1f1b ? request.chunks : 1;
    const std::int64_t units = request.microbatches * slices;
    for (std::int64_t rank = 0; rank < request.ranks; ++rank) {
        builder.begin_rank();
        const std::int64_t warm_up = std::min(request.ranks - rank - 2 + slices, units);
        std::int64_t next = 0;
        while (next < warm_up)
            builder.forward(rank, next++);
        for (std::int64_t k = 0; k < units; ++k) {
            if (next < units)
                builder.forward(rank, next++);
            builder.backward(rank, k - k % slices + slices - 1 - k % slices);
        }
    }
    return builder.take();
}

OperationOrder one_f_one_b(const OrderRequest &request) {
    return seq1f1b(request); // one slice
}

} // namespace meshwright::orders
