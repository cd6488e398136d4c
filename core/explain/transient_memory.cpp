// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/layers.h"
#include "explain/layout.h"
#include "explain/memory.h"
#include "explain/shapes.h"

#include "explain/quantity_names.h"

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

/// Parameters of the largest layer on the rank or, if the stack shards by weight, of its largest weight. ZeRO gathers
/// or reduces this many parameters at a time.
Derivation largest_unit(const ExplainContext &context, const RankCost &rank) {
    const Labelled what{"layer_parameters",
                        context.plan.stack.shards_by_weight ? "parameters of the largest weight on the rank"
                                                            : "parameters of the largest layer on the rank",
                        Quantity::parameters};
    std::vector<Derivation> kinds;
    std::string formula;
    double largest = 0;
    for (const CarriedLayers &layers : layers_of_rank(context, rank.stages)) {
        const std::string name = name_of_layers(context, layers);
        kinds.push_back(whole_unit(context, layers.block, name));
        formula += (formula.empty() ? "max(" : ", ") + name;
        largest = std::max(largest, kinds.back().value);
    }
    return kinds.empty() ? model_fact(what, 0, "the rank has no layers")
                         : derived(what, largest, formula + ")", "maximum over layers", std::move(kinds));
}

/// Parameters of the largest chunk, which are reduced at once if each chunk runs several microbatches in sequence.
Derivation largest_chunk(const ExplainContext &context, const RankCost &rank) {
    std::vector<Derivation> chunks;
    std::string formula;
    double largest = 0;
    for (const std::int64_t s : rank.stages) {
        const RankCost chunk{.stages = {s}, .cost = context.costs.stages[static_cast<std::size_t>(s)].cost};
        const double parameters = chunk.cost.parameters.total();
        const std::string name = fmt::format("stage_{}", s);
        chunks.push_back(sum_of(
            {name, fmt::format("parameters of virtual stage {}", s), Quantity::parameters},
            "dense parameters plus routed experts",
            {rank_parameters_of(context, chunk, "dense", false), rank_parameters_of(context, chunk, "experts", true)}));
        formula += (formula.empty() ? "max(" : ", ") + name;
        largest = std::max(largest, parameters);
    }
    return derived({"unreduced", "parameters of the largest chunk on the rank", Quantity::parameters}, largest,
                   formula + ")", "gradients are reduced when the rank switches to another chunk", std::move(chunks));
}

Derivation communicators(const ExplainContext &context) {
    std::vector<Derivation> degrees;
    std::string formula;
    double dimensions = 0;
    for (const char *which : {"tensor", "context", "pipeline", "data", "expert"}) {
        degrees.push_back(degree(context, which));
        formula += fmt::format("{}({} > 1)", formula.empty() ? "" : " + ", which);
        dimensions += degrees.back().value > 1 ? 1 : 0;
    }
    return by_formula({"communicators", "communicators: one per parallel dimension, and one for all ranks", count},
                      "memory-outside", "communicators",
                      {derived({"dimensions", "parallel dimensions with more than one member", count}, dimensions,
                               std::move(formula), "dimensions that communicate", std::move(degrees))});
}

Derivation peers_of_all_to_all(const ExplainContext &context) {
    const Labelled what{"peers", "all-to-all peers of a rank in its node", count};
    const PlannedGroup expert = planned_group(context, RankSet::expert);
    if (expert.ranks.members <= 1)
        return nothing(what, "every rank has every expert", "/parallelism/expert");
    return derived(what, peers_in_node(context.plan, context.layers), "min(inside, node) - 1",
                   "a rank sends to all others of its group",
                   {members_in_tier(context, expert, 0, "inside"),
                    plan_field({"node", "accelerators per node", count},
                               static_cast<double>(context.plan.cluster.accelerators_per_node),
                               "/cluster/accelerators_per_node")});
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
        {saved_bytes_of(m_context, m_rank, "saved_bytes"),
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
    const RankShape &shape = m_context.layers.shape();
    const auto elements = [&] {
        return by_formula(
            {"logits", "logits of a microbatch on the rank"}, "logits-of-a-rank", "elements",
            {microbatch_tokens(m_context, "tokens"),
             shape_fact("vocabulary", "vocabulary size", m_plan.model.vocabulary),
             m_plan.stack.gathers_logits
                 ? software_fact({"tensor", "vocabulary shards of the logits", count}, shape.logits_ways,
                                 "this stack gathers logits on every rank")
                 : plan_field({"tensor", "tensor-parallel ranks", count}, shape.tensor, "/parallelism/tensor")});
    };
    Derivation loss = at_peak(
        {"loss", "logits during the loss", bytes}, m_memory.peak_moment == PeakMoment::loss, m_stage.peak_operation,
        by_formula({"saved", "logits in memory during the loss", bytes}, "logits-of-a-rank", "bytes",
                   {elements(), slices(), bytes_per_logit("bytes_per_logit"),
                    shape_fact("prediction_modules", "MTP modules", m_plan.model.mtp_layers)}));
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
                           by_formula({"saved", "bytes of the waiting logits without their gradients", bytes},
                                      "logits-of-a-rank", "waiting_bytes",
                                      {elements(), slices(), bytes_per_logit("bytes_per_logit"),
                                       wide_element_bytes(m_context, "activation_bytes"), std::move(microbatches)}))});
}

