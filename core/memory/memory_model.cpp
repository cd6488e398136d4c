// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/memory_model.h"

#include "memory/runtime_memory.h"
#include "memory/stage_bytes.h"
#include "memory/state_bytes.h"
#include "plan/valid_values.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace meshwright {

namespace {

struct Candidate {
    BasicPeakBytes<double> bytes;
    double missing_gradients = 0; ///< bytes of the rank's gradients that are not allocated yet
    PeakMoment moment = PeakMoment::backward;
    const char *operation = "";
    /// Working set of the operation that runs at the peak; null if no operation runs. The peak is named after the
    /// operation.
    const WorkingSet *working = nullptr;
    double total() const { return bytes.activations + bytes.logits + bytes.buffers - missing_gradients; }
};

enum class Names { wanted, unwanted };

/// Finds a rank's peak memory among the points in time at which it can occur.
class RankAccount {
public:
    RankAccount(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs, const Assumptions &assumed,
                std::size_t rank, std::int64_t in_flight, Names names, const RankPeak *peak = nullptr)
        : m_plan(plan)
        , m_layers(layers)
        , m_costs(costs)
        , m_assumed(assumed)
        , m_rank(costs.ranks[rank])
        , m_shards(shard_groups_of(plan, layers.groups()))
        , m_in_flight(static_cast<double>(in_flight))
        , m_names(names)
        , m_peak(peak) {
        for (const std::int64_t s : m_rank.stages) {
            const StageCost &stage = costs.stages[static_cast<std::size_t>(s)];
            m_saved_bytes += stage.cost.saved_bytes;
            m_holding.sharded_unit = std::max(m_holding.sharded_unit, stage.sharded_unit);
            m_holding.largest_chunk = std::max(m_holding.largest_chunk, stage.cost.parameters.total());
            m_holding.has_head = m_holding.has_head || stage.holds_head;
            m_holding.has_both_ends = m_holding.has_both_ends || (stage.holds_head && stage.holds_embedding);
            if (stage.working != nullptr && (m_working == nullptr || stage.working->bytes > m_working->bytes))
                m_working = stage.working;
        }
    }

    const RankMemory &account() {
        states();
        activations();
        outer();
        runtime();
        return m_memory;
    }

    const RankBuffers &buffers() {
        states();
        return m_buffers;
    }

private:
    void states() {
        const StateBytes bytes = rank_state_bytes(m_plan, m_shards, m_rank.cost.parameters);
        m_memory.weights_bytes = bytes.weights;
        m_memory.gradients_bytes = bytes.gradients;
        m_memory.master_bytes = on_device(m_plan, bytes.master);
        m_memory.moments_bytes = on_device(m_plan, bytes.moments);
        m_memory.host_bytes += (bytes.master + bytes.moments) * m_plan.offload.optimizer;
        m_holding.parameters = m_rank.cost.parameters.total();
        m_holding.weights_bytes = bytes.weights;
        m_holding.gradients_bytes = bytes.gradients;
        m_holding.moments_bytes = m_memory.moments_bytes;
        m_holding.is_sharded = m_shards.dense > 1;
        m_buffers = rank_buffers(m_plan, m_layers, m_holding, m_assumed);
    }

    void activations() {
        std::array<Candidate, 3> moments;
        std::size_t count = 0;
        if (m_peak != nullptr)
            moments[count++] = executed();
        else
            count = add_by_closed_forms(moments);
        moments[count++] = {.bytes = transient_bytes(PeakMoment::optimizer, {}),
                            .moment = PeakMoment::optimizer,
                            .operation = "optimizer step"};
        const Candidate &peak =
            *std::max_element(moments.begin(), moments.begin() + static_cast<std::ptrdiff_t>(count),
                              [](const Candidate &a, const Candidate &b) { return a.total() < b.total(); });
        m_memory.peak_moment = peak.moment;
        m_memory.activations_bytes = peak.bytes.activations;
        m_memory.logits_bytes = peak.bytes.logits;
        m_memory.buffers_bytes = peak.bytes.buffers;
        m_memory.gradients_bytes -= peak.missing_gradients;
        m_memory.working = peak.working != nullptr && peak.working->bytes > 0 ? peak.working : nullptr;
        if (m_names == Names::wanted)
            m_memory.peak_operation =
                peak.working != nullptr ? std::string(peak.operation).append(peak.working->operation) : peak.operation;
    }

