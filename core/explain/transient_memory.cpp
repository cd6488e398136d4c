// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/memory.h"
#include "explain/step.h"

#include "explain/quantity_names.h"
#include "memory/runtime_memory.h"

#include <fmt/format.h>

#include <algorithm>

namespace meshwright {

namespace {

/// Parameters of the largest chunk, which are reduced at once if each chunk runs several microbatches in sequence.
Traced largest_chunk(const ExplainContext &context, const RankCost &rank) {
    Traced largest = 0;
    for (const std::int64_t s : rank.stages) {
        const Traced parameters = label(context.rank_costs.parameters_of_stage(s),
                                        {fmt::format("stage_{}", s), fmt::format("parameters of virtual stage {}", s),
                                         Quantity::parameters, "dense parameters plus routed experts"});
        largest = largest.is_plain() ? parameters : max(largest, parameters);
    }
    return label(largest,
                 {"unreduced", "parameters of the largest chunk on the rank", Quantity::parameters,
                  "gradients are reduced when the rank switches to another chunk"});
}

} // namespace

Traced RankExplanation::parts() const {
    const auto chunks = static_cast<double>(m_plan.parallelism.chunks);
    if (m_plan.cuts_sequences())
        return slices_of<Traced>(m_plan);
    if (static_cast<double>(m_rank.stages.size()) == chunks)
        return Traced(plan_field({"parts", "chunks per microbatch", count}, chunks, "/parallelism/chunks"));
    return label(Traced(plan_field({"chunks", "chunks per direction", count}, chunks, "/parallelism/chunks"))
                     * stage_copies<Traced>(m_plan),
                 {"parts", "chunks on the rank, both directions together", count});
}

Traced RankExplanation::in_flight(bool at_peak) const {
    if (!m_context.result.memory.executed)
        return Traced(reference_to(fmt::format("pipeline_in_flight_{}", m_index),
                                   {"in_flight", "chunks in flight", count},
                                   static_cast<double>(m_context.result.pipeline.in_flight[m_index])));
    if (at_peak)
        return Traced(
            executed({"in_flight", "activations in flight at the rank's memory peak, in chunks of average size", count},
                     m_memory.parts_in_flight));
    return Traced(derived({"in_flight", "activations in flight, in chunks of average size", count},
                          m_memory.max_parts_in_flight, "max_in_flight",
                          "host memory is sized for the peak number of chunks in flight",
                          {executed({"max_in_flight", "peak activations in flight, in chunks of average size", count},
                                    m_memory.max_parts_in_flight)}));
}

BasicInFlight<Traced> RankExplanation::live(bool at_peak) const {
    const bool logits_wait = m_memory.waiting_microbatches > 0;
    const double with_logits = m_memory.waiting_microbatches + 1;
    Traced microbatches = 0;
    if (logits_wait)
        microbatches = static_cast<double>(m_plan.microbatches()) == with_logits
            ? microbatches_of<Traced>(m_plan)
            : Traced(executed({"microbatches", "microbatches with logits in memory, including the running one", count},
                              with_logits));
    return {.saved_bytes = m_context.rank_costs.held_by(m_index).saved_bytes,
            .parts = parts(),
            .in_flight = in_flight(at_peak),
            .logits_wait = logits_wait,
            .logit_microbatches = std::move(microbatches),
            .working_bytes = operation_bytes()};
}

Derivation RankExplanation::executed(Labelled what, double value) const {
    return executed_figure(m_context, std::move(what), value, m_index);
}

std::vector<Derivation> RankExplanation::transient_kinds() const {
    const BasicPeakBytes<Traced> peak =
        bytes_at(m_memory.peak_moment, m_plan, m_context.traced, traced_buffers(), live(true), m_context.assumed);
    const std::string when = fmt::format("memory peaks during: {}", m_stage.peak_operation);
    const auto kind = [&](const char *key, const char *title, const Traced &held) {
        const Labelled what{name(key), title, bytes};
        return held.value() == 0 ? nothing(what, when, "/parallelism/schedule") : held.derivation(what, when);
    };
    return {kind("activations_bytes", "activations", peak.activations), kind("logits_bytes", "logits", peak.logits),
            kind("buffers_bytes", "buffers", peak.buffers)};
}

BasicRankBuffers<Traced> RankExplanation::traced_buffers() const {
    const BasicStateBytes<Traced> of_rank = states();
    const bool has_both_ends = std::any_of(m_rank.stages.begin(), m_rank.stages.end(), [&](std::int64_t s) {
        const StageCost &stage = m_context.costs.stages[static_cast<std::size_t>(s)];
        return stage.holds_head && stage.holds_embedding;
    });
    return rank_buffers<Traced>(
        m_plan, m_context.traced,
        {.parameters =
             Traced(reference_to(name("parameters"), {"parameters", "parameters of the rank", Quantity::parameters},
                                 m_rank.cost.parameters.total())),
         .weights_bytes = Traced(reference("weights_bytes", "resident weights", m_stage.weights_bytes)),
         .gradients_bytes = label(of_rank.gradients, {"gradients_bytes", "gradients of the rank", bytes}),
         .moments_bytes = Traced(reference("moments_bytes", "Adam states", m_stage.moments_bytes)),
         .sharded_unit = m_context.rank_costs.sharded_unit(m_index),
         .largest_chunk = largest_chunk(m_context, m_rank),
         .is_sharded = m_shards.dense.value() > 1,
         .has_head = holds_head(),
         .has_both_ends = has_both_ends},
        m_context.assumed);
}

Traced RankExplanation::operation_bytes() const {
    for (std::size_t block = 0; block < m_context.traced_kernels.blocks.size(); ++block) {
        const BlockCost &cost = m_context.layers.of_block(block);
        const BasicBlockMemory<Traced> &traced = m_context.traced_kernels.blocks[block].memory;
        if (m_memory.working == &cost.stored_working || m_memory.working == &cost.recomputed_working)
            return label(
                (m_memory.working == &cost.stored_working ? traced.stored_working : traced.recomputed_working).bytes,
                {"operation_bytes",
                 fmt::format("gradients and recomputed activations of {}",
                             m_stage.peak_operation.substr(m_stage.peak_operation.find(' ') + 1)),
                 bytes, "gradients of the operation's output and input, and activations recomputed for it"});
    }
    return 0;
}

BasicOuterBytes<Traced> RankExplanation::outer_state() const {
    return outer_bytes(
        m_plan,
        Traced(reference_to(name("parameters"), {"rank_parameters", "parameters of the rank", Quantity::parameters},
                            m_rank.cost.parameters.total())));
}

Derivation RankExplanation::outer() const {
    const Labelled what{name("outer_bytes"), "outer state", bytes};
    if (m_plan.outer.method == OuterMethod::none || m_plan.outer.method == OuterMethod::data_parallel)
        return nothing(what, "no outer loop", "/outer/method");
    const auto [state, fragment] = outer_state();
    std::vector<Derivation> inputs;
    if (!offloads_outer(m_plan))
        inputs.push_back(state.derivation({"state", "outer parameters, momentum and error feedback", bytes}, {}));
    inputs.push_back(fragment.derivation({"fragment", "bytes of one fragment in transfer", bytes}, {}));
    return sum_of(what, "outer state on the device; the rest is in host memory", std::move(inputs));
}

Derivation explain_outside_allocator(const ExplainContext &context, std::string to) {
    return outside_bytes(context.plan, context.traced)
        .derivation({std::move(to), "memory outside the allocator", bytes}, {});
}

Derivation RankExplanation::runtime() const {
    return runtime_bytes(
               m_plan, m_context.assumed,
               Traced(reference_to("memory_outside_bytes", {"outside_bytes", "memory outside the allocator", bytes},
                                   m_context.result.memory.outside_bytes)),
               transient())
        .derivation({name("runtime_bytes"), "CUDA context and NCCL buffers", bytes}, {});
}

Traced RankExplanation::transient() const {
    return Traced(sum_of({"transient_bytes", "transient memory of the step", bytes}, "definition",
                         {reference("activations_bytes", "activations", m_stage.activations_bytes),
                          reference("logits_bytes", "logits", m_stage.logits_bytes),
                          reference("buffers_bytes", "buffers", m_stage.buffers_bytes)}));
}

Derivation RankExplanation::reserved(std::string to) const {
    return reserved_bytes(
               m_plan, m_context.assumed,
               Traced(named("needed", reference("total_bytes", "memory that the stage needs", m_stage.total_bytes))),
               transient())
        .derivation(
            {std::move(to), "memory in use as the driver reports it, after the allocator's pool has grown", bytes},
            "the pool grows at most to the capacity; the allocator then releases cached memory");
}

} // namespace meshwright