Derivation RankExplanation::bytes_per_logit(std::string to) const {
    const RankShape &shape = m_context.layers.shape();
    const char *title = "bytes per logit during the loss";
    const auto loss_bytes = [&](std::string name, const char *what) {
        return m_context.stack_fact({std::move(name), what, bytes}, m_plan.stack.logits_kept_bytes,
                                    "logits_kept_bytes");
    };
    const bool parallel = shape.logits_ways > 1 && m_plan.stack.parallel_loss_bytes > 0;
    if (shape.activation_bytes == 2 && !parallel)
        return loss_bytes(std::move(to), title);
    std::vector<Derivation> inputs{loss_bytes("loss_bytes", "bytes per logit with 16-bit activations")};
    if (parallel)
        inputs.push_back(
            m_context.stack_fact({"parallel_bytes", "additional bytes per logit if the vocabulary is split", bytes},
                                 m_plan.stack.parallel_loss_bytes, "parallel_loss_bytes"));
    inputs.push_back(wide_element_bytes(m_context, "activation_bytes"));
    return by_formula({std::move(to), title, bytes}, "logits-of-a-rank", "each_bytes", std::move(inputs));
}

Derivation RankExplanation::reserve() const {
    Derivation pool = m_context.stack_fact({"pool", "allocator pool relative to allocated memory"},
                                           m_plan.stack.allocator_reserve_factor, "allocator_reserve_factor");
    Derivation least = m_context.constant("least", ConstantId::min_allocator_reserve);
    const double value = std::min(pool.value - 1, least.value);
    return derived({"reserve", "minimum fragmentation as a fraction of activations and buffers", Quantity::share},
                   value, "min(pool - 1, least)", "the allocator releases cached memory before it runs out",
                   {std::move(pool), std::move(least)});
}

bool RankExplanation::runs_backward() const {
    return m_memory.peak_moment == PeakMoment::backward || m_memory.peak_moment == PeakMoment::weight_gradient;
}

Derivation RankExplanation::sharding_buffers() const {
    const double stage = static_cast<double>(m_plan.parallelism.zero_stage);
    const auto layer = [&] { return largest_unit(m_context, m_rank); };
    const auto all = [&] {
        return reference_to(name("parameters"), {"parameters", "parameters of the rank", Quantity::parameters},
                            m_rank.cost.parameters.total());
    };
    std::vector<Derivation> inputs;
    if (stage >= 3 && m_shards.dense > 1)
        inputs.push_back(by_formula(
            {"gathered", "gathered weights of two layers", bytes}, "rank-buffers", "gathered_bytes",
            {layer(),
             by_formula({"weight_bytes", "bytes per gathered weight", bytes}, "element-bytes", "gathered_bytes",
                        {format_bytes({"compute_bytes", "bytes per value of the compute format", bytes},
                                      m_plan.precision.compute, "/precision/compute"),
                         format_bytes({"format_bytes", "bytes per weight", bytes}, m_plan.precision.weights,
                                      "/precision/weights")}),
             all(), reference("weights_bytes", "resident weights", m_stage.weights_bytes), reserve()}));
    if (stage >= 2 && m_shards.dense > 1 && runs_backward())
        inputs.push_back(by_formula(
            {"unreduced", "gradients before reduction", bytes}, "rank-buffers", "unreduced_bytes",
            {stage == 2 && microbatches_a_reduction(m_plan) > 1 ? largest_chunk(m_context, m_rank)
                                                                : named("unreduced", layer()),
             format_bytes({"gradient_bytes", "bytes per gradient", bytes}, m_plan.precision.gradients,
                          "/precision/gradients"),
             all(), reference("gradients_bytes", "resident gradients", m_stage.gradients_bytes), reserve()}));
    const Labelled what{"sharding", "buffers of gathered weights and unreduced gradients", bytes};
    return inputs.empty() ? nothing(what, "nothing is gathered or reduced layer by layer", "/parallelism/zero_stage")
                          : sum_of(what, "prefetching one layer ahead", std::move(inputs));
}

