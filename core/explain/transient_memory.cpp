// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/memory.h"
#include "explain/step.h"

#include "explain/quantity_names.h"
#include "memory/logit_bytes.h"
#include "memory/runtime_memory.h"

#include <fmt/format.h>

#include <algorithm>

namespace meshwright {

namespace {

/// Memory that is allocated only during parts of a step: its bytes if it is allocated at the peak, otherwise 0.
Derivation at_peak(Labelled what, bool stands, const std::string &operation, Derivation whole) {
    return product_of(
        std::move(what), fmt::format("memory peaks during: {}", operation),
        {counted({"at_peak", fmt::format("allocated at the peak ({}): 1 for yes, 0 for no", operation)}, stands ? 1 : 0,
                 "moment of the step at which the stage's memory peaks", "/parallelism/schedule"),
         std::move(whole)});
}

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

Derivation slack(const ExplainContext &context) {
    return context.constant("slack", ConstantId::activation_slack);
}

} // namespace

Derivation RankExplanation::activations_in_flight(std::string to, Derivation share, const char *title,
                                                  bool at_peak) const {
    const bool slices = m_plan.cuts_sequences();
    return by_formula(
        {std::move(to), title, bytes}, "activations-in-flight", "bytes",
        {m_context.rank_costs.held_by(m_index).saved_bytes.derivation(
             {"saved_bytes", "bytes saved for backward per microbatch by all layers of the rank", Quantity::bytes},
             "nothing is saved"),
         slices || static_cast<double>(m_rank.stages.size()) == static_cast<double>(m_plan.parallelism.chunks)
             ? plan_field({"parts", slices ? "slices per microbatch" : "chunks per microbatch", count},
                          static_cast<double>(m_plan.parallelism.chunks), "/parallelism/chunks")
             : product_of({"parts", "chunks on the rank, both directions together", count}, "definition",
                          {degree(m_context, "chunks"), copies_of_stage(m_context, "copies")}),
         m_context.result.memory.executed
             ? at_peak
                 ? executed(
                     {"in_flight", "activations in flight at the rank's memory peak, in chunks of average size", count},
                     m_memory.parts_in_flight)
                 : derived({"in_flight", "activations in flight, in chunks of average size", count},
                           m_memory.max_parts_in_flight, "max_in_flight",
                           "host memory is sized for the peak number of chunks in flight",
                           {executed({"max_in_flight", "peak activations in flight, in chunks of average size", count},
                                     m_memory.max_parts_in_flight)})
             : reference_to(fmt::format("pipeline_in_flight_{}", m_index), {"in_flight", "chunks in flight", count},
                            static_cast<double>(m_context.result.pipeline.in_flight[m_index])),
         slack(m_context), std::move(share)});
}

Derivation RankExplanation::executed(Labelled what, double value) const {
    return executed_figure(m_context, std::move(what), value, m_index);
}

Derivation RankExplanation::activations() const {
    return at_peak({name("activations_bytes"), "activations", bytes}, m_memory.peak_moment != PeakMoment::optimizer,
                   m_stage.peak_operation,
                   activations_in_flight(
                       "live",
                       derived({"on_device", "fraction of activations on the device", Quantity::share},
                               1 - m_plan.offload.activations, "1 - offloaded", "the rest is in host memory",
                               {plan_field({"offloaded", "fraction of activations in host memory", Quantity::share},
                                           m_plan.offload.activations, "/offload/activations")}),
                       "activations of the microbatches in flight", true));
}

Derivation RankExplanation::logits() const {
    const Labelled what{name("logits_bytes"), "logits", bytes};
    if (!holds_head())
        return nothing(what, "only the last stage has logits", "/parallelism/pipeline");
    const BasicLogits<Traced> of_head(m_plan, m_context.traced);
    Derivation loss = at_peak({"loss", "logits during the loss", bytes}, m_memory.peak_moment == PeakMoment::loss,
                              m_stage.peak_operation, of_head.loss_bytes().derivation({"saved", {}}, {}));
    if (m_memory.waiting_microbatches == 0)
        return sum_of(what, "definition", {std::move(loss)});
    const double waiting = m_memory.waiting_microbatches + 1;
    Derivation microbatches = m_context.microbatches();
    if (microbatches.value != waiting)
        microbatches =
            executed({"microbatches", "microbatches with logits in memory, including the running one", count}, waiting);
    return sum_of(what, "logits wait for their backward pass",
                  {std::move(loss),
                   at_peak({"waiting", "logits of waiting microbatches", bytes},
                           m_memory.peak_moment != PeakMoment::optimizer, m_stage.peak_operation,
                           of_head.waiting_bytes(Traced(std::move(microbatches))).derivation({"saved", {}}, {}))});
}

bool RankExplanation::runs_backward() const {
    return m_memory.peak_moment == PeakMoment::backward || m_memory.peak_moment == PeakMoment::weight_gradient;
}

BasicRankBuffers<Traced> RankExplanation::traced_buffers() const {
    const auto parameters = [&](const Derivation &node) { return Traced(node); };
    const BasicStateBytes<Traced> of_rank = states();
    const bool has_both_ends = std::any_of(m_rank.stages.begin(), m_rank.stages.end(), [&](std::int64_t s) {
        const StageCost &stage = m_context.costs.stages[static_cast<std::size_t>(s)];
        return stage.holds_head && stage.holds_embedding;
    });
    return rank_buffers<Traced>(
        m_plan, m_context.traced,
        {.parameters =
             parameters(reference_to(name("parameters"), {"parameters", "parameters of the rank", Quantity::parameters},
                                     m_rank.cost.parameters.total())),
         .weights_bytes = Traced(reference("weights_bytes", "resident weights", m_stage.weights_bytes)),
         .gradients_bytes = label(of_rank.gradients, {"gradients_bytes", "gradients of the rank", bytes}),
         .moments_bytes = Traced(reference("moments_bytes", "Adam states", m_stage.moments_bytes)),
         .sharded_unit = m_context.rank_costs.sharded_unit(m_index),
         .largest_chunk = largest_chunk(m_context, m_rank),
         .is_sharded = m_shards.dense > 1,
         .has_head = holds_head(),
         .has_both_ends = has_both_ends},
        m_context.assumed);
}

Derivation RankExplanation::operation_bytes() const {
    const Labelled what{"operation_bytes",
                        fmt::format("gradients and recomputed activations of {}",
                                    m_stage.peak_operation.substr(m_stage.peak_operation.find(' ') + 1)),
                        bytes};
    for (std::size_t block = 0; block < m_context.traced_kernels.blocks.size(); ++block) {
        const BlockCost &cost = m_context.layers.of_block(block);
        const BasicBlockMemory<Traced> &traced = m_context.traced_kernels.blocks[block].memory;
        if (m_memory.working == &cost.stored_working || m_memory.working == &cost.recomputed_working)
            return (m_memory.working == &cost.stored_working ? traced.stored_working : traced.recomputed_working)
                .bytes.derivation(what,
                                  "gradients of the operation's output and input, and activations recomputed for it");
    }
    return model_fact(what, 0, "the rank has no layers");
}

Derivation RankExplanation::buffers() const {
    const Labelled what{name("buffers_bytes"), "buffers", bytes};
    const BasicRankBuffers<Traced> all = traced_buffers();
    std::vector<Derivation> inputs;
    const auto add = [&](const char *to, const char *title, const Traced &held) {
        if (held.value() > 0)
            inputs.push_back(held.derivation({to, title, bytes}, {}));
    };
    if (m_memory.peak_moment == PeakMoment::optimizer) {
        add("bucket", "bucket of updated weights", all.bucket);
        add("temporaries", "temporaries of an unfused optimizer step", all.update_temporaries);
        return inputs.empty() ? nothing(what, "the optimizer step is fused and optimizer states are not sharded",
                                        "/parallelism/zero_stage")
                              : sum_of(what, "buffers in memory during the optimizer step", std::move(inputs));
    }
    add("gathered", "gathered weights of two layers", all.gathered_weights);
    if (runs_backward()) {
        add("unreduced", "gradients before reduction", all.unreduced_gradients);
        add("head_gradient", "gradient of the tied LM head before accumulation", all.waiting_gradient);
    }
    add("received", "tensors received from neighboring stages", all.received);
    add("gathered_input", "activations gathered by tensor parallelism", all.gathered_input);
    if (m_memory.peak_moment == PeakMoment::loss)
        add("head_gradient", "gradient of the LM head before accumulation", all.head_gradient);
    if (m_memory.peak_moment == PeakMoment::backward)
        inputs.push_back(
            by_formula({"working", "working memory during the backward pass of one operation", bytes},
                       "activations-in-flight", "working_bytes",
                       {operation_bytes(), slices_of<Traced>(m_plan).derivation({"parts", {}}, {}), slack(m_context)}));
    return inputs.empty() ? nothing(what, "nothing is gathered, reduced or received", "/parallelism")
                          : sum_of(what, "buffers in memory at the peak", std::move(inputs));
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
