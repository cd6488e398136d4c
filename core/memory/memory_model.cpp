// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/memory_model.h"

#include "formulas/memory.h"
#include "formulas/rank_memory.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace meshwright {

namespace {

double moment_bytes(const Plan &plan) {
    const double one = bytes_of(plan.precision.moments);
    switch (plan.optimizer.kind) {
    case OptimizerKind::adamw:
        return 2 * one;
    case OptimizerKind::adam_8bit:
        return 2 * (1 + 4.0 / 2048); // one FP32 scale a block of 2,048
    case OptimizerKind::muon:
        return one;
    case OptimizerKind::sgd:
        return plan.optimizer.momentum > 0 ? one : 0;
    case OptimizerKind::adafactor:
        break;
    }
    return 0;
}

/// Bytes of dense and of expert parameters that a rank keeps of a state, sharded or not.
double kept(const RankParameters &parameters, const ShardGroups &shards, double stage, double from, double bytes) {
    return formula::sharded_state_bytes(parameters.dense, shards.dense, stage, from, bytes)
        + formula::sharded_state_bytes(parameters.experts, shards.experts, stage, from, bytes);
}

/// What a rank keeps of each state, wherever it lies.
StateBytes rank_state_bytes(const Plan &plan, const RankParameters &parameters) {
    const StateBytes bytes = state_bytes(plan);
    const ShardGroups shards = shard_groups_of(plan);
    const auto stage = static_cast<double>(plan.parallelism.zero_stage);
    // The optimizer updates a stage once, whichever end microbatches come from: its copies share the states.
    const double copies = stage_copies(plan);
    const ShardGroups updating{.dense = shards.dense * copies, .experts = shards.experts * copies};
    return {.weights = kept(parameters, shards, stage, 3, bytes.weights),
            .gradients = kept(parameters, shards, stage, 2, bytes.gradients),
            .master = kept(parameters, updating, stage, 1, bytes.master),
            .moments = kept(parameters, updating, stage, 1, bytes.moments)};
}

struct Candidate {
    double activations = 0;
    double logits = 0;
    double buffers = 0;
    const char *operation = "";
    const WorkingSet *working = nullptr; ///< whose operation's name follows; null: none
    double total() const { return activations + logits + buffers; }
};

/// Whether the operation at which memory stands highest is asked for by name.
enum class Names { wanted, unwanted };

/// Finds the highest point of a rank's step among the moments at which it can stand.
class RankAccount {
public:
    RankAccount(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs, const Assumptions &assumed,
                std::size_t rank, std::int64_t in_flight, Names names)
        : m_plan(plan)
        , m_layers(layers)
        , m_costs(costs)
        , m_assumed(assumed)
        , m_rank(costs.ranks[rank])
        , m_in_flight(static_cast<double>(in_flight))
        , m_names(names) { }

    RankMemory account() {
        states();
        activations();
        outer();
        runtime();
        return m_memory;
    }

    RankBuffers buffers() {
        states();
        return {.gathered_weights = gathered_weights(),
                .unreduced_gradients = unreduced_gradients(),
                .communication = communication_buffers(),
                .bucket = bucket()};
    }

private:
    void states() {
        const StateBytes bytes = rank_state_bytes(m_plan, m_rank.cost.parameters);
        const double device = 1 - m_plan.offload.optimizer;
        m_memory.weights_bytes = bytes.weights;
        m_memory.gradients_bytes = bytes.gradients;
        m_memory.master_bytes = bytes.master * device;
        m_memory.moments_bytes = bytes.moments * device;
        m_memory.host_bytes += (bytes.master + bytes.moments) * m_plan.offload.optimizer;
        m_gathered_weight_bytes =
            std::min(2.0, bytes_of(m_plan.precision.compute) < 2 ? 2.0 : bytes_of(m_plan.precision.weights));
    }