Derivation RankExplanation::head_gradient() const {
    return by_formula({"head_gradient", "gradient of the LM head before accumulation", bytes}, "rank-buffers",
                      "head_gradient_bytes",
                      {shape_fact("vocabulary", "vocabulary size", m_plan.model.vocabulary),
                       shape_fact("hidden", "hidden size", m_plan.model.hidden), degree(m_context, "tensor"),
                       format_bytes({"made_bytes", "bytes per gradient before accumulation", bytes},
                                    m_plan.precision.weights, "/precision/weights")});
}

Derivation RankExplanation::communication_buffers() const {
    const RankShape &shape = m_context.layers.shape();
    std::vector<Derivation> inputs;
    if (m_plan.parallelism.pipeline > 1)
        inputs.push_back(by_formula(
            {"received", "tensors received from neighboring stages", bytes}, "rank-buffers", "received_bytes",
            {hidden_bytes(m_context, "hidden_bytes"), sequence_ways(m_context, "sequence_ways")}));
    if (m_plan.parallelism.sequence_parallel && shape.tensor > 1)
        inputs.push_back(hidden_bytes(m_context, "gathered_input"));
    const Labelled what{"communication", "buffers of received and gathered tensors", bytes};
    return inputs.empty() ? nothing(what, "nothing is received or gathered", "/parallelism/pipeline")
                          : sum_of(what, "received and gathered tensors", std::move(inputs));
}

Derivation RankExplanation::bucket() const {
    return by_formula({"bucket", "bucket of updated weights", bytes}, "rank-buffers", "bucket_bytes",
                      {reference_to(name("parameters"), {"parameters", "parameters of the rank", Quantity::parameters},
                                    m_rank.cost.parameters.total()),
                       m_context.constant("bucket_elements", ConstantId::data_bucket_elements),
                       format_bytes({"gradient_bytes", "bytes per gradient", bytes}, m_plan.precision.gradients,
                                    "/precision/gradients")});
}

Derivation RankExplanation::temporaries() const {
    const double moments = m_plan.optimizer.kind == OptimizerKind::adamw ? 2 : 1;
    return by_formula({"temporaries", "temporaries of an unfused optimizer step", bytes}, "rank-buffers",
                      "update_bytes",
                      {reference("moments_bytes", "Adam states", m_stage.moments_bytes),
                       published({"moments", "moments per parameter"}, moments,
                                 "two for AdamW (arXiv 1711.05101): momentum and variance; one for other optimizers")});
}

Derivation RankExplanation::operation_bytes() const {
    const Labelled what{"operation_bytes",
                        fmt::format("gradients and recomputed activations of {}",
                                    m_stage.peak_operation.substr(m_stage.peak_operation.find(' ') + 1)),
                        bytes};
    for (std::size_t block = 0; block < m_context.traced_layers.size(); ++block) {
        const BlockCost &cost = m_context.layers.of_block(block);
        const BasicBlockMemory<Traced> &traced = m_context.traced_layers[block].memory;
        if (m_memory.working == &cost.stored_working || m_memory.working == &cost.recomputed_working)
            return (m_memory.working == &cost.stored_working ? traced.stored_working : traced.recomputed_working)
                .bytes.derivation(what,
                                  "gradients of the operation's output and input, and activations recomputed for it");
    }
    return model_fact(what, 0, "the rank has no layers");
}

Derivation RankExplanation::buffers() const {
    const Labelled what{name("buffers_bytes"), "buffers", bytes};
    std::vector<Derivation> inputs;
    if (m_memory.peak_moment == PeakMoment::optimizer) {
        if (m_plan.parallelism.zero_stage >= 1 && m_shards.dense > 1)
            inputs.push_back(bucket());
        if (!m_plan.stack.fuses_elementwise)
            inputs.push_back(temporaries());
        return inputs.empty() ? nothing(what, "the optimizer step is fused and optimizer states are not sharded",
                                        "/parallelism/zero_stage")
                              : sum_of(what, "buffers in memory during the optimizer step", std::move(inputs));
    }
    inputs.push_back(sharding_buffers());
    inputs.push_back(communication_buffers());
    const RankBuffers whole = rank_buffers(m_plan, m_context.layers, m_context.costs, m_context.assumed, m_index);
    if (runs_backward() ? whole.waiting_gradient > 0
                        : m_memory.peak_moment == PeakMoment::loss && whole.head_gradient > 0)
        inputs.push_back(head_gradient());
    if (m_memory.peak_moment == PeakMoment::backward)
        inputs.push_back(by_formula({"working", "working memory during the backward pass of one operation", bytes},
                                    "activations-in-flight", "working_bytes",
                                    {operation_bytes(), slices(), slack(m_context)}));
    return sum_of(what, "buffers in memory at the peak", std::move(inputs));
}

