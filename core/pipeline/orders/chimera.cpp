// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/pipeline.h"
#include "pipeline/orders/builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

namespace meshwright::orders {

namespace {

/// Index of an operation's pipeline. With p stages, every p microbatches form a group (a unit in the paper) that uses
/// two pipelines: 0 and 1 for the first group.
std::int64_t pipe_of(std::int64_t ranks, const Operation &operation) {
    return 2 * (operation.unit / (ranks / 2)) + operation.direction;
}

/// The slot of an operation in the paper's grid, where every forward or backward pass takes one slot (figure 3). With p
/// stages, groups of p microbatches (the paper's units) follow one another. In each group, half of the microbatches
/// enter at the first rank and half at the last, two slots apart. A rank's passes in the two directions fall on slots
/// of different parity and never collide.
std::int64_t slot_of(std::int64_t ranks, const Operation &operation) {
    const std::int64_t in_unit = ranks / 2;
    const std::int64_t begin = operation.unit / in_unit * 2 * ranks + 2 * (operation.unit % in_unit);
    return begin
        + (operation.kind == OperationKind::forward ? operation.stage : 2 * ranks - 1 - std::int64_t{operation.stage});
}

/// A rank's passes in one direction, ordered by slot. Within one of the paper's units, backward passes interleave with
/// or follow the forward passes of the same direction and stage.
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
    std::merge(
        forward.begin(), forward.end(), backward.begin(), backward.end(), merged.begin(),
        [&](const Operation &a, const Operation &b) { return slot_of(request.ranks, a) < slot_of(request.ranks, b); });
    return merged;
}

OperationOrder from_both_ends(const OrderRequest &request) {
    require(request.ranks % 2 == 0, request, "expected an even number of stages");
    require(request.microbatches % 2 == 0, request, "expected an even number of microbatches");
    OrderBuilder builder(request, 2);
    for (std::int64_t rank = 0; rank < request.ranks; ++rank) {
        builder.begin_rank();
        const std::vector<Operation> down = passes(request, rank, 0);
        const std::vector<Operation> up = passes(request, request.ranks - 1 - rank, 1);
        std::vector<Operation> both(down.size() + up.size());
        std::merge(down.begin(), down.end(), up.begin(), up.end(), both.begin(),
                   [&](const Operation &a, const Operation &b) {
                       return slot_of(request.ranks, a) < slot_of(request.ranks, b);
                   });
        for (const Operation &operation : both)
            builder.add(operation.kind, operation.stage, operation.unit, operation.direction);
    }
    return builder.take();
}

/// A rank's row of Chimera's grid, which has one more slot after the last pass of any rank. Each pipeline's gradients
/// are reduced in the first free slot after its last backward pass, or after the grid if no slot is free.
std::string grid_row(const OperationOrder &order, std::int64_t rank) {
    constexpr std::array directions{"down", "up"};
    const std::int64_t slots = 2 * order.microbatches * order.directions + order.ranks - 1;
    std::vector<std::string> row(static_cast<std::size_t>(slots));
    std::map<std::int64_t, std::int64_t> last;
    for (const Operation &operation : order.of_rank(rank)) {
        const std::int64_t slot = slot_of(order.ranks, operation);
        const std::int64_t pipe = pipe_of(order.ranks, operation);
        row[static_cast<std::size_t>(slot)] = fmt::format("{}@{}@{}", pipe, directions.at(operation.direction),
                                                          operation.kind == OperationKind::forward ? 'f' : 'b');
        last[pipe] = slot;
    }
    std::map<std::int64_t, std::int64_t> ended;
    for (const auto &[pipe, slot] : last)
        ended[slot] = pipe;
    auto free = row.begin();
    for (const auto &[slot, pipe] : ended) {
        free = std::find(std::max(free, row.begin() + slot), row.end(), std::string());
        if (free == row.end())
            break;
        *free = fmt::format("{}@{}@s", pipe, directions.at(static_cast<std::size_t>(pipe % 2)));
    }
    return fmt::format("{}", fmt::join(row, ","));
}

} // namespace

/// Two pipelines in opposite directions, each rank with a stage of both. Source: Li and Hoefler, arXiv 2107.06925.
ScheduleDefinition chimera() {
    return {.name = "chimera",
            .title = "Chimera",
            .source = "Li and Hoefler, Chimera, arXiv 2107.06925, section 3",
            .placement = StagePlacement::both_ways,
            .min_microbatches = [](std::int64_t stages) { return stages; },
            .generate = from_both_ends,
            .write_row = grid_row,
            .forms = {
                .bubble = [](const FormTerms &t) { return formula::chimera_bubble_seconds(t.p, t.m, t.F, t.I + t.W); },
                .bubble_formula = "chimera-bubble",
                .sends = {.through_chunks = false},
                .in_flight =
                    [](const FormTerms &t) {
                        return std::min(t.m, std::floor(t.p / 2) + std::min(t.r, t.p - 1 - t.r) + 1);
                    },
                .needs_equal_times = true}};
}

} // namespace meshwright::orders
