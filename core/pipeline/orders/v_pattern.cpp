// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/pipeline.h"
#include "pipeline/orders/builder.h"
#include "pipeline/orders/v_searches.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace meshwright::orders {

namespace {

/// The four steps of a microbatch through the V (forward down and up, backward down and up), and the weight gradients.
/// The two chunks' weight gradients are distinguished only at the end.
enum Step : std::size_t { forward_down, forward_up, backward_down, backward_up, weights, second_weights };
constexpr std::size_t steps = 4;

using Slots = std::vector<std::int64_t>; ///< slots of one step's operations, by microbatch

/// One rank: the slot of every step of every microbatch. Each slot holds one operation.
struct Rank {
    std::array<Slots, 6> at;

    std::int64_t last_slot(std::size_t types) const {
        std::int64_t last = 0;
        for (std::size_t type = 0; type < types; ++type)
            if (!at[type].empty())
                last = std::max(last, at[type].back());
        return last;
    }
};

struct Cell {
    std::int32_t type = -1;
    std::int32_t index = 0; ///< index of the microbatch; for weight gradients, a consecutive number
    bool is_free() const { return type < 0; }
};
using Row = std::vector<Cell>;

Row row_of(const Rank &rank, std::size_t types) {
    Row row(static_cast<std::size_t>(rank.last_slot(types)) + 1);
    for (std::size_t type = 0; type < types; ++type)
        for (std::size_t k = 0; k < rank.at[type].size(); ++k)
            row[static_cast<std::size_t>(rank.at[type][k])] = {static_cast<std::int32_t>(type),
                                                               static_cast<std::int32_t>(k)};
    return row;
}

bool is_backward(std::int32_t type) {
    return type == backward_down || type == backward_up;
}

/// Puts weight gradients into free slots, in the order in which they become available. With `split`, the two chunks'
/// weight gradients are separate; the chunk whose backward pass runs first comes first.
void put_weights(Rank &rank, bool split) {
    const Row row = row_of(rank, steps);
    rank.at[weights].clear();
    rank.at[second_weights].clear();
    std::array<std::int64_t, 2> due{};
    const auto put = [&](std::int64_t slot) {
        const std::size_t which = due[0] > 0 ? 0 : 1;
        if (due[which] == 0)
            return;
        --due[which];
        rank.at[weights + which].push_back(slot);
    };
    for (std::size_t slot = 0; slot < row.size(); ++slot) {
        if (row[slot].is_free())
            put(static_cast<std::int64_t>(slot));
        else if (is_backward(row[slot].type))
            ++due[split && row[slot].type == backward_up ? 1 : 0];
    }
    for (auto slot = static_cast<std::int64_t>(row.size()); due[0] + due[1] > 0; ++slot)
        put(slot);
}

/// Chunks in flight on a rank during each slot. Weight gradients that are not placed yet are assumed to run in free
/// slots.
class ChunksInFlight {
public:
    ChunksInFlight(const Row &row, bool has_weights)
        : m_has_weights(has_weights)
        , m_states(row.size()) {
        State state;
        for (std::size_t slot = 0; slot < row.size(); ++slot)
            m_states[slot] = state = next(state, row[slot]);
    }

    std::int64_t most() const {
        std::int64_t most = 0;
        for (const State &state : m_states)
            most = std::max(most, state.chunks);
        return most;
    }

    /// Recalculates the states from a slot on after the row has changed. @returns whether at most `limit` chunks are in
    /// flight in every slot
    bool update(const Row &row, std::size_t from, std::size_t to, std::int64_t limit) {
        State state = from > 0 ? m_states[from - 1] : State{};
        bool fits = true;
        for (std::size_t slot = from; slot < row.size(); ++slot) {
            state = next(state, row[slot]);
            if (slot > to && state == m_states[slot])
                break;
            m_states[slot] = state;
            fits = fits && state.chunks <= limit;
        }
        return fits;
    }

private:
    struct State {
        std::int64_t chunks = 0;
        std::int64_t due = 0; ///< number of pending weight gradients
        bool operator==(const State &) const = default;
    };

    State next(State state, const Cell &cell) const {
        if (cell.is_free()) {
            if (!m_has_weights && state.due > 0) {
                --state.due;
                --state.chunks;
            }
        } else if (cell.type == forward_down || cell.type == forward_up) {
            ++state.chunks;
        } else if (is_backward(cell.type)) {
            ++state.due;
        } else {
            --state.chunks;
        }
        return state;
    }

