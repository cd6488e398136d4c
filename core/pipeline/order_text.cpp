// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/order_text.h"

#include "pipeline/orders/chimera.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace meshwright {

namespace {

/// A rank of Chimera's grid, as wide as its passes and one slot. Each pipeline's gradients are reduced in the first
/// free slot behind its last backward pass; those that find none are reduced behind the grid.
std::vector<std::string> grid_row(const OperationOrder &order, std::int64_t rank) {
    constexpr std::array directions{"down", "up"};
    const std::int64_t slots = 2 * order.microbatches * order.directions + order.ranks - 1;
    std::vector<std::string> row(static_cast<std::size_t>(slots));
    std::map<std::int64_t, std::int64_t> last; // slot of each pipeline's last pass
    for (const Operation &operation : order.of_rank(rank)) {
        const std::int64_t slot = orders::chimera_slot(order.ranks, operation);
        const std::int64_t pipe = orders::chimera_pipe(order.ranks, operation);
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
    return row;
}

} // namespace

std::string operation_text(const OperationOrder &order, const Operation &operation) {
    constexpr std::array letters{'F', 'B', 'I', 'W'};
    std::string text = fmt::format("{}{}{}", operation.stage, letters.at(static_cast<std::size_t>(operation.kind)),
                                   order.microbatch_of(operation));
    if (order.schedule == Schedule::seq1f1b)
        text += fmt::format(".{}", order.slice_of(operation));
    if (order.directions > 1)
        text += fmt::format("@{}", static_cast<int>(operation.direction));
    return text;
}

std::string order_row(const OperationOrder &order, std::int64_t rank) {
    if (order.schedule == Schedule::chimera)
        return fmt::format("{}", fmt::join(grid_row(order, rank), ","));
    std::string row;
    for (const Operation &operation : order.of_rank(rank)) {
        if (operation.block == BlockHalf::second_half) {
            row += ';' + operation_text(order, operation) + ")OVERLAP_F_B";
            continue;
        }
        row += row.empty() ? "" : ",";
        row += operation.block == BlockHalf::first_half ? "(" : "";
        row += operation_text(order, operation);
    }
    return row;
}

} // namespace meshwright
