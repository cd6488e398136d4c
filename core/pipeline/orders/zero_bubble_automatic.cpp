// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/pipeline.h"
#include "input/stop_scope.h"
#include "pipeline/orders/builder.h"
#include "pipeline/simulation.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace meshwright::orders {

namespace {

enum Kind : std::uint8_t { forward, input, weight };

/// The choices that the heuristic in section 3.1 of arXiv 2401.10241 leaves open; all combinations are tried.
struct Choices {
    bool early_first_input = false; ///< end the warm-up before a forward pass would delay the first input gradient
    bool input_first = false; ///< let an input gradient run before a forward pass if that does not delay the next rank
    bool weights_in_short_gaps = false;
};

struct Rank {
    std::array<std::int64_t, 3> done{}; ///< number of completed operations by kind
    double now = 0;
    double memory = 0; ///< activation memory in use, in units of one microbatch's activations
    double idle = 0; ///< idle time of the rank after its first operation
    std::vector<Kind> order;
};

/// Schedules all ranks microbatch by microbatch: each round adds at most one forward pass and one input gradient per
/// rank. Weight gradients fill gaps, or run early to free memory at the limit.
class Draft {
public:
    Draft(const OrderRequest &request, double limit, Choices choices)
        : m_limit(limit)
        , m_held{1, request.saved_for_weights - 1, -request.saved_for_weights}
        , m_choices(choices)
        , m_microbatches(request.microbatches)
        , m_seconds{request.forward, request.input_gradient, request.weight_gradient}
        , m_hop(request.hop)
        , m_ranks(static_cast<std::size_t>(request.ranks))
        , m_last(m_ranks.size() - 1) {
        for (auto &ends : m_ends)
            ends.assign(m_ranks.size() * static_cast<std::size_t>(m_microbatches), 0.0);
        for (Rank &rank : m_ranks)
            rank.order.reserve(3 * static_cast<std::size_t>(m_microbatches));
    }

    void run() {
        first_round();
        for (std::int64_t k = 1; k < m_microbatches; ++k)
            round();
        for (std::size_t r = 0; r <= m_last; ++r)
            while (m_ranks[r].done[weight] < m_microbatches)
                put(r, weight);
    }

    double span() const {
        double span = 0;
        for (std::size_t r = 0; r <= m_last; ++r)
            span = std::max(span, m_ranks[r].now - end(r, forward, 0) + m_seconds[forward]);
        return span;
    }

    const std::vector<Kind> &order(std::size_t rank) const { return m_ranks[rank].order; }

private:
    std::size_t index(std::size_t r, std::int64_t microbatch) const {
        return r * static_cast<std::size_t>(m_microbatches) + static_cast<std::size_t>(microbatch);
    }
    double end(std::size_t r, Kind kind, std::int64_t microbatch) const { return m_ends[kind][index(r, microbatch)]; }

    /// Time at which the input of a rank's next operation of this kind is available.
    double arrival(std::size_t r, Kind kind) const {
        if (kind == forward && r > 0)
            return end(r - 1, forward, m_ranks[r].done[forward]) + m_hop;
        if (kind == input && r < m_last)
            return end(r + 1, input, m_ranks[r].done[input]) + m_hop;
        return 0;
    }

    void put(std::size_t r, Kind kind) {
        Rank &rank = m_ranks[r];
        const double start = std::max(rank.now, arrival(r, kind));
        if (rank.done[forward] > 0) {
            rank.idle += start - rank.now;
            m_max_idle = std::max(m_max_idle, rank.idle);
        }
        rank.now = start + m_seconds[kind];
        m_ends[kind][index(r, rank.done[kind])] = rank.now;
        rank.memory += m_held[kind];
        ++rank.done[kind];
        rank.order.push_back(kind);
    }