    /// Peak from the rank's executed order of operations.
    Candidate executed() {
        const StageCost &stage = m_costs.stages[m_peak->stage];
        const double mean = m_saved_bytes / parts();
        m_memory.parts_in_flight = mean > 0 ? m_peak->saved / mean : 0;
        m_memory.max_parts_in_flight = mean > 0 ? m_peak->max_saved / mean : 0;
        m_memory.waiting_microbatches = m_peak->waiting_microbatches;
        m_memory.host_bytes += in_flight_bytes<double>({.saved_bytes = m_peak->max_saved, .in_flight = 1}, m_assumed,
                                                       offloaded_share<double>(m_plan));
        Candidate candidate{
            .bytes = {.activations = m_peak->on_device, .logits = m_peak->logits, .buffers = m_peak->buffers},
            .missing_gradients = m_peak->missing_gradients};
        static const WorkingSet of_no_layer{.bytes = 0, .operation = "layer"};
        switch (m_peak->kind) {
        case OperationKind::forward:
            candidate.moment = stage.holds_head ? PeakMoment::loss : PeakMoment::forward;
            candidate.operation = stage.holds_head ? "loss: cross-entropy" : "forward";
            break;
        case OperationKind::weight_gradient:
            candidate.moment = PeakMoment::weight_gradient;
            candidate.operation = "weight gradient";
            break;
        default:
            candidate.operation = "backward: ";
            candidate.working = m_peak->kind == OperationKind::backward ? stage.fullest.working : stage.working;
            if (candidate.working == nullptr)
                candidate.working = &of_no_layer;
        }
        return candidate;
    }

    /// Peak from closed forms: activations of all microbatches in flight, plus the larger of the working set and the
    /// logits.
    /// @returns the number of candidates added to `moments`
    std::size_t add_by_closed_forms(std::array<Candidate, 3> &moments) {
        static const WorkingSet nothing{.bytes = 0, .operation = "layer"};
        const WorkingSet *working = m_working != nullptr && m_working->bytes > 0 ? m_working : &nothing;
        // If every forward pass precedes the first backward pass, the logits of all microbatches but one wait.
        const auto microbatches = static_cast<double>(m_plan.microbatches());
        const BasicInFlight<double> live{.saved_bytes = m_saved_bytes,
                                         .parts = parts(),
                                         .in_flight = m_in_flight,
                                         .logits_wait = m_holding.has_head
                                             && definition_of(m_plan.parallelism.schedule).forward_first,
                                         .logit_microbatches = microbatches,
                                         .working_bytes = working->bytes};
        m_memory.parts_in_flight = m_memory.max_parts_in_flight = m_in_flight;
        m_memory.waiting_microbatches = live.logits_wait ? microbatches - 1 : 0;
        m_memory.host_bytes += in_flight_bytes<double>(live, m_assumed, offloaded_share<double>(m_plan));
        moments[0] = {
            .bytes = transient_bytes(PeakMoment::backward, live), .operation = "backward: ", .working = working};
        if (!m_holding.has_head)
            return 1;
        moments[1] = {.bytes = transient_bytes(PeakMoment::loss, live),
                      .moment = PeakMoment::loss,
                      .operation = "loss: cross-entropy"};
        return 2;
    }

    BasicPeakBytes<double> transient_bytes(PeakMoment moment, const BasicInFlight<double> &live) const {
        return bytes_at<double>(moment, m_plan, m_layers, m_buffers, live, m_assumed);
    }

    /// Number of times that one microbatch passes through the rank: once per sequence slice, or once per virtual stage.
    double parts() const {
        return m_plan.cuts_sequences() ? m_plan.slices() : static_cast<double>(m_rank.stages.size());
    }

    /// If the outer state is offloaded, it is in host memory, with one fragment on the device; otherwise all of it is
    /// on the device.
    void outer() {
        if (m_plan.outer.method == OuterMethod::none || m_plan.outer.method == OuterMethod::data_parallel)
            return;
        const auto [state, fragment] = outer_bytes(m_plan, m_rank.cost.parameters.total());
        m_memory.outer_bytes = offloads_outer(m_plan) ? fragment : state + fragment;
        m_memory.host_bytes += offloads_outer(m_plan) ? state : 0;
    }

