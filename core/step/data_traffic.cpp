// SPDX-License-Identifier: GPL-3.0-or-later
#include "step/data_traffic.h"

#include "formulas/offload.h"
#include "formulas/preset_property.h"
#include "formulas/rank_memory.h"
#include "formulas/step_terms.h"

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

using std::ceil;
using std::max;
using std::min;

constexpr Quantity time = Quantity::seconds;

template <Number N>
N share_of_stack(const Plan &plan, const char *field, std::string_view title, double value) {
    return stack_property<N>(plan.stack, field, "exposed_share", title, value, Quantity::share);
}

template <Number N>
N gradient_format(const Plan &plan, std::string_view name) {
    return read<N>(bytes_of(plan.precision.gradients),
                   {Origin::plan, name, "bytes per gradient", Quantity::bytes, "/precision/gradients"});
}

template <Number N>
N weight_bytes_sent(const Plan &plan) {
    return label(formula::sent_weight_bytes(read<N>(bytes_of(plan.precision.weights),
                                                    {Origin::plan, "format_bytes", "bytes per weight in its format",
                                                     Quantity::bytes, "/precision/weights"})),
                 {"weight_bytes", "bytes per weight as sent", Quantity::bytes});
}

} // namespace

template <Number N>
BasicDataTraffic<N>::BasicDataTraffic(const Plan &plan, const BasicLayerCosts<N> &layers,
                                      const BasicDataRings<N> &rings, const BasicDataLoad<N> &load,
                                      const Assumptions &assumptions)
    : m_plan(plan)
    , m_layers(layers)
    , m_rings(rings)
    , m_load(load)
    , m_window_share(constant<N>(ConstantId::gradient_window_share, assumptions[ConstantId::gradient_window_share]))
    , m_microbatches(microbatches_of<N>(plan))
    , m_gradient_bytes(gradient_format<N>(plan, "gradient_bytes"))
    , m_weight_bytes(weight_bytes_sent<N>(plan)) { }

template <Number N>
N BasicDataTraffic<N>::exposed_seconds() const {
    if (m_plan.parallelism.zero_stage >= 3)
        return fully_sharded();
    return m_plan.parallelism.zero_stage == 2 ? sharded_gradients() : once_a_step();
}

template <Number N>
RankCollectives BasicDataTraffic<N>::collectives() const requires std::same_as<N, double> {
    RankCollectives of;
    const int stage = static_cast<int>(m_plan.parallelism.zero_stage);
    if (stage >= 3) {
        if (keeps_gathered_weights(m_plan)) {
            of.gather_seconds = gather(m_weight_bytes);
            of.gather_exposed_seconds = gathered_first();
            of.reduce_seconds = reduce_scatter(m_gradient_bytes);
            of.reduce_exposed_seconds = fully_sharded() - of.gather_exposed_seconds;
            return of;
        }
        of.forward_seconds = gather(m_weight_bytes);
        const double reduce = reduce_scatter(m_gradient_bytes);
        if (adds_gradients_up(m_plan)) {
            of.backward_seconds = of.forward_seconds;
            of.reduce_seconds = reduce;
            of.reduce_exposed_seconds = reduced_last();
        } else {
            of.backward_seconds = of.forward_seconds + reduce;
        }
        of.passes_exposed_seconds = fully_sharded() - of.reduce_exposed_seconds;
        return of;
    }
    const double reduce = stage == 0 ? all_reduce(m_gradient_bytes) : reduce_scatter(m_gradient_bytes);
    if (stage == 2) {
        of.backward_seconds = reduce;
        of.microbatches_a_reduction = microbatches_a_reduction(m_plan);
        of.passes_exposed_seconds = reductions() * exposed_reduction(reduce, reduction_window());
    } else {
        of.reduce_seconds = reduce;
        of.reduce_exposed_seconds = exposed_reduction(reduce, window(m_load.backward_seconds));
    }
    of.gather_seconds = stage == 0 ? 0 : gather_updated();
    of.gather_exposed_seconds = exposed_gather(of.gather_seconds);
    return of;
}

