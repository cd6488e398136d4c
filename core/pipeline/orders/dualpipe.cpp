// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/pipeline.h"
#include "pipeline/orders/builder.h"

#include <algorithm>
#include <array>
#include <deque>
#include <utility>

namespace meshwright::orders {

namespace {

/// One of a rank's two streams of microbatches: the two directions, or the two arms of the V.
struct Lane {
    std::int64_t stage = 0;
    std::int64_t direction = 0;
    std::int64_t forward = 0;
    std::int64_t backward = 0;
};

/// The order of one rank in eight phases, numbered as in the DualPipe repository.
class Phases {
public:
    Phases(OrderBuilder &builder, Lane near, Lane far)
        : m_builder(builder)
        , m_lanes{near, far} { }

    /// @param depth ranks between this one and the middle of the pipeline (the turn of the V)
    /// @param place ranks between this one and the end of the pipeline where the near lane starts
    void run(std::int64_t depth, std::int64_t place, std::int64_t main) {
        for (std::int64_t i = 0; i < 2 * depth; ++i)
            forward(0);
        for (std::int64_t i = 0; i <= place; ++i) {
            forward(0);
            forward(1);
        }
        for (std::int64_t i = 0; i < depth; ++i) {
            input_gradient(1);
            weight_gradient();
            forward(1);
        }
        for (std::int64_t i = 0; i < main; ++i) {
            if (i == 0 && depth == 0) { // the rank at the turn of the V has no backward pass to overlap with yet
                forward(0);
                backward(1);
            } else {
                overlapped(0, 1);
            }
            overlapped(1, 0);
        }
        for (std::int64_t i = 0; i < depth; ++i) {
            backward(1);
            overlapped(1, 0);
        }
        drain(depth, place);
    }

private:
    /// From the middle of this phase on, backward passes defer their weight gradients.
    void drain(std::int64_t depth, std::int64_t place) {
        const std::int64_t half = (place + 1) / 2;
        const bool odd = place % 2 == 1;
        for (std::int64_t i = 0; i <= place; ++i) {
            if (i > half || (i == half && odd))
                input_gradient(1);
            else
                backward(1);
            if (i >= half)
                input_gradient(0);
            else
                backward(0);
        }
        for (std::int64_t i = 0; i < depth; ++i) {
            weight_gradient();
            input_gradient(0);
        }
        for (std::int64_t i = 0; i <= place; ++i)
            weight_gradient();
    }

    void add(OperationKind kind, std::size_t lane, std::int64_t microbatch, BlockHalf block = BlockHalf::none) {
        m_builder.add(kind, m_lanes[lane].stage, microbatch, m_lanes[lane].direction, block);
    }
    void forward(std::size_t lane) { add(OperationKind::forward, lane, m_lanes[lane].forward++); }
    void backward(std::size_t lane) { add(OperationKind::backward, lane, m_lanes[lane].backward++); }
    void overlapped(std::size_t ahead, std::size_t back) {
        add(OperationKind::forward, ahead, m_lanes[ahead].forward++, BlockHalf::first_half);
        add(OperationKind::backward, back, m_lanes[back].backward++, BlockHalf::second_half);
    }
    void input_gradient(std::size_t lane) {
        m_waiting.emplace_back(lane, m_lanes[lane].backward);
        add(OperationKind::input_gradient, lane, m_lanes[lane].backward++);
    }
    void weight_gradient() {
        add(OperationKind::weight_gradient, m_waiting.front().first, m_waiting.front().second);
        m_waiting.pop_front();
    }

    OrderBuilder &m_builder;
    std::array<Lane, 2> m_lanes;
    std::deque<std::pair<std::size_t, std::int64_t>> m_waiting; ///< lane and microbatch of deferred weight gradients
};

OperationOrder both_ways_order(const OrderRequest &request) {
    const std::int64_t ranks = request.ranks;
    require(ranks % 2 == 0, request, "expected an even number of stages");
    require(request.microbatches % 2 == 0, request, "expected an even number of microbatches");
    require(request.microbatches >= 2 * ranks, request, "expected at least twice as many microbatches as stages");
    OrderBuilder builder(request, 3);
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
        builder.begin_rank();
        const bool second_half = rank >= ranks / 2;
        const Lane down{.stage = rank, .direction = 0};
        const Lane up{.stage = ranks - 1 - rank, .direction = 1};
        const std::int64_t place = std::min(rank, ranks - 1 - rank);
        Phases(builder, second_half ? up : down, second_half ? down : up)
            .run(ranks / 2 - 1 - place, place, request.microbatches / 2 - ranks + place + 1);
    }
    return builder.take();
}

OperationOrder folded_order(const OrderRequest &request) {
    const std::int64_t ranks = request.ranks;
    require(request.microbatches >= 2 * ranks, request, "expected at least twice as many microbatches as stages");
    OrderBuilder builder(request, 3);
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
        builder.begin_rank();
        Phases(builder, {.stage = rank}, {.stage = 2 * ranks - 1 - rank})
            .run(ranks - 1 - rank, rank, request.microbatches - 2 * ranks + rank + 1);
    }
    return builder.take();
}

} // namespace

/// DualPipe: a forward and a backward pass run as one block, with microbatches that enter from both ends of the
/// pipeline.
ScheduleDefinition dualpipe() {
    return {.name = "dualpipe",
            .title = "DualPipe",
            .source = "DeepSeek-V3, arXiv 2412.19437, section 3.2.1; its DualPipe repository",
            .placement = StagePlacement::both_ways,
            .pairs_passes = true,
            .min_microbatches = [](std::int64_t stages) { return 2 * stages; },
            .generate = both_ways_order,
            .forms = {.bubble = [](const FormTerms &t) { return formula::dualpipe_bubble_seconds(t.p, t.F, t.I, t.W); },
                      .bubble_formula = "dualpipe-bubble",
                      .sends = {.through_chunks = false},
                      .in_flight = [](const FormTerms &t) { return std::min(t.m, t.p + 1); }}};
}

/// DualPipe folded into a V: half as many accelerators, one copy of the weights.
ScheduleDefinition dualpipe_v() {
    return {
        .name = "dualpipe-v",
        .title = "DualPipe-V",
        .source = "The DualPipe repository's notes on DualPipeV",
        .placement = StagePlacement::v_shape,
        .chunks = ChunkCount::two,
        .pairs_passes = true,
        .min_microbatches = [](std::int64_t stages) { return 2 * stages; },
        .generate = folded_order,
        .forms = {.bubble = [](const FormTerms &t) { return formula::dualpipe_v_bubble_seconds(t.p, t.F, t.I, t.W); },
                  .bubble_formula = "dualpipe-v-bubble",
                  .in_flight = [](const FormTerms &t) { return std::min(2 * t.m, 2 * t.p + 1); }}};
}

} // namespace meshwright::orders