    bool m_has_weights;
    std::vector<State> m_states;
};

/// Moves operations of warm-up and drain to earlier free slots. Their inputs must be ready there, and memory must not
/// exceed that of the repeated pattern. Source: reordering and squeezing, arXiv 2405.15362, appendix.
class Reordering {
public:
    Reordering(std::vector<Rank> &ranks, bool has_weights)
        : m_ranks(ranks)
        , m_has_weights(has_weights) {
        const std::size_t types = has_weights ? steps + 1 : steps;
        for (Rank &rank : m_ranks) {
            m_rows.push_back(row_of(rank, types));
            m_in_flight.emplace_back(m_rows.back(), has_weights);
            m_limit = std::max(m_limit, m_in_flight.back().most());
            Slots &inputs = m_inputs.emplace_back(rank.at[backward_down]);
            inputs.insert(inputs.end(), rank.at[backward_up].begin(), rank.at[backward_up].end());
            std::sort(inputs.begin(), inputs.end());
        }
    }

    void run() {
        const std::vector<Row> before = m_rows;
        std::size_t slots = 0;
        for (const Row &row : before)
            slots = std::max(slots, row.size());
        for (std::size_t slot = 0; slot < slots; ++slot)
            for (std::size_t r = 0; r < before.size(); ++r)
                if (slot < before[r].size() && !before[r][slot].is_free())
                    visit(r, before[r][slot], slot);
    }

private:
    enum class Phase { warm_up, steady, drain };

    void visit(std::size_t r, const Cell &cell, std::size_t slot) {
        if (m_phase == Phase::warm_up && r == 0 && cell.type == backward_up)
            m_phase = Phase::steady;
        if (m_phase == Phase::steady) {
            const bool last = static_cast<std::size_t>(cell.index) + 1 == m_ranks[0].at[forward_down].size();
            if (cell.type == forward_down && last)
                m_phase = Phase::drain;
            return;
        }
        if (m_phase == Phase::drain || m_has_weights)
            move(r, cell, slot);
    }

    /// The first slot in which all inputs of an operation are ready.
    std::size_t earliest(std::size_t r, const Cell &cell) const {
        const auto type = static_cast<std::size_t>(cell.type);
        const auto k = static_cast<std::size_t>(cell.index);
        std::int64_t needed = -1;
        const bool goes_down = type == forward_down || type == backward_down;
        if (goes_down && r > 0)
            needed = std::max(needed, m_ranks[r - 1].at[type][k]);
        if (!goes_down && type < steps && r + 1 < m_ranks.size())
            needed = std::max(needed, m_ranks[r + 1].at[type][k]);
        if (type > 0 && type < steps)
            needed = std::max(needed, m_ranks[r].at[type - 1][k]);
        if (type == weights)
            needed = std::max(needed, m_inputs[r][k]);
        if (k > 0)
            needed = std::max(needed, m_ranks[r].at[type][k - 1]);
        return static_cast<std::size_t>(needed + 1);
    }

    void move(std::size_t r, const Cell &cell, std::size_t slot) {
        Row &row = m_rows[r];
        for (std::size_t to = earliest(r, cell); to < slot; ++to) {
            if (!row[to].is_free())
                continue;
            std::swap(row[to], row[slot]);
            if (m_in_flight[r].update(row, to, slot, m_limit)) {
                note(r, cell, slot, to);
                return;
            }
            std::swap(row[to], row[slot]);
            m_in_flight[r].update(row, to, slot, m_limit);
        }
    }

    void note(std::size_t r, const Cell &cell, std::size_t from, std::size_t to) {
        m_ranks[r].at[static_cast<std::size_t>(cell.type)][static_cast<std::size_t>(cell.index)] =
            static_cast<std::int64_t>(to);
        if (!is_backward(cell.type))
            return;
        Slots &inputs = m_inputs[r];
        auto moved = std::lower_bound(inputs.begin(), inputs.end(), static_cast<std::int64_t>(from));
        *moved = static_cast<std::int64_t>(to);
        for (; moved != inputs.begin() && *(moved - 1) > *moved; --moved)
            std::iter_swap(moved - 1, moved);
    }