/// Time to gather or scatter weights among the ranks that shard them.
template <Number N>
N BasicDataTraffic<N>::gather(const N &bytes_per_parameter) const {
    return label(label(gather(m_rings.dense, m_load.parameters.dense * bytes_per_parameter),
                       {"dense", "time of the collectives for dense weights", time})
                     + label(gather(m_rings.experts, m_load.parameters.experts * bytes_per_parameter),
                             {"experts", "time of the collectives for routed experts", time}),
                 {"traffic_seconds", "time to gather all weights", time, "the collectives run one after another"});
}

template <Number N>
N BasicDataTraffic<N>::gather(const Ring &ring, const N &bytes) const {
    const N all = label(bytes, {"bytes", "bytes of all of the rank's parameters", Quantity::bytes});
    return m_layers.network().ring_gather_seconds(ring, all, pieces(all));
}

/// Time to gather updated weights among the ranks that shard their optimizer states.
template <Number N>
N BasicDataTraffic<N>::gather_updated() const {
    if (!m_plan.stack.gathers_weights_at_once)
        return gather(m_weight_bytes);
    const N once = read<N>(1,
                           {Origin::software, "pieces", "number of collectives", Quantity::count, "/stack",
                            "this stack gathers updated weights in one collective"});
    const auto at_once = [&](const Ring &ring, const N &parameters, const Label &as) {
        return label(m_layers.network().ring_gather_seconds(ring, parameters * m_weight_bytes, once), as);
    };
    return label(
        at_once(m_rings.dense, m_load.parameters.dense, {"dense", "time of the collective for dense weights", time})
            + at_once(m_rings.experts, m_load.parameters.experts,
                      {"experts", "time of the collective for routed experts", time}),
        {"traffic_seconds", "time to gather all weights", time, "the collectives run one after another"});
}

/// Time of a reduce-scatter of gradients and, with hybrid sharding, of an all-reduce of each shard across its replicas.
template <Number N>
N BasicDataTraffic<N>::reduce_scatter(const N &bytes_per_parameter) const {
    const auto copies = [&](const BasicGroup<N> &group, const N &parameters, const N &shards, const Label &as) {
        return label(reduce_copies(group, parameters * bytes_per_parameter, shards), as);
    };
    return label(gather(bytes_per_parameter)
                     + copies(m_rings.dense_copies, m_load.parameters.dense, m_rings.dense_shards,
                              {"dense_copies", "time of the all-reduce over replicas of a shard", time})
                     + copies(m_rings.expert_copies, m_load.parameters.experts, m_rings.expert_shards,
                              {"experts_copies", "time of the all-reduce over replicas of a shard", time}),
                 {"traffic_seconds", "time to reduce all gradients", time, "the collectives run one after another"});
}

/// Number of collectives that send the bytes: one per bucket.
template <Number N>
N BasicDataTraffic<N>::pieces(const N &bytes) const {
    const N bucket = stack_property<N>(m_plan.stack, "bucket_bytes", "bucket", "bucket size", m_plan.stack.bucket_bytes,
                                       Quantity::bytes);
    return label(
        max(N(1), N(ceil(bytes / bucket))),
        {"pieces", "number of collectives, one per bucket", Quantity::count, "gradients are reduced bucket by bucket"});
}

template <Number N>
N BasicDataTraffic<N>::reduce_copies(const BasicGroup<N> &copies, const N &bytes, const N &shards) const {
    const N shard =
        label(bytes / shards, {"bytes", "bytes of one shard", Quantity::bytes, "each rank holds one shard"});
    return m_layers.network().all_reduce_seconds(copies, shard, pieces(shard));
}

template <Number N>
N BasicDataTraffic<N>::all_reduce(const N &bytes_per_parameter) const {
    const BasicGroups<N> &groups = m_layers.groups();
    const auto reduced = [&](const BasicGroup<N> &group, const N &parameters, const Label &as) {
        const N bytes = label(parameters * bytes_per_parameter,
                              {"bytes", "bytes of all of the rank's parameters", Quantity::bytes});
        return label(m_layers.network().all_reduce_seconds(group, bytes, pieces(bytes)), as);
    };
    return label(reduced(groups.data, m_load.parameters.dense, {"dense", "all-reduce of dense gradients", time})
                     + reduced(groups.expert_data, m_load.parameters.experts,
                               {"experts", "all-reduce of the routed experts' gradients", time}),
                 {"traffic_seconds", "time to reduce all gradients", time, "the collectives run one after another"});
}

