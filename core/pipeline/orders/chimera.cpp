// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/orders/chimera.h"

#include "pipeline/orders/builder.h"
#include "pipeline/orders/generators.h"

#include <algorithm>
#include <vector>

namespace meshwright::orders {

namespace {

/// A rank's passes of one direction, slot after slot. Backward passes of a unit come behind its forward passes of the
/// same direction and stage, or between them.
std::vector<Operation> passes(const OrderRequest &request, std::int64_t stage, std::int64_t direction) {
    const std::int64_t of_direction = request.microbatches / 2;
    std::vector<Operation> forward;
    std::vector<Operation> backward;
    for (std::int64_t k = 0; k < of_direction; ++k) {
        Operation operation;
        operation.unit = static_cast<std::uint32_t>(k);
        operation.stage = static_cast<std::uint16_t>(stage);
        operation.direction = direction == 1 ? 1 : 0;
        forward.push_back(operation);
        operation.kind = OperationKind::backward;
        backward.push_back(operation);
    }
    std::vector<Operation> merged(forward.size() + backward.size());
    std::merge(forward.begin(), forward.end(), backward.begin(), backward.end(), merged.begin(),
               [&](const Operation &a, const Operation &b) {
                   return chimera_slot(request.ranks, a) < chimera_slot(request.ranks, b);
               });
    return merged;
}

} // namespace

std::int64_t chimera_pipe(std::int64_t ranks, const Operation &operation) {
    return 2 * (operation.unit / (ranks / 2)) + operation.direction;
}

/// Units of as many microbatches as stages follow one another; in each, half of the microbatches come from either end,
/// two slots apart. A rank's passes of the two directions fall on slots of different parity and never meet.
std::int64_t chimera_slot(std::int64_t ranks, const Operation &operation) {
    const std::int64_t in_unit = ranks / 2;
    const std::int64_t begin = operation.unit / in_unit * 2 * ranks + 2 * (operation.unit % in_unit);
    return begin
        + (operation.kind == OperationKind::forward ? operation.stage : 2 * ranks - 1 - std::int64_t{operation.stage});
}

OperationOrder chimera(const OrderRequest &request) {
    require(request.ranks % 2 == 0, request, "an even number of stages is expected");
    require(request.microbatches % 2 == 0, request, "an even number of microbatches is expected");
    OrderBuilder builder(request, Placement::both_ways, 2);
    for (std::int64_t rank = 0; rank < request.ranks; ++rank) {
        builder.begin_rank();
        const std::vector<Operation> down = passes(request, rank, 0);
        const std::vector<Operation> up = passes(request, request.ranks - 1 - rank, 1);
        std::vector<Operation> both(down.size() + up.size());
        std::merge(down.begin(), down.end(), up.begin(), up.end(), both.begin(),
                   [&](const Operation &a, const Operation &b) {
                       return chimera_slot(request.ranks, a) < chimera_slot(request.ranks, b);
                   });
        for (const Operation &operation : both)
            builder.add(operation.kind, operation.stage, operation.unit, operation.direction);
    }
    return builder.take();
}

} // namespace meshwright::orders
