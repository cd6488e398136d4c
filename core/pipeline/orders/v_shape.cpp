// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/pipeline.h"
#include "pipeline/orders/builder.h"
#include "pipeline/orders/v_searches.h"
#include "pipeline/simulation.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace meshwright::orders {

namespace {

/// One rank's order in ZB-V, as drawn in arXiv 2405.15362: chunk 0 passes down the ranks, chunk 1 passes back up. With
/// fewer than 2p - 1 microbatches, the missing ones are left out.
class ZbVRank {
public:
    ZbVRank(OrderBuilder &builder, std::int64_t rank)
        : m_builder(builder)
        , m_stages{rank, 2 * builder.ranks() - 1 - rank} { }

    void run(std::int64_t rank) {
        const std::int64_t above = m_builder.ranks() - rank;
        const std::int64_t drawn = std::max(2 * m_builder.ranks() - 1, m_builder.microbatches());
        for (std::int64_t i = 0; i < 2 * above - 1; ++i)
            forward(0);
        for (std::int64_t i = 0; i < rank; ++i) {
            forward(1);
            forward(0);
        }
        for (std::int64_t i = 0; i < above; ++i) {
            forward(1);
            backward(1);
        }
        while (m_forward[1] < m_forward[0] || m_forward[0] < drawn) {
            if (m_forward[0] < drawn)
                forward(0);
            backward(0);
            forward(1);
            backward(1);
        }
        for (std::int64_t i = 0; i < rank; ++i) {
            input_gradient(0);
            input_gradient(1);
        }
        for (std::int64_t i = 0; i < above; ++i)
            backward(0);
        for (const std::size_t chunk : {std::size_t{1}, std::size_t{0}})
            while (m_weight[chunk] < m_input[chunk])
                weight_gradient(chunk);
    }

private:
    void add(OperationKind kind, std::size_t chunk, std::int64_t microbatch) {
        if (microbatch < m_builder.microbatches())
            m_builder.add(kind, m_stages[chunk], microbatch);
    }
    void forward(std::size_t chunk) { add(OperationKind::forward, chunk, m_forward[chunk]++); }
    void input_gradient(std::size_t chunk) { add(OperationKind::input_gradient, chunk, m_input[chunk]++); }
    void weight_gradient(std::size_t chunk) { add(OperationKind::weight_gradient, chunk, m_weight[chunk]++); }
    void backward(std::size_t chunk) {
        input_gradient(chunk);
        weight_gradient(chunk);
    }

    OrderBuilder &m_builder;
    std::array<std::int64_t, 2> m_stages;
    std::array<std::int64_t, 2> m_forward{};
    std::array<std::int64_t, 2> m_input{};
    std::array<std::int64_t, 2> m_weight{};
};

OperationOrder drawn(const OrderRequest &request) {
    OrderBuilder builder(request, 3);
    for (std::int64_t rank = 0; rank < request.ranks; ++rank) {
        builder.begin_rank();
        ZbVRank(builder, rank).run(rank);
    }
    return builder.take();
}

double span(const OperationOrder &order, const OrderRequest &request) {
    return pipeline_times(
               order,
               uniform_work(order, request.forward, request.input_gradient, request.weight_gradient, request.hop))
        .span;
}

/// Peak memory of the rank with the highest peak, in units of one chunk's activations.
double peak(const OperationOrder &order, double saved_for_weights) {
    double most = 0;
    for (std::int64_t rank = 0; rank < order.ranks; ++rank) {
        double held = 0;
        for (const Operation &operation : order.of_rank(rank)) {
            held += operation.kind == OperationKind::forward      ? 1
                : operation.kind == OperationKind::input_gradient ? saved_for_weights - 1
                                                                  : -saved_for_weights;
            most = std::max(most, held);
        }
    }
    return most;
}

OperationOrder best_order(const OrderRequest &request) {
    const double own = 2 * static_cast<double>(request.ranks);
    const double limit = request.memory_limit > 0 ? request.memory_limit : own;
    const bool equal_times = request.forward == request.input_gradient && request.forward == request.weight_gradient;
    OperationOrder best = drawn(request);
    if (equal_times && request.hop == 0 && limit >= own)
        return best; // no idle time left to improve
    std::vector<OperationOrder> others;
    if (std::optional<OperationOrder> searched = v_greedy(request, limit))
        others.push_back(std::move(*searched));
    for (const Schedule compact : {Schedule::v_half, Schedule::v_min})
        if (limit < own) {
            OrderRequest smaller = request;
            smaller.schedule = compact;
            others.push_back(v_compact(smaller));
            others.back().schedule = request.schedule;
        }
    bool fits = peak(best, request.saved_for_weights) <= limit;
    for (OperationOrder &other : others)
        if (peak(other, request.saved_for_weights) <= limit && (!fits || span(other, request) < span(best, request))) {
            best = std::move(other);
            fits = true;
        }
    require(fits, request, "expected a larger memory limit");
    return best;
}

} // namespace

/// Two chunks per rank in a V shape: the published order if it is optimal, otherwise a searched one.
ScheduleDefinition zb_v() {
    return {.name = "zb-v",
            .title = "ZB-V",
            .source = "Qi et al., Pipeline parallelism with controllable memory, arXiv 2405.15362, section 4",
            .placement = StagePlacement::v_shape,
            .chunks = ChunkCount::two,
            .generate = best_order,
            .forms = {.bubble = [](const FormTerms &t) { return formula::zb_v_bubble_seconds(t.p, t.F); },
                      .bubble_formula = "zb-v-bubble",
                      .span_bubble = [](const FormTerms &) { return 0.0; },
                      .in_flight = [](const FormTerms &t) { return std::min(2 * t.m, 2 * t.p); },
                      .needs_equal_times = true}};
}

} // namespace meshwright::orders