    /// What fragmentation costs the allocator at least, as a share of what comes and goes in a step.
    double least_reserve() const {
        return std::min(m_plan.stack.allocator_reserve_factor - 1, m_assumed[ConstantId::least_allocator_reserve]);
    }

    /// Parameters of the largest layer, where they are shared out from a stage of ZeRO on.
    double sharded_layer(std::int64_t from) const {
        double largest = 0;
        if (m_plan.parallelism.zero_stage >= from && shard_groups_of(m_plan).dense > 1)
            for (const std::int64_t s : m_rank.stages)
                largest = std::max(largest, m_costs.stages[static_cast<std::size_t>(s)].largest_layer_parameters);
        return largest;
    }

    /// Weights gathered for two layers (the one that runs and the next) and gradients of one layer before they are
    /// reduced. With their fragmentation they never cost more than sharding saves: a framework would not shard then.
    double gathered_weights() const {
        const double largest = sharded_layer(3);
        return largest > 0
            ? formula::gathered_weights_bytes(largest, m_gathered_weight_bytes, m_rank.cost.parameters.total(),
                                              m_memory.weights_bytes, least_reserve())
            : 0;
    }

    double unreduced_gradients() const {
        const double largest = sharded_layer(2);
        return largest > 0 ? formula::unreduced_gradients_bytes(largest, bytes_of(m_plan.precision.gradients),
                                                                m_rank.cost.parameters.total(),
                                                                m_memory.gradients_bytes, least_reserve())
                           : 0;
    }

    /// ZeRO-1 and 2 gather updated weights in buckets.
    double bucket() const {
        return m_plan.parallelism.zero_stage >= 1 && shard_groups_of(m_plan).dense > 1
            ? formula::bucket_bytes(m_rank.cost.parameters.total(), m_assumed[ConstantId::data_bucket_elements],
                                    bytes_of(m_plan.precision.gradients))
            : 0;
    }

    /// Receive buffers of neighbouring stages and what tensor parallelism gathers before a multiply.
    double communication_buffers() const {
        const RankShape &shape = m_layers.shape();
        const double hidden = hidden_state_bytes(shape, m_plan.model);
        const double received =
            m_plan.parallelism.pipeline > 1 ? formula::received_bytes(hidden, shape.sequence_ways) : 0;
        const double gathered = m_plan.parallelism.sequence_parallel && shape.tensor > 1 ? hidden : 0;
        return received + gathered;
    }

    void activations() {
        const double on_device = 1 - m_plan.offload.activations;
        const double slack = m_assumed[ConstantId::activation_slack];
        double saved = 0; // of one microbatch through all chunks
        static const WorkingSet nothing{.bytes = 0, .operation = "layer"};
        const WorkingSet *working = &nothing;
        bool has_head = false;
        for (const std::int64_t s : m_rank.stages) {
            const StageCost &stage = m_costs.stages[static_cast<std::size_t>(s)];
            saved += stage.cost.saved_bytes;
            has_head = has_head || stage.holds_head;
            if (stage.working != nullptr && stage.working->bytes > working->bytes)
                working = stage.working;
        }
        const double parts = m_plan.parallelism.schedule == Schedule::seq1f1b
            ? static_cast<double>(m_plan.parallelism.chunks)
            : static_cast<double>(m_rank.stages.size());
        const double held = formula::held_activation_bytes(saved, parts, m_in_flight, slack, on_device);
        m_memory.host_bytes +=
            formula::held_activation_bytes(saved, parts, m_in_flight, slack, m_plan.offload.activations);
        const double sharding = gathered_weights() + unreduced_gradients();
        const double base = sharding + communication_buffers();
        const double waiting = has_head ? waiting_logits_bytes() : 0;
        std::array<Candidate, 3> moments;
        std::size_t count = 0;
        moments[count++] = {.activations = held,
                            .logits = waiting,
                            .buffers = base + formula::working_set_bytes(working->bytes, slice_parts(), slack),
                            .operation = "backward: ",
                            .working = working};
        if (has_head)
            moments[count++] = {.activations = held,
                                .logits = waiting
                                    + formula::loss_logits_bytes(m_layers.logits_elements(), slice_parts(),
                                                                 m_plan.stack.logits_kept_bytes,
                                                                 static_cast<double>(m_plan.model.mtp_layers)),
                                .buffers = base,
                                .operation = "loss: cross-entropy"};
        // The optimizer runs when activations are gone.
        moments[count++] = {.buffers = sharding + bucket(), .operation = "optimizer step"};
        const Candidate &peak =
            *std::max_element(moments.begin(), moments.begin() + static_cast<std::ptrdiff_t>(count),
                              [](const Candidate &a, const Candidate &b) { return a.total() < b.total(); });
        m_memory.activations_bytes = peak.activations;
        m_memory.logits_bytes = peak.logits;
        m_memory.buffers_bytes = peak.buffers;
        if (m_names == Names::wanted)
            m_memory.peak_operation =
                peak.working != nullptr ? peak.operation + peak.working->operation : peak.operation;
    }

