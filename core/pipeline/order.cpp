// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/order.h"

#include "input/diagnostic.h"

#include <fmt/format.h>

#include <cmath>

namespace meshwright {

namespace {

void check_request(const OrderRequest &request, ChunkCount chunks) {
    require(request.ranks >= 1 && request.ranks <= 4096, request, "expected 1 to 4096 stages");
    require(request.microbatches >= 1 && request.microbatches <= max_operations, request,
            "expected 1 to 8000000 microbatches");
    require(request.chunks >= 1 && request.chunks <= 65'535, request, "expected 1 to 65535 chunks");
    require(chunks != ChunkCount::one || request.chunks == 1, request, "expected one chunk per stage");
    require(chunks != ChunkCount::two || request.chunks == 2, request, "expected two chunks per stage");
    require(request.group >= 0, request, "expected a group of at least one microbatch");
    for (const double seconds :
         {request.forward, request.input_gradient, request.weight_gradient, request.hop, request.memory_limit})
        require(std::isfinite(seconds) && seconds >= 0, request, "expected non-negative times and memory limit");
}

} // namespace

void require(bool condition, const OrderRequest &request, const std::string &expected) {
    if (condition)
        return;
    throw InputError("",
                     fmt::format("schedule {} cannot run with {} stages and {} microbatches", name_of(request.schedule),
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
