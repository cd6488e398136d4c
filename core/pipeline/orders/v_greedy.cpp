// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/orders/v_searches.h"

#include "pipeline/orders/builder.h"

#include <algorithm>
#include <array>
#include <vector>

namespace meshwright::orders {

namespace {

/// The steps of a microbatch through the V: forward down and up, then backward down (chunk 1) and up (chunk 0). Weight
/// gradients follow the two backward steps.
constexpr std::size_t steps = 4;
constexpr std::size_t first_backward = 2;

struct Rank {
    std::array<std::int64_t, steps> done{};
    double now = 0;
    double memory = 0; ///< memory in use, in units of one chunk's activations
    double idle = 0; ///< idle time of the rank after its first operation
    std::vector<Operation> order;
    std::vector<Operation> waiting; ///< weight gradients; those from `next_waiting` on are pending
    std::size_t next_waiting = 0;

    bool has_waiting() const { return next_waiting < waiting.size(); }
};

/// Whether weight gradients may also run in gaps that are too short for them.
struct Choices {
    bool before_forward = false;
    bool before_backward = false;
};

class Draft {
public:
    Draft(const OrderRequest &request, double limit, Choices choices, std::vector<double> allowed_idle)
        : m_limit(limit)
        , m_saved_for_weights(request.saved_for_weights)
        , m_choices(choices)
        , m_allowed(std::move(allowed_idle))
        , m_microbatches(request.microbatches)
        , m_forward_seconds(request.forward)
        , m_input_seconds(request.input_gradient)
        , m_weight_seconds(request.weight_gradient)
        , m_hop(request.hop)
        , m_ranks(static_cast<std::size_t>(request.ranks))
        , m_last(m_ranks.size() - 1) {
        m_allowed.resize(m_ranks.size(), 0.0);
        m_max_allowed = *std::max_element(m_allowed.begin(), m_allowed.end());
        m_end.assign(m_ranks.size() * steps * static_cast<std::size_t>(m_microbatches), not_yet);
        for (Rank &rank : m_ranks)
            rank.order.reserve(6 * static_cast<std::size_t>(m_microbatches));
    }

    /// @returns false if the memory limit is too small for the schedule
    bool run() {
        warm_up();
        for (std::int64_t round = 0; round < 2 * m_microbatches && m_fits; ++round) {
            backward_round();
            for (std::size_t r = 0; r <= m_last && m_fits; ++r)
                forward_turn(r);
        }
        for (std::size_t r = 0; r <= m_last; ++r)
            while (m_ranks[r].has_waiting())
                put_weight(r);
        return m_fits;
    }

    double max_idle() const { return m_max_idle; }
    std::vector<double> idle() const {
        std::vector<double> idle;
        for (const Rank &rank : m_ranks)
            idle.push_back(rank.idle);
        return idle;
    }
    const std::vector<Operation> &order(std::size_t rank) const { return m_ranks[rank].order; }

private:
    static constexpr double not_yet = -1;

    static bool goes_down(std::size_t step) { return step % 2 == 0; }

    double &end(std::size_t r, std::size_t step, std::int64_t microbatch) {
        return m_end[(r * steps + step) * static_cast<std::size_t>(m_microbatches)
                     + static_cast<std::size_t>(microbatch)];
    }

    /// Time at which the input of a rank's next operation of a step arrives: 0 if no other rank sends it, negative if
    /// it has not been sent yet.
    double arrival(std::size_t r, std::size_t step) {
        const std::int64_t k = m_ranks[r].done[step];
        if (k >= m_microbatches || r == (goes_down(step) ? 0 : m_last))
            return 0;
        const double made = end(goes_down(step) ? r - 1 : r + 1, step, k);
        return made < 0 ? not_yet : made + m_hop;
    }

    bool is_done_elsewhere(std::size_t r, std::size_t step) { return arrival(r, step) >= 0; }

    void begin(Rank &rank, double start) {
        if (rank.done[0] > 0) {
            rank.idle += std::max(0.0, start - rank.now);
            m_max_idle = std::max(m_max_idle, rank.idle);
        }
        rank.now = std::max(rank.now, start);
    }

    void put_weight(std::size_t r) {
        Rank &rank = m_ranks[r];
        rank.now += m_weight_seconds;
        rank.memory -= m_saved_for_weights;
        rank.order.push_back(rank.waiting[rank.next_waiting++]);
    }

    void put(std::size_t r, std::size_t step) {
        Rank &rank = m_ranks[r];
        const std::int64_t k = rank.done[step];
        const bool is_forward = step < first_backward;
        if (!m_fits || k >= m_microbatches || !is_done_elsewhere(r, step) || (step > 0 && end(r, step - 1, k) < 0)
            || (is_forward && rank.memory + 1 > m_limit)) {
            m_fits = false;
            return;
        }
        begin(rank, arrival(r, step));
        rank.now += is_forward ? m_forward_seconds : m_input_seconds;
        end(r, step, k) = rank.now;
        rank.memory += is_forward ? 1 : m_saved_for_weights - 1;
        ++rank.done[step];
        const bool upper = step == 1 || step == 2; // chunk 1
        Operation operation;
        operation.unit = static_cast<std::uint32_t>(k);
        operation.stage = static_cast<std::uint16_t>(upper ? 2 * m_ranks.size() - 1 - r : r);
        operation.kind = is_forward ? OperationKind::forward : OperationKind::input_gradient;
        rank.order.push_back(operation);
        if (!is_forward) {
            operation.kind = OperationKind::weight_gradient;
            rank.waiting.push_back(operation);
        }
    }