    void runtime() {
        m_memory.outside_bytes = outside_bytes(m_plan, m_layers);
        const double transient = m_memory.activations_bytes + m_memory.logits_bytes + m_memory.buffers_bytes;
        m_memory.runtime_bytes = runtime_bytes(m_plan, m_assumed, m_memory.outside_bytes, transient);
        m_memory.reserved_bytes = reserved_bytes(m_plan, m_assumed, m_memory.total_bytes(), transient);
    }

    const Plan &m_plan;
    const LayerCosts &m_layers;
    const PipelineCosts &m_costs;
    const Assumptions &m_assumed;
    const RankCost &m_rank;
    ShardGroups m_shards;
    double m_in_flight;
    double m_saved_bytes = 0; ///< saved bytes of one microbatch, summed over all stages of the rank
    BasicRankHolding<double> m_holding;
    RankBuffers m_buffers;
    const WorkingSet *m_working = nullptr;
    Names m_names;
    const RankPeak *m_peak; ///< peak from the rank's executed order; null: closed forms
    RankMemory m_memory;
};

std::vector<std::int64_t> chunks_of_ranks(const Plan &plan) {
    return in_flight({.schedule = plan.parallelism.schedule,
                      .stages = plan.parallelism.pipeline,
                      .microbatches = plan.microbatches(),
                      .chunks = plan.parallelism.chunks,
                      .group = interleaving_group(plan)});
}

/// Whether the memory of two ranks differs only in the number of microbatches in flight.
bool differ_only_in_flight(const PipelineCosts &costs, const RankCost &a, const RankCost &b) {
    if (a.stages.size() != b.stages.size() || a.cost.parameters.dense != b.cost.parameters.dense
        || a.cost.parameters.experts != b.cost.parameters.experts)
        return false;
    for (std::size_t i = 0; i < a.stages.size(); ++i) {
        const StageCost &one = costs.stages[static_cast<std::size_t>(a.stages[i])];
        const StageCost &other = costs.stages[static_cast<std::size_t>(b.stages[i])];
        if (one.cost.saved_bytes != other.cost.saved_bytes || one.holds_head != other.holds_head
            || one.working != other.working || one.sharded_unit != other.sharded_unit)
            return false;
    }
    return true;
}

} // namespace

std::vector<RankMemory> memory_of_ranks(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                                        const Assumptions &assumptions, const ExecutedOrder *order) {
    std::vector<RankMemory> ranks;
    if (order != nullptr) {
        const std::vector<StageBytes> bytes = bytes_of_stages(plan, layers, costs, assumptions);
        for (std::size_t r = 0; r < costs.ranks.size(); ++r) {
            const RankPeak peak = peak_of_rank(*order, static_cast<std::int64_t>(r), bytes);
            ranks.push_back(RankAccount(plan, layers, costs, assumptions, r, 1, Names::wanted, &peak).account());
        }
        return ranks;
    }
    const std::vector<std::int64_t> in_flight = chunks_of_ranks(plan);
    for (std::size_t r = 0; r < costs.ranks.size(); ++r)
        ranks.push_back(RankAccount(plan, layers, costs, assumptions, r, in_flight[r], Names::wanted).account());
    return ranks;
}

RankBuffers buffers_of_rank(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                            const Assumptions &assumptions, std::size_t rank) {
    return RankAccount(plan, layers, costs, assumptions, rank, 1, Names::unwanted).buffers();
}

double rank_peak_bytes(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                       const Assumptions &assumptions, std::size_t rank, std::int64_t in_flight) {
    return RankAccount(plan, layers, costs, assumptions, rank, in_flight, Names::unwanted)
        .account()
        .stage_total_bytes();
}

double peak_bytes(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                  const Assumptions &assumptions) {
    const std::vector<std::int64_t> in_flight = chunks_of_ranks(plan);
    double peak = 0;
    for (std::size_t r = 0; r < costs.ranks.size(); ++r)
        if (r == 0 || in_flight[r] > in_flight[r - 1]
            || !differ_only_in_flight(costs, costs.ranks[r], costs.ranks[r - 1]))
            peak = std::max(peak, rank_peak_bytes(plan, layers, costs, assumptions, r, in_flight[r]));
    return peak;
}

} // namespace meshwright
