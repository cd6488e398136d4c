// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/order_text.h"

#include <fmt/format.h>

#include <array>

namespace meshwright {

std::string operation_text(const OperationOrder &order, const Operation &operation) {
    constexpr std::array letters{'F', 'B', 'I', 'W'};
    std::string text = fmt::format("{}{}{}", operation.stage, letters.at(static_cast<std::size_t>(operation.kind)),
                                   order.microbatch_of(operation));
    if (definition_of(order.schedule).cuts_sequences)
        text += fmt::format(".{}", order.slice_of(operation));
    if (order.directions > 1)
        text += fmt::format("@{}", static_cast<int>(operation.direction));
    return text;
}

std::string order_row(const OperationOrder &order, std::int64_t rank) {
    if (const auto write = definition_of(order.schedule).write_row)
        return write(order, rank);
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
