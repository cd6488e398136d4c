// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/orders/builder.h"

#include <fmt/format.h>

#include <limits>

namespace meshwright {

namespace {

std::uint16_t rank_of_stage(StagePlacement placement, std::int64_t ranks, std::int64_t stage, std::int64_t direction) {
    std::int64_t rank = stage % ranks;
    if (placement == StagePlacement::v_shape && stage >= ranks)
        rank = 2 * ranks - 1 - stage;
    if (direction == 1)
        rank = ranks - 1 - stage;
    return static_cast<std::uint16_t>(rank);
}

} // namespace

OrderBuilder::OrderBuilder(const OrderRequest &request, std::int64_t operations_each) {
    const ScheduleDefinition &definition = definition_of(request.schedule);
    const StagePlacement placement = definition.placement;
    const bool sliced = definition.cuts_sequences;
    const std::int64_t directions = placement == StagePlacement::both_ways ? 2 : 1;
    const std::int64_t chunks = placement == StagePlacement::looped && !sliced ? request.chunks
        : placement == StagePlacement::v_shape                                 ? 2
                                                                               : 1;
    m_order.schedule = request.schedule;
    m_order.ranks = request.ranks;
    m_order.stages = request.ranks * chunks;
    m_order.microbatches = request.microbatches / directions;
    m_order.slices = sliced ? request.chunks : 1;
    m_order.directions = directions;
    require(m_order.stages <= std::numeric_limits<std::uint16_t>::max(), request,
            fmt::format("expected at most {} virtual stages", std::numeric_limits<std::uint16_t>::max()));
    const double operations = static_cast<double>(m_order.stages) * static_cast<double>(directions)
        * static_cast<double>(m_order.units()) * static_cast<double>(operations_each);
    require(operations <= static_cast<double>(max_operations), request,
            fmt::format("expected at most {} operations", max_operations));
    m_order.operations.reserve(static_cast<std::size_t>(operations));
    m_order.rank_begin.reserve(static_cast<std::size_t>(request.ranks) + 1);
    for (std::int64_t direction = 0; direction < directions; ++direction)
        for (std::int64_t stage = 0; stage < m_order.stages; ++stage)
            m_order.rank_of.push_back(rank_of_stage(placement, request.ranks, stage, direction));
}

void OrderBuilder::begin_rank() {
    m_order.rank_begin.push_back(static_cast<std::uint32_t>(m_order.operations.size()));
}

OperationOrder OrderBuilder::take() {
    begin_rank();
    return std::move(m_order);
}

} // namespace meshwright