/// Exposed time of communication that starts during the last backward pass: the part that exceeds the overlap window,
/// but at least a fixed fraction of the total.
template <Number N>
N BasicDataTraffic<N>::exposed(const N &traffic, const N &window) const {
    return m_plan.stack.data_overlap ? formula::exposed_beyond_window(
               traffic, window,
               share_of_stack<N>(m_plan, "data_exposed_share", "fraction of the communication that is always exposed",
                                 m_plan.stack.data_exposed_share))
                                     : traffic;
}

/// Exposed time of gradient reduction; the whole time if the stack does not overlap the reduce-scatter.
template <Number N>
N BasicDataTraffic<N>::exposed_reduction(const N &traffic, const N &window) const {
    return label(m_plan.parallelism.zero_stage == 0 || m_plan.stack.overlaps_gradient_scatter ? exposed(traffic, window)
                                                                                              : traffic,
                 {"reduce", "exposed time of reducing gradients", time});
}

/// Exposed time of gathering updated weights; the whole time if the optimizer step waits for them.
template <Number N>
N BasicDataTraffic<N>::exposed_gather(const N &traffic) const {
    return label(m_plan.stack.overlaps_weight_gather ? exposed(traffic, window(m_load.forward_seconds)) : traffic,
                 {"gather", "exposed time of gathering updated weights", time});
}

/// Compute that overlaps with communication: backward passes with gradient reduction, forward passes with weight
/// gathering. Without chunks, this is a fixed fraction of one microbatch's pass; with chunks, half of the passes of a
/// round of microbatches.
template <Number N>
N BasicDataTraffic<N>::window(const N &pass_seconds) const {
    const Label as{"window_seconds", "compute time that can overlap with the communication", time};
    if (m_plan.layer_chunks() > 1)
        return label(formula::chunk_window_seconds(pass_seconds, m_microbatches,
                                                   read<N>(static_cast<double>(m_plan.parallelism.pipeline),
                                                           {Origin::plan, "stages", "pipeline stages", Quantity::count,
                                                            "/parallelism/pipeline"})),
                     as);
    return label(formula::pass_window_seconds(pass_seconds, m_window_share), as);
}

template <Number N>
N BasicDataTraffic<N>::once_a_step() const {
    const N backward = window(m_load.backward_seconds);
    if (m_plan.parallelism.zero_stage == 0)
        return exposed(all_reduce(m_gradient_bytes), backward);
    return exposed_reduction(reduce_scatter(m_gradient_bytes), backward) + exposed_update_gather();
}

/// Exposed time with ZeRO-2. Gradients are reduced several times per step, because each rank stores only a shard of
/// them.
template <Number N>
N BasicDataTraffic<N>::sharded_gradients() const {
    return formula::repeated_seconds(
        reductions(), exposed_reduction(reduce_scatter(m_gradient_bytes), reduction_window()), exposed_update_gather());
}

template <Number N>
N BasicDataTraffic<N>::reductions() const {
    const std::int64_t in_a_row = microbatches_a_reduction(m_plan);
    if constexpr (std::same_as<N, double>)
        return formula::reductions_a_step(m_microbatches, static_cast<double>(in_a_row));
    else {
        if (in_a_row == 1)
            return m_microbatches;
        if (adds_gradients_up(m_plan) || definition_of(m_plan.parallelism.schedule).forward_first)
            return formula::reductions_a_step(m_microbatches, m_microbatches);
        const bool is_set = m_plan.parallelism.group.has_value();
        const N round = read<N>(static_cast<double>(m_plan.parallelism.group.value_or(m_plan.parallelism.pipeline)),
                                {Origin::plan, "round", is_set ? "interleaving group" : "pipeline stages",
                                 Quantity::count, is_set ? "/parallelism/group" : "/parallelism/pipeline"});
        return formula::reductions_a_step(m_microbatches,
                                          label(min(round, m_microbatches),
                                                {"in_a_row", "microbatches per gradient reduction", Quantity::count,
                                                 "microbatches of one interleaving group"}));
    }
}

