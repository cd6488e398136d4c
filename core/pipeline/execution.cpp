// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/execution.h"

#include "input/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

void check_seconds(const OperationSeconds &seconds) {
    for (const double part : {seconds.compute, seconds.recompute, seconds.tensor, seconds.context, seconds.expert})
        if (!std::isfinite(part) || part < 0)
            throw InputError("", "a stage's time is negative or not a number", "expected non-negative times");
}

void check(const OperationOrder &order, const PipelineWork &work) {
    if (work.stages.size() != static_cast<std::size_t>(order.stages))
        throw InputError("", fmt::format("the times are for {} stages", work.stages.size()),
                         fmt::format("expected {} stages", order.stages));
    for (const StageWork &stage : work.stages) {
        check_seconds(stage.forward);
        check_seconds(stage.input_gradient);
        check_seconds(stage.weight_gradient);
    }
    for (const RankCollectives &rank : work.collectives)
        if (!std::isfinite(rank.exposed_seconds()) || rank.exposed_seconds() < 0)
            throw InputError("", "a collective's time is negative or not a number", "expected non-negative times");
    for (const double seconds : {work.hop_latency_seconds, work.hop_transfer_seconds})
        if (!std::isfinite(seconds) || seconds < 0)
            throw InputError("", "a send's time is negative or not a number", "expected non-negative times");
}

} // namespace

Wiring::Wiring(const OperationOrder &order, const PipelineWork &work)
    : m_work(work)
    , m_stages(static_cast<std::size_t>(order.stages))
    , m_units(static_cast<std::size_t>(order.units())) {
    check(order, work);
    connect(order, work);
}

void Wiring::connect(const OperationOrder &order, const PipelineWork &work) {
    const auto directions = static_cast<std::size_t>(order.directions);
    constexpr double not_yet = -1;
    m_forward.assign(directions * m_stages * m_units, not_yet);
    m_backward.assign(directions * m_stages * m_units, not_yet);
    m_ready.assign(m_units, 0.0);
    m_nowhere.assign(m_units, 0.0);
    m_ports.resize(directions * m_stages * operation_kinds);
    for (std::size_t direction = 0; direction < directions; ++direction) {
        const std::size_t first = direction * m_stages;
        for (std::size_t s = 0; s < m_stages; ++s) {
            const std::size_t row = (first + s) * m_units;
            const bool is_last = s + 1 == m_stages;
            const auto send = [&](Port &port, std::size_t to) {
                const bool crosses = order.rank_of[first + s] != order.rank_of[first + to];
                port.latency = crosses ? work.hop_latency_seconds : 0;
                port.transfer = crosses ? work.hop_transfer_seconds : 0;
            };
            const StageWork &stage = work.stages[s];
            Port *const ports = &m_ports[(first + s) * operation_kinds];
            Port &forward = ports[static_cast<std::size_t>(OperationKind::forward)];
            forward.seconds = stage.forward.total();
            forward.in = s == 0 ? m_ready.data() : &m_forward[row];
            forward.out = is_last ? m_nowhere.data() : &m_forward[row + m_units];
            if (!is_last)
                send(forward, s + 1);
            Port backward{.in = is_last ? m_ready.data() : &m_backward[row],
                          .out = s == 0 ? m_nowhere.data() : &m_backward[row - m_units]};
            if (s > 0)
                send(backward, s - 1);
            backward.seconds = stage.input_gradient.total();
            ports[static_cast<std::size_t>(OperationKind::input_gradient)] = backward;
            backward.seconds = stage.input_gradient.total() + stage.weight_gradient.total();
            ports[static_cast<std::size_t>(OperationKind::backward)] = backward;
            ports[static_cast<std::size_t>(OperationKind::weight_gradient)] = {
                .in = m_ready.data(), .out = m_nowhere.data(), .seconds = stage.weight_gradient.total()};
        }
    }
}

double Wiring::block_seconds(const Operation &first, const Operation &second) const {
    if (m_work.block_seconds >= 0)
        return m_work.block_seconds;
    const StageWork &backward = m_work.stages[second.stage];
    const double expert =
        m_work.stages[first.stage].forward.expert + backward.input_gradient.expert + backward.weight_gradient.expert;
    return port(first).seconds + port(second).seconds - m_work.hidden_expert_share * expert;
}

void refuse_deadlock(const OperationOrder &order) {
    throw InputError(
        "",
        fmt::format("schedule {} deadlocks with {} stages and {} microbatches", name_of(order.schedule), order.ranks,
                    order.microbatches * order.directions),
        "expected a larger interleaving group, or a number of microbatches that is a multiple of its size");
}

} // namespace meshwright