    /// Warm-up: runs as many forward passes as fit before the first input gradient arrives.
    void first_round() {
        for (std::size_t r = 0; r <= m_last; ++r)
            put(r, forward);
        std::vector<std::int64_t> more(m_ranks.size(), 0);
        double back = end(m_last, forward, 0) + m_seconds[input];
        for (std::size_t r = m_last; r-- > 0;) {
            double now = m_ranks[r].now;
            double memory = m_ranks[r].memory;
            const auto full = [&] {
                return m_ranks[r].done[forward] + more[r] >= m_microbatches || memory + m_held[forward] > m_limit;
            };
            const auto long_enough = [&] {
                return m_choices.early_first_input ? now + m_seconds[forward] > back + m_hop : now >= back + m_hop;
            };
            while (!full() && !long_enough()) {
                memory += m_held[forward];
                now += m_seconds[forward];
                ++more[r];
            }
            back = std::max(now, back + m_hop) + m_seconds[input];
        }
        for (std::size_t r = 1; r <= m_last; ++r) // no rank can run more forward passes than the previous rank
            if (more[r] > 0 && more[r] >= more[r - 1] && m_ranks[r].done[forward] + more[r] < m_microbatches)
                more[r] = std::max<std::int64_t>(0, more[r - 1] - 1);
        for (std::size_t r = 0; r <= m_last; ++r)
            for (std::int64_t i = 0; i < more[r]; ++i)
                put(r, forward);
        for (std::size_t r = m_ranks.size(); r-- > 0;)
            put(r, input);
    }

    void round() {
        std::vector<bool> &wanted = m_wanted;
        wanted.assign(m_ranks.size(), false);
        for (std::size_t r = 0; r <= m_last; ++r)
            wanted[r] = m_ranks[r].done[forward] < m_microbatches && wants_forward(r);
        for (std::size_t r = m_last; r-- > 0;)
            wanted[r] = wanted[r] && wanted[r + 1];
        for (std::size_t r = 0; r <= m_last; ++r) {
            if (!wanted[r])
                continue;
            while (m_ranks[r].memory + m_held[forward] > m_limit)
                put(r, weight);
            if (r > 0)
                fill_gap(r, forward);
            put(r, forward);
        }
        for (std::size_t r = m_ranks.size(); r-- > 0;) {
            if (r < m_last)
                fill_gap(r, input);
            if (r == 0 && m_ranks[r].done[forward] == m_microbatches)
                while (m_ranks[r].done[weight] < m_ranks[r].done[input])
                    put(r, weight);
            put(r, input);
        }
    }

    /// Whether a forward pass takes priority over an input gradient that the next rank is about to send.
    bool wants_forward(std::size_t r) const {
        const Rank &rank = m_ranks[r];
        if (r == m_last || !m_choices.input_first || rank.done[forward] < m_ranks[r + 1].done[forward] + 2)
            return true;
        const double back = m_ranks[r + 1].now + m_seconds[forward] + m_seconds[input] + m_hop;
        if (rank.now >= back)
            return false;
        double memory = rank.memory + m_held[forward];
        double freeing = 0;
        for (std::int64_t w = rank.done[weight]; memory > m_limit && w < rank.done[input]; ++w) {
            memory += m_held[weight];
            freeing += m_seconds[weight];
        }
        if (rank.now + m_seconds[forward] + freeing <= back)
            return true;
        return back - rank.now > m_max_idle - rank.idle;
    }

    /// Fills a wait with weight gradients. A weight gradient longer than the gap runs only if waiting would make this
    /// rank's idle time the longest, or if the heuristic fills short gaps, too.
    void fill_gap(std::size_t r, Kind next) {
        Rank &rank = m_ranks[r];
        const double until = arrival(r, next);
        while (rank.done[weight] < rank.done[input] && rank.now + m_seconds[weight] <= until)
            put(r, weight);
        if (rank.done[weight] >= rank.done[input] || rank.now >= until)
            return;
        if (until - rank.now > m_max_idle - rank.idle || m_choices.weights_in_short_gaps)
            put(r, weight);
    }