    /// Logits of microbatches whose backward pass has not begun, all but their gradient: where every forward pass comes
    /// before the first backward pass, of all but one.
    double waiting_logits_bytes() const {
        const Schedule schedule = m_plan.parallelism.schedule;
        if (schedule != Schedule::gpipe && schedule != Schedule::looped_bfs)
            return 0;
        return formula::waiting_logits_bytes(m_layers.logits_elements(), m_plan.stack.logits_kept_bytes,
                                             static_cast<double>(m_plan.microbatches()));
    }

    double slice_parts() const {
        return m_plan.parallelism.schedule == Schedule::seq1f1b ? static_cast<double>(m_plan.parallelism.chunks) : 1;
    }

    /// FP32 outer parameters and momentum, FP32 error feedback: in host memory where it is allowed, with one fragment's
    /// values on their way; else on the device.
    void outer() {
        const Outer &outer = m_plan.outer;
        if (outer.method == OuterMethod::none || outer.method == OuterMethod::data_parallel)
            return;
        const double parameters =
            formula::outer_share_of_rank(m_rank.cost.parameters.total(), static_cast<double>(m_plan.parallelism.data));
        const double state = formula::outer_state_bytes(parameters, outer.error_feedback ? 1 : 0);
        const double fragment =
            formula::outer_fragment_bytes(parameters, static_cast<double>(std::max<std::int64_t>(1, outer.fragments)));
        const bool to_host = m_plan.offload.outer && m_plan.cluster.accelerator.host_memory_bytes > 0;
        m_memory.outer_bytes = to_host ? fragment : state + fragment;
        m_memory.host_bytes += to_host ? state : 0;
    }

    void runtime() {
        const Parallelism &parallelism = m_plan.parallelism;
        const Stack &stack = m_plan.stack;
        double groups = 0;
        for (const std::int64_t members :
             {parallelism.tensor, parallelism.context, parallelism.pipeline, parallelism.data, parallelism.expert})
            groups += members > 1 ? 1 : 0;
        // Fragmentation costs an allocator a little even where it gives cached blocks back; left to itself its pool
        // grows further, up to the capacity, which is what a driver shows and not what a plan needs.
        const double transient = m_memory.activations_bytes + m_memory.logits_bytes + m_memory.buffers_bytes;
        const double pool = (stack.allocator_reserve_factor - 1) * transient;
        const double least = least_reserve() * transient;
        m_memory.runtime_bytes =
            formula::runtime_bytes(stack.context_bytes, groups, stack.communicator_bytes, least_reserve(), transient);
        const double needed = m_memory.total_bytes();
        m_memory.reserved_bytes =
            std::max(needed, std::min(needed - least + pool, m_plan.cluster.accelerator.memory_bytes));
    }