Derivation RankExplanation::outer_parameters() const {
    return by_formula(
        {"parameters", "parameters with outer state on the rank", Quantity::parameters}, "outer-memory", "share",
        {reference_to(name("parameters"), {"rank_parameters", "parameters of the rank", Quantity::parameters},
                      m_rank.cost.parameters.total()),
         plan_field({"data", "data-parallel ranks", count}, static_cast<double>(m_plan.parallelism.data),
                    "/parallelism/data")});
}

Derivation RankExplanation::outer() const {
    const Outer &plan = m_plan.outer;
    const Labelled what{name("outer_bytes"), "outer state", bytes};
    if (plan.method == OuterMethod::none || plan.method == OuterMethod::data_parallel)
        return nothing(what, "no outer loop", "/outer/method");
    std::vector<Derivation> inputs;
    if (!m_plan.offload.outer || m_plan.cluster.accelerator.host_memory_bytes <= 0)
        inputs.push_back(by_formula({"state", "outer parameters, momentum and error feedback", bytes}, "outer-memory",
                                    "state_bytes",
                                    {outer_parameters(),
                                     plan_field({"error_feedback", "1 with error feedback, otherwise 0"},
                                                plan.error_feedback ? 1 : 0, "/outer/error_feedback")}));
    inputs.push_back(
        by_formula({"fragment", "bytes of one fragment in transfer", bytes}, "outer-memory", "fragment_bytes",
                   {outer_parameters(),
                    plan_field({"fragments", "fragments of the model", count},
                               static_cast<double>(std::max<std::int64_t>(1, plan.fragments)), "/outer/fragments")}));
    return sum_of(what, "outer state on the device; the rest is in host memory", std::move(inputs));
}

Derivation explain_outside_allocator(const ExplainContext &context, std::string to) {
    const Stack &stack = context.plan.stack;
    return by_formula({std::move(to), "memory outside the allocator", bytes}, "memory-outside", "bytes",
                      {context.stack_fact({"context_bytes", "context of the driver and libraries", bytes},
                                          stack.context_bytes, "context_bytes"),
                       communicators(context),
                       context.stack_fact({"communicator_bytes", "bytes of buffers per communicator", bytes},
                                          stack.communicator_bytes, "communicator_bytes"),
                       peers_of_all_to_all(context),
                       context.stack_fact({"peer_bytes", "bytes of all-to-all buffers per peer", bytes},
                                          stack.peer_bytes, "peer_bytes")});
}

Derivation RankExplanation::runtime() const {
    return by_formula({name("runtime_bytes"), "CUDA context and NCCL buffers", bytes}, "runtime-memory", "bytes",
                      {reference_to("memory_outside_bytes", {"outside_bytes", "memory outside the allocator", bytes},
                                    m_context.result.memory.outside_bytes),
                       m_context.accelerator_fact({"workspace_bytes", "workspace of GEMM libraries", bytes},
                                                  m_plan.cluster.accelerator.workspace_bytes, "workspace_bytes"),
                       reserve(), transient()});
}

Derivation RankExplanation::transient() const {
    return sum_of({"transient_bytes", "transient memory of the step", bytes}, "definition",
                  {reference("activations_bytes", "activations", m_stage.activations_bytes),
                   reference("logits_bytes", "logits", m_stage.logits_bytes),
                   reference("buffers_bytes", "buffers", m_stage.buffers_bytes)});
}

Derivation RankExplanation::reserved(std::string to) const {
    Derivation pool = m_context.stack_fact({"pool", "allocator pool relative to allocated memory"},
                                           m_plan.stack.allocator_reserve_factor, "allocator_reserve_factor");
    Derivation capacity =
        reference_to("memory_capacity_bytes", {"capacity", "memory capacity of the accelerator", bytes},
                     m_context.result.memory.capacity_bytes);
    return derived(
        {std::move(to), "memory in use as the driver reports it, after the allocator's pool has grown", bytes},
        m_context.result.memory.reserved_bytes,
        "max(needed, min(needed + (pool - 1 - reserve) * transient_bytes, capacity))",
        "the pool grows at most to the capacity; the allocator then releases cached memory",
        {named("needed", reference("total_bytes", "memory that the stage needs", m_stage.total_bytes)), std::move(pool),
         reserve(), transient(), std::move(capacity)});
}

} // namespace meshwright
