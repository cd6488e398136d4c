// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/orders/builder.h"
#include "pipeline/orders/generators.h"

namespace meshwright::orders {

OperationOrder gpipe(const OrderRequest &request) {
    OrderBuilder builder(request, Placement::looped, 2);
    for (std::int64_t rank = 0; rank < request.ranks; ++rank) {
        builder.begin_rank();
        for (std::int64_t k = 0; k < request.microbatches; ++k)
            builder.forward(rank, k);
        for (std::int64_t k = 0; k < request.microbatches; ++k)
            builder.backward(rank, k);
    }
    return builder.take();
}

OperationOrder looped_bfs(const OrderRequest &request) {
    OrderBuilder builder(request, Placement::looped, 2);
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

} // namespace meshwright::orders