    const Plan &m_plan;
    const LayerCosts &m_layers;
    const PipelineCosts &m_costs;
    const Assumptions &m_assumed;
    const RankCost &m_rank;
    double m_in_flight;
    Names m_names;
    double m_gathered_weight_bytes = 2;
    RankMemory m_memory;
};

std::vector<std::int64_t> chunks_held(const Plan &plan) {
    return in_flight({.schedule = plan.parallelism.schedule,
                      .stages = plan.parallelism.pipeline,
                      .microbatches = plan.microbatches(),
                      .chunks = plan.parallelism.chunks,
                      .group = plan.parallelism.group.value_or(plan.parallelism.pipeline)});
}

/// Whether two ranks differ in nothing that memory depends on but what is in flight.
bool hold_alike(const PipelineCosts &costs, const RankCost &a, const RankCost &b) {
    if (a.stages.size() != b.stages.size() || a.cost.parameters.dense != b.cost.parameters.dense
        || a.cost.parameters.experts != b.cost.parameters.experts)
        return false;
    for (std::size_t i = 0; i < a.stages.size(); ++i) {
        const StageCost &one = costs.stages[static_cast<std::size_t>(a.stages[i])];
        const StageCost &other = costs.stages[static_cast<std::size_t>(b.stages[i])];
        if (one.cost.saved_bytes != other.cost.saved_bytes || one.holds_head != other.holds_head
            || one.working != other.working || one.largest_layer_parameters != other.largest_layer_parameters)
            return false;
    }
    return true;
}

} // namespace

StateBytes state_bytes(const Plan &plan) {
    const Precision &precision = plan.precision;
    StateBytes bytes{.weights = bytes_of(precision.weights),
                     .gradients = bytes_of(precision.gradients),
                     .master = bytes_of(precision.master),
                     .moments = moment_bytes(plan)};
    const double accumulated = bytes.gradients;
    if (plan.stack.gradients_beside_accumulators && accumulated > bytes.weights)
        bytes.gradients += bytes.weights;
    // The update works in FP32: it copies the shard of accumulators that are not.
    if (accumulated < 4 && bytes.master > 0)
        bytes.master += plan.stack.update_bytes_per_parameter;
    // FSDP keeps the master copy as its sharded weights and casts what it gathers.
    if (!plan.stack.weights_beside_master && precision.master != DataType::none && plan.parallelism.zero_stage >= 3)
        bytes.weights = 0;
    return bytes;
}

std::vector<RankMemory> memory_of_ranks(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                                        const Assumptions &assumptions) {
    const std::vector<std::int64_t> held = chunks_held(plan);
    std::vector<RankMemory> ranks;
    for (std::size_t r = 0; r < costs.ranks.size(); ++r)
        ranks.push_back(RankAccount(plan, layers, costs, assumptions, r, held[r], Names::wanted).account());
    return ranks;
}

RankBuffers rank_buffers(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                         const Assumptions &assumptions, std::size_t rank) {
    return RankAccount(plan, layers, costs, assumptions, rank, 1, Names::unwanted).buffers();
}

double device_state_bytes(const Plan &plan, const RankParameters &parameters) {
    const StateBytes bytes = rank_state_bytes(plan, parameters);
    return bytes.weights + bytes.gradients + (bytes.master + bytes.moments) * (1 - plan.offload.optimizer);
}

double rank_peak_bytes(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                       const Assumptions &assumptions, std::size_t rank, std::int64_t in_flight) {
    return RankAccount(plan, layers, costs, assumptions, rank, in_flight, Names::unwanted)
        .account()
        .stage_total_bytes();
}

double peak_bytes(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                  const Assumptions &assumptions) {
    const std::vector<std::int64_t> held = chunks_held(plan);
    double peak = 0;
    for (std::size_t r = 0; r < costs.ranks.size(); ++r)
        if (r == 0 || held[r] > held[r - 1] || !hold_alike(costs, costs.ranks[r], costs.ranks[r - 1]))
            peak = std::max(peak, rank_peak_bytes(plan, layers, costs, assumptions, r, held[r]));
    return peak;
}

} // namespace meshwright
