// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pipeline/order.h"

namespace meshwright {

class OrderBuilder {
public:
    /// Reserves space for `operations_each` operations per stage and microbatch (2 for F and B; 3 for F, I and W). The
    /// schedule's definition assigns stages to ranks.
    /// @throws InputError if there would be more than `max_operations` operations or 65,535 stages
    OrderBuilder(const OrderRequest &request, std::int64_t operations_each);

    std::int64_t ranks() const { return m_order.ranks; }
    std::int64_t microbatches() const { return m_order.microbatches; }
    /// Starts the next rank. Operations added from now on belong to it.
    void begin_rank();

    void add(OperationKind kind, std::int64_t stage, std::int64_t unit, std::int64_t direction = 0,
             BlockHalf block = BlockHalf::none) {
        Operation &operation = m_order.operations.emplace_back();
        operation.unit = static_cast<std::uint32_t>(unit);
        operation.stage = static_cast<std::uint16_t>(stage);
        operation.kind = kind;
        operation.direction = direction == 1 ? 1 : 0;
        operation.block = block;
    }
    void forward(std::int64_t stage, std::int64_t unit) { add(OperationKind::forward, stage, unit); }
    void backward(std::int64_t stage, std::int64_t unit) { add(OperationKind::backward, stage, unit); }
    void input_gradient(std::int64_t stage, std::int64_t unit) { add(OperationKind::input_gradient, stage, unit); }
    void weight_gradient(std::int64_t stage, std::int64_t unit) { add(OperationKind::weight_gradient, stage, unit); }

    OperationOrder take();

private:
    OperationOrder m_order;
};

} // namespace meshwright