    /// Warm-up: forward passes until the first microbatch has gone down and up through all ranks.
    void warm_up() {
        for (std::size_t r = 0; r <= m_last; ++r)
            put(r, 0);
        for (std::size_t r = m_ranks.size(); r-- > 0 && m_fits;) {
            if (r < m_last) {
                const double back = end(r + 1, 1, 0) + m_hop;
                Rank &rank = m_ranks[r];
                while (m_fits && rank.memory + 2 + 2 * static_cast<double>(r) <= m_limit
                       && rank.now + m_forward_seconds <= back && rank.done[0] < m_microbatches)
                    for (std::size_t above = 0; above <= r; ++above)
                        put(above, 0);
            }
            put(r, 1);
        }
        std::size_t step = 0;
        for (std::size_t r = 1; r <= m_last && m_fits; ++r) {
            const Rank &above = m_ranks[r - 1];
            const Rank &rank = m_ranks[r];
            while (m_fits
                   && (rank.done[0] + rank.done[1] < above.done[0] + above.done[1]
                       || (rank.done[1] <= above.done[1] && above.done[1] < m_microbatches))) {
                for (std::size_t below = m_last + 1; below-- > r;)
                    if (m_ranks[below].done[step] < m_microbatches)
                        put(below, step);
                step = 1 - step;
            }
        }
    }

    /// Fills the wait for a message with weight gradients. A weight gradient longer than the gap runs only if waiting
    /// would exceed the rank's allowed idle time.
    void fill_gap(std::size_t r, double until, bool by_choice) {
        Rank &rank = m_ranks[r];
        while (rank.has_waiting() && until > 0 && until >= rank.now + m_weight_seconds)
            put_weight(r);
        const double most = std::max(m_max_idle, m_max_allowed - m_allowed[r]);
        if (by_choice && rank.has_waiting() && until > 0 && until - rank.now > most - rank.idle)
            put_weight(r);
    }

    void backward_round() {
        std::vector<std::size_t> &down = m_down;
        std::vector<std::size_t> &up = m_up;
        down.clear();
        up.clear();
        for (std::size_t r = 0; r <= m_last; ++r) {
            const Rank &rank = m_ranks[r];
            const bool comes_up = rank.done[3] < rank.done[2]
                && (r == m_last || rank.done[2] >= m_microbatches || is_done_elsewhere(r, 3));
            (comes_up ? up : down).push_back(r);
        }
        std::reverse(up.begin(), up.end());
        for (const std::size_t r : up) {
            fill_gap(r, arrival(r, 3), true);
            put(r, 3);
        }
        for (const std::size_t r : down) {
            fill_gap(r, arrival(r, 2), m_choices.before_backward);
            put(r, 2);
        }
    }

    void forward_turn(std::size_t r) {
        Rank &rank = m_ranks[r];
        if (rank.done[1] >= m_microbatches)
            return;
        std::size_t step = steps;
        const bool has_first = rank.done[0] < m_microbatches && is_done_elsewhere(r, 0);
        const bool must_begin = rank.done[1] >= rank.done[0];
        if (!must_begin && is_done_elsewhere(r, 1))
            step = 1;
        else if (must_begin || has_first)
            step = 0;
        if (step == steps)
            return;
        while (rank.memory + 1 > m_limit && rank.has_waiting())
            put_weight(r);
        fill_gap(r, arrival(r, step), m_choices.before_forward);
        put(r, step);
    }

    double m_limit;
    double m_saved_for_weights;
    Choices m_choices;
    std::vector<double> m_allowed; ///< allowed idle time of each rank, from an earlier draft
    double m_max_allowed = 0;
    std::int64_t m_microbatches;
    double m_forward_seconds;
    double m_input_seconds;
    double m_weight_seconds;
    double m_hop;
    std::vector<Rank> m_ranks;
    std::size_t m_last;
    std::vector<double> m_end; ///< end time by [rank][step][microbatch]
    std::vector<std::size_t> m_down;
    std::vector<std::size_t> m_up;
    double m_max_idle = 0;
    bool m_fits = true;
};

/// Redrafts the order as long as it improves. In each draft, a rank is idle at most as long as in the previous draft.
std::optional<Draft> improved(const OrderRequest &request, double limit, Choices choices) {
    constexpr int max_tries = 16;
    Draft best(request, limit, choices, {});
    if (!best.run())
        return std::nullopt;
    for (int i = 0; i < max_tries; ++i) {
        Draft again(request, limit, choices, best.idle());
        if (!again.run() || again.max_idle() >= best.max_idle())
            break;
        best = std::move(again);
    }
    return best;
}

} // namespace

std::optional<OperationOrder> v_greedy(const OrderRequest &request, double limit) {
    std::optional<Draft> best;
    for (const bool before_backward : {true, false})
        for (const bool before_forward : {true, false}) {
            std::optional<Draft> plan = improved(request, limit, {before_forward, before_backward});
            if (plan && (!best || plan->max_idle() < best->max_idle()))
                best = std::move(plan);
        }
    if (!best)
        return std::nullopt;
    OrderBuilder builder(request, 3);
    for (std::int64_t rank = 0; rank < request.ranks; ++rank) {
        builder.begin_rank();
        for (const Operation &operation : best->order(static_cast<std::size_t>(rank)))
            builder.add(operation.kind, operation.stage, operation.unit);
    }
    return builder.take();
}

} // namespace meshwright::orders