/// The reduction for one microbatch overlaps with its own backward pass and with half of the next forward pass; weight
/// gathering may use the other half. The reduction for a round of microbatches overlaps with the next chunk's passes.
template <Number N>
N BasicDataTraffic<N>::reduction_window() const {
    const N once = window(m_load.backward_seconds);
    return reduces_every_microbatch()
        ? label(formula::reduction_window_seconds(m_load.backward_seconds, m_load.forward_seconds, once),
                {"window_seconds", "compute time that can overlap with the communication", time})
        : once;
}

/// ZeRO-3 gathers weights for the forward and the backward pass of every microbatch, layer by layer with prefetching.
/// The first layer's gathering and a fraction of the smaller of communication and compute are exposed. Gradients are
/// reduced during every backward pass, or only during the last. With a pipeline, a stack may gather and reduce only
/// once per step.
template <Number N>
N BasicDataTraffic<N>::fully_sharded() const {
    if (keeps_gathered_weights(m_plan))
        return gathered_first() + reduced_alone();
    const N gathered = gather(m_weight_bytes);
    const N weights = m_load.parameters.total() * m_weight_bytes;
    const bool at_once = adds_gradients_up(m_plan);
    const N backward =
        label(at_once ? exposed_behind(m_load.backward_seconds, gathered, weights) : backward_with_gradients(),
              {"backward_pass", "exposed in the backward pass", time});
    const N forward = label(exposed_behind(m_load.forward_seconds, gathered, weights),
                            {"forward_pass", "exposed in the forward pass", time});
    return formula::repeated_seconds(
        m_microbatches, label(forward + backward, {"each_seconds", "exposed communication per microbatch", time}),
        at_once ? reduced_last() : N(0));
}

/// Exposed time of gathering weights once per step, during the first forward pass.
template <Number N>
N BasicDataTraffic<N>::gathered_first() const {
    return label(
        exposed_behind(m_load.forward_seconds, gather(m_weight_bytes), m_load.parameters.total() * m_weight_bytes),
        {"gather", "exposed time of gathering all weights", time});
}

/// Exposed time of reducing gradients during a backward pass that gathers no weights.
template <Number N>
N BasicDataTraffic<N>::reduced_alone() const {
    return label(exposed_behind(m_load.backward_seconds, reduce_scatter(m_gradient_bytes),
                                m_load.parameters.total() * m_gradient_bytes),
                 {"reduce", "exposed time of reducing all gradients", time});
}

/// Exposed time that gradient reduction adds to the last backward pass.
template <Number N>
N BasicDataTraffic<N>::reduced_last() const {
    return label(label(backward_with_gradients(), {"with", "exposed in a backward pass with gradient reduction", time})
                     - label(exposed_behind(m_load.backward_seconds, gather(m_weight_bytes),
                                            m_load.parameters.total() * m_weight_bytes),
                             {"without", "exposed in a backward pass without it", time}),
                 {"once_seconds", "exposed communication that occurs once per step", time,
                  "this stack reduces gradients only in the last microbatch's backward pass"});
}

template <Number N>
N BasicDataTraffic<N>::backward_with_gradients() const {
    return exposed_behind(
        m_load.backward_seconds,
        label(
            label(gather(m_weight_bytes), {"weights", "time to gather all weights", time})
                + label(reduce_scatter(m_gradient_bytes), {"gradients", "time to reduce all gradients", time}),
            {"traffic_seconds", "time to gather weights and reduce gradients", time, "both run in the backward pass"}),
        m_load.parameters.total() * (m_weight_bytes + m_gradient_bytes));
}

template <Number N>
N BasicDataTraffic<N>::exposed_behind(const N &pass, const N &traffic, const N &bytes) const {
    const N layers = label(max(N(1),
                               model_property<N>("layers_of_model", "layers of the model", m_plan.model.layer_count())
                                   / pipeline_degree<N>(m_plan)),
                           {"layers", "layers per stage", Quantity::count});
    return formula::sharded_pass_seconds(
        pass, traffic, layers,
        share_of_stack<N>(m_plan, "sharded_exposed_share",
                          "exposed communication as a fraction of the shorter of compute and communication",
                          m_plan.stack.sharded_exposed_share),
        label(formula::busy_links_seconds(traffic, label(bytes, {"bytes", "bytes carried", Quantity::bytes}),
                                          m_layers.network().link_bandwidth()),
              {"busy_seconds", "time for which the communication occupies intra-node links", time}));
}