    std::vector<Rank> &m_ranks;
    bool m_has_weights;
    std::vector<Row> m_rows;
    std::vector<ChunksInFlight> m_in_flight;
    std::vector<Slots> m_inputs; ///< slots of each rank's backward steps in ascending order
    std::int64_t m_limit = 0;
    Phase m_phase = Phase::warm_up;
};

/// Moves all operations as early as possible without changing their order. Each operation takes one unit of time.
void squeeze(std::vector<Rank> &ranks) {
    std::vector<Row> rows;
    std::size_t slots = 0;
    for (const Rank &rank : ranks) {
        rows.push_back(row_of(rank, steps + 1));
        slots = std::max(slots, rows.back().size());
    }
    std::vector<std::int64_t> free(ranks.size(), 0);
    for (std::size_t slot = 0; slot < slots; ++slot)
        for (std::size_t r = 0; r < ranks.size(); ++r) {
            if (slot >= rows[r].size() || rows[r][slot].is_free())
                continue;
            const auto type = static_cast<std::size_t>(rows[r][slot].type);
            const auto k = static_cast<std::size_t>(rows[r][slot].index);
            std::int64_t start = free[r];
            if ((type == forward_down || type == backward_down) && r > 0)
                start = std::max(start, ranks[r - 1].at[type][k] + 1);
            if ((type == forward_up || type == backward_up) && r + 1 < ranks.size())
                start = std::max(start, ranks[r + 1].at[type][k] + 1);
            ranks[r].at[type][k] = start;
            free[r] = start + 1;
        }
}

/// Slots of the four steps of a rank's first microbatch. Each further microbatch follows six slots later (arXiv
/// 2405.15362: V-Half and V-Min).
std::array<std::int64_t, steps> pattern(Schedule schedule, std::int64_t p, std::int64_t rank) {
    if (schedule == Schedule::v_half) {
        const std::int64_t delay = p % 2 == 0 ? 3 : 0;
        return {2 * rank, 3 * p - rank - 2, 3 * p + delay + 2 * rank - 1, 6 * p + delay - rank - 2};
    }
    const std::int64_t delay = p % 3 == 0 ? 2 : 0;
    return {rank, 2 * p - rank - 1, 2 * p + delay + rank, 4 * p + delay - rank - 1};
}

std::vector<Rank> repeated(const OrderRequest &request) {
    constexpr std::int64_t period = 6;
    std::vector<Rank> ranks(static_cast<std::size_t>(request.ranks));
    for (std::int64_t r = 0; r < request.ranks; ++r)
        for (std::size_t step = 0; step < steps; ++step)
            for (std::int64_t k = 0; k < request.microbatches; ++k)
                ranks[static_cast<std::size_t>(r)].at[step].push_back(
                    pattern(request.schedule, request.ranks, r).at(step) + period * k);
    return ranks;
}

} // namespace

OperationOrder v_compact(const OrderRequest &request) {
    require(request.ranks <= 256, request, "expected at most 256 stages");
    OrderBuilder builder(request, 3); // rejects oversized requests before anything is allocated
    std::vector<Rank> ranks = repeated(request);
    for (Rank &rank : ranks)
        put_weights(rank, false);
    Reordering(ranks, true).run();
    squeeze(ranks);
    Reordering(ranks, false).run();
    constexpr std::array kinds{OperationKind::forward,         OperationKind::forward,
                               OperationKind::input_gradient,  OperationKind::input_gradient,
                               OperationKind::weight_gradient, OperationKind::weight_gradient};
    for (std::size_t r = 0; r < ranks.size(); ++r) {
        put_weights(ranks[r], true);
        builder.begin_rank();
        for (const Cell &cell : row_of(ranks[r], steps + 2)) {
            if (cell.is_free())
                continue;
            const auto type = static_cast<std::size_t>(cell.type);
            const bool upper = type == forward_up || type == backward_down || type == weights;
            const auto rank = static_cast<std::int64_t>(r);
            builder.add(kinds.at(type), upper ? 2 * request.ranks - 1 - rank : rank, cell.index);
        }
    }
    return builder.take();
}

/// V-Half: half of 1F1B's activation memory.
ScheduleDefinition v_half() {
    return {
        .name = "v-half",
        .title = "V-Half",
        .source = "Qi et al., Pipeline parallelism with controllable memory, arXiv 2405.15362, section 3",
        .placement = StagePlacement::v_shape,
        .chunks = ChunkCount::two,
        .generate = v_compact,
        .forms = {.bubble = [](const FormTerms &t) { return formula::v_half_bubble_seconds(t.p, t.F, t.I, t.W); },
                  .bubble_formula = "v-half-bubble",
                  .in_flight =
                      [](const FormTerms &t) { return std::min(2 * t.m, std::fmod(t.p, 2) == 0 ? t.p + 2 : t.p + 1); },
                  .needs_equal_times = true}};
}

/// V-Min: a third of 1F1B's activation memory.
ScheduleDefinition v_min() {
    return {.name = "v-min",
            .title = "V-Min",
            .source = "Qi et al., Pipeline parallelism with controllable memory, arXiv 2405.15362, section 3",
            .placement = StagePlacement::v_shape,
            .chunks = ChunkCount::two,
            .generate = v_compact,
            .forms = {.bubble = [](const FormTerms &t) { return formula::v_min_bubble_seconds(t.p, t.F, t.I, t.W); },
                      .bubble_formula = "v-min-bubble",
                      .in_flight = [](const FormTerms &t) { return std::min(2 * t.m, 2 * std::floor((t.p + 4) / 3)); },
                      .needs_equal_times = true}};
}

} // namespace meshwright::orders