    double m_limit;
    std::array<double, 3> m_held; ///< change of a rank's activation memory per operation, by kind
    Choices m_choices;
    std::int64_t m_microbatches;
    std::array<double, 3> m_seconds;
    double m_hop;
    std::vector<Rank> m_ranks;
    std::size_t m_last;
    std::array<std::vector<double>, 3> m_ends; ///< end of each operation: [kind][rank][microbatch]
    std::vector<bool> m_wanted;
    double m_max_idle = 0;
};

void write(OrderBuilder &builder, const std::vector<Kind> &order, std::int64_t rank) {
    constexpr std::array kinds{OperationKind::forward, OperationKind::input_gradient, OperationKind::weight_gradient};
    std::array<std::int64_t, 3> next{};
    builder.begin_rank();
    for (const Kind kind : order)
        builder.add(kinds.at(kind), rank, next.at(kind)++);
}

OperationOrder searched(const OrderRequest &request) {
    const auto ranks = static_cast<double>(request.ranks);
    const double own = request.schedule == Schedule::zb_2p ? 2 * ranks : ranks;
    const double limit = request.memory_limit > 0 ? request.memory_limit : own;
    require(limit >= 1, request, "expected a memory limit of at least one activation");
    OrderBuilder builder(request, 3);
    std::optional<Draft> best;
    for (const bool early : {true, false})
        for (const bool input_first : {true, false})
            for (const bool short_gaps : {true, false}) {
                end_if_stopped();
                Draft plan(request, limit, {early, input_first, short_gaps});
                plan.run();
                if (!best || plan.span() < best->span())
                    best = std::move(plan);
            }
    for (std::int64_t rank = 0; rank < request.ranks; ++rank)
        write(builder, best->order(static_cast<std::size_t>(rank)), rank);
    return builder.take();
}

/// ZB-2p's bubble within a rank's span has no closed form. It is measured on an order that is generated for passes of
/// equal length and executed with the actual times, on equal stages without sends.
double executed_span_bubble(const FormTerms &t) {
    constexpr std::int64_t max_executed = 60'000; // maximum number of operations; more would add no idle time
    const auto stages = static_cast<std::int64_t>(t.p);
    const auto all = std::max<std::int64_t>(1, static_cast<std::int64_t>(t.m));
    const OperationOrder order =
        operation_order({.schedule = Schedule::zb_2p,
                         .ranks = stages,
                         .microbatches = std::clamp<std::int64_t>(max_executed / (3 * stages), 1, all)});
    const PipelineTimes times = pipeline_times(order, uniform_work(order, t.F, t.I, t.W));
    // In short runs, the generated order can idle longer than the closed form allows, so limit the result.
    return std::clamp(times.span - times.ideal, 0.0, formula::zb_2p_bubble_seconds(t.p, t.F));
}

} // namespace

/// ZB-1p: the automatic schedule, limited to the memory of 1F1B.
ScheduleDefinition zb_1p() {
    return {.name = "zb-1p",
            .title = "ZB-1p",
            .source = "Qi et al., Zero bubble pipeline parallelism, arXiv 2401.10241, section 3",
            .generate = searched,
            .forms = {.bubble = [](const FormTerms &t) { return formula::zb_h1_bubble_seconds(t.p, t.F, t.I, t.W); },
                      .bubble_formula = "zb-h1-bubble",
                      .sends = {.crossings = 4, .through_chunks = false},
                      .in_flight = [](const FormTerms &t) { return std::min(t.m, t.p); },
                      .needs_equal_times = true}};
}

/// ZB-2p: the automatic schedule, limited to twice the memory of 1F1B.
ScheduleDefinition zb_2p() {
    return {.name = "zb-2p",
            .title = "ZB-2p",
            .source = "Qi et al., Zero bubble pipeline parallelism, arXiv 2401.10241, section 3",
            .generate = searched,
            .forms = {.bubble = [](const FormTerms &t) { return formula::zb_2p_bubble_seconds(t.p, t.F); },
                      .bubble_formula = "zb-2p-bubble",
                      .span_bubble = executed_span_bubble,
                      .sends = {.through_chunks = false},
                      .in_flight = [](const FormTerms &t) { return std::min(t.m, 2 * t.p); },
                      .needs_equal_times = true}};
}

} // namespace meshwright::orders