template class BasicDataTraffic<double>;
// Not the class as a whole, because Clang would also instantiate the member that exists only for double.
template BasicDataTraffic<Traced>::BasicDataTraffic(const Plan &, const BasicLayerCosts<Traced> &,
                                                    const BasicDataRings<Traced> &, const BasicDataLoad<Traced> &,
                                                    const Assumptions &);
template Traced BasicDataTraffic<Traced>::exposed_seconds() const;

template <Number N>
BasicDataRings<N> data_rings(const Plan &plan, const BasicLayerCosts<N> &layers) {
    using formula::floor;
    if (plan.parallelism.zero_stage == 0)
        return {};
    const BasicGroups<N> &groups = layers.groups();
    const BasicShardGroups<N> shards = shard_groups_of(plan, groups);
    const auto ring = [&](const BasicGroup<N> &group, const N &members) {
        return layers.network().ring_of(group_of<N>(members, group.apart()));
    };
    const auto copies = [](const BasicGroup<N> &group, const N &members) {
        return group_of<N>(label(floor(group.count() / members),
                                 {"members", "replicas of a shard", Quantity::count, "hybrid sharding"}),
                           label(group.apart() * members,
                                 {"stride", "rank stride between replicas of a shard", Quantity::count,
                                  "each replica spans one sharding group"}));
    };
    return {.dense = ring(groups.data, shards.dense),
            .experts = ring(groups.expert_data, shards.experts),
            .dense_copies = copies(groups.data, shards.dense),
            .expert_copies = copies(groups.expert_data, shards.experts),
            .dense_shards = shards.dense,
            .expert_shards = shards.experts};
}
template DataRings data_rings(const Plan &, const LayerCosts &);
template BasicDataRings<Traced> data_rings(const Plan &, const BasicLayerCosts<Traced> &);

template <Number N>
N optimizer_seconds(const Plan &plan, const BasicLayerCosts<N> &layers, const BasicDataRings<N> &rings, const N &copies,
                    const BasicRankParameters<N> &parameters, const Assumptions &assumptions) {
    const N updated = label(plan.parallelism.zero_stage >= 1 ? formula::updated_parameters(
                                parameters.dense, parameters.experts, rings.dense_shards, rings.expert_shards, copies)
                                                             : parameters.total(),
                            {"parameters", "parameters that the rank updates", Quantity::parameters,
                             "every rank updates all of its parameters"});
    const N each =
        constant<N>(ConstantId::optimizer_bytes_per_parameter, assumptions[ConstantId::optimizer_bytes_per_parameter]);
    const N offloaded = read<N>(plan.offload.optimizer,
                                {Origin::plan, "offloaded", "fraction of optimizer states in host memory",
                                 Quantity::share, "/offload/optimizer"});
    const bool splits = plan.offload.optimizer > 0;
    const N on_device = formula::optimizer_seconds(
        splits ? label(updated * (1 - offloaded),
                       {"parameters", "parameters updated on the accelerator", Quantity::parameters})
               : updated,
        each, layers.device().memory_bytes_per_second(), layers.device().kernel_gap_seconds(),
        stack_property<N>(plan.stack, "step_seconds", "software_seconds", "software overhead per step",
                          plan.stack.step_seconds, time),
        layers.step_sums_seconds());
    if (!splits)
        return on_device;
    return label(on_device, {"own", "update time on the accelerator", time})
        + label(formula::host_update_seconds(
                    label(updated * offloaded, {"parameters", "parameters updated on the host", Quantity::parameters}),
                    each, gradient_format<N>(plan, "gradient_bytes"), weight_bytes_sent<N>(plan),
                    layers.host_link_rate(), layers.host_update_rate()),
                {"on_host", "time of the optimizer step on the host", time});
}
template double optimizer_seconds(const Plan &, const LayerCosts &, const DataRings &, const double &,
                                  const RankParameters &, const Assumptions &);
template Traced optimizer_seconds(const Plan &, const BasicLayerCosts<Traced> &, const BasicDataRings<Traced> &,
                                  const Traced &, const BasicRankParameters<Traced> &, const Assumptions &);

} // namespace meshwright
