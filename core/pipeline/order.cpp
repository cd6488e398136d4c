// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/order.h"

#include "input/diagnostic.h"

#include <fmt/format.h>

#include <cmath>

namespace meshwright {

namespace {

void check_request(const OrderRequest &request, ChunkCount chunks) {
    require(request.ranks >= 1 && request.ranks <= 4096, request, "1 to 4096 stages are expected");
    require(request.microbatches >= 1 && request.microbatches <= max_operations, request,
            "1 to 8000000 microbatches are expected");
    require(request.chunks >= 1 && request.chunks <= 65'535, request, "1 to 65535 chunks are expected");
    require(chunks != ChunkCount::one || request.chunks == 1, request, "one chunk a stage is expected");
    require(chunks != ChunkCount::two || request.chunks == 2, request, "two chunks a stage are expected");
    require(request.group >= 0, request, "a group of at least one microbatch is expected");
    for (const double seconds :
         {request.forward, request.input_gradient, request.weight_gradient, request.hop, request.memory_limit})
        require(std::isfinite(seconds) && seconds >= 0, request, "times and limits from 0 are expected");
}

} // namespace

void require(bool condition, const OrderRequest &request, const std::string &expected) {
    if (condition)
        return;
    throw InputError("",
                     fmt::format("the schedule {} with {} stages and {} microbatches", name_of(request.schedule),
                                 request.ranks, request.microbatches),
                     expected);
}

std::int64_t OperationOrder::chunk_of(const Operation &operation) const {
    if (directions == 2)
        return operation.direction;
    return operation.stage / ranks;
}

OperationOrder operation_order(const OrderRequest &request) {
    const ScheduleDefinition &definition = definition_of(request.schedule);
    check_request(request, definition.chunks);
    return definition.generate(request);
}

} // namespace meshwright
