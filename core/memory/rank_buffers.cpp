// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/rank_buffers.h"

#include "formulas/preset_property.h"
#include "formulas/rank_memory.h"
#include "memory/runtime_memory.h"

#include <algorithm>

namespace meshwright {

namespace {

using std::max;

template <Number N>
N format_of(DataType type, std::string_view name, std::string_view title, std::string_view field) {
    return read<N>(bytes_of(type), {Origin::plan, name, title, Quantity::bytes, field});
}

template <Number N>
class Buffers {
public:
    Buffers(const Plan &plan, const BasicLayerCosts<N> &layers, const BasicRankHolding<N> &holding,
            const Assumptions &assumptions)
        : m_plan(plan)
        , m_layers(layers)
        , m_holding(holding)
        , m_assumed(assumptions)
        , m_reserve(allocator_reserve<N>(plan, assumptions))
        , m_gradient_bytes(format_of<N>(plan.precision.gradients, "gradient_bytes", "bytes per gradient",
                                        "/precision/gradients")) { }

    BasicRankBuffers<N> all() const {
        BasicRankBuffers<N> of{.gathered_weights = gathered_weights(),
                               .unreduced_gradients = unreduced_gradients(),
                               .head_gradient = head_gradient(),
                               .bucket = bucket(),
                               .update_temporaries = update_temporaries()};
        // A tied weight on a rank with both LM head and embedding gets a single gradient, once both uses have
        // contributed.
        if (m_holding.has_both_ends && m_plan.model.tied_embeddings)
            of.waiting_gradient = of.head_gradient;
        const BasicRankShape<N> &shape = m_layers.shape();
        const N hidden = hidden_state_bytes(shape, m_plan.model);
        if (m_plan.parallelism.pipeline > 1)
            of.received = formula::received_bytes(hidden, shape.sequence_ways);
        if (m_plan.parallelism.sequence_parallel && value_of(shape.tensor) > 1)
            of.gathered_input = hidden;
        return of;
    }

private:
    bool shards_from(std::int64_t stage) const {
        return m_plan.parallelism.zero_stage >= stage && m_holding.is_sharded && value_of(m_holding.sharded_unit) > 0;
    }

    /// Weights are gathered for two layers, the current and the next one; unreduced gradients exist for one layer. Some
    /// stacks shard by weight instead of by layer. Each buffer, including fragmentation, is capped at the memory that
    /// sharding saves; otherwise sharding would have no benefit.
    N gathered_weights() const {
        if (!shards_from(3))
            return 0;
        const N each =
            label(formula::gathered_weight_bytes(
                      format_of<N>(m_plan.precision.compute, "compute_bytes", "bytes per value of the compute format",
                                   "/precision/compute"),
                      format_of<N>(m_plan.precision.weights, "format_bytes", "bytes per weight", "/precision/weights")),
                  {"weight_bytes", "bytes per gathered weight", Quantity::bytes});
        return formula::gathered_weights_bytes(m_holding.sharded_unit, each, m_holding.parameters,
                                               m_holding.weights_bytes, m_reserve);
    }

    /// The gradients of one chunk instead of one layer if they are reduced only after several consecutive microbatches.
    N unreduced_gradients() const {
        if (!shards_from(2))
            return 0;
        const bool by_layer = m_plan.parallelism.zero_stage > 2 || microbatches_a_reduction(m_plan) == 1;
        const N &unreduced = by_layer || m_holding.sharded_unit > m_holding.largest_chunk ? m_holding.sharded_unit
                                                                                          : m_holding.largest_chunk;
        return formula::unreduced_gradients_bytes(unreduced, m_gradient_bytes, m_holding.parameters,
                                                  m_holding.gradients_bytes, m_reserve);
    }

    /// ZeRO-1 and ZeRO-2 gather updated weights in buckets.
    N bucket() const {
        return m_plan.parallelism.zero_stage >= 1 && m_holding.is_sharded ? formula::bucket_bytes(
                   m_holding.parameters,
                   constant<N>(ConstantId::data_bucket_elements, m_assumed[ConstantId::data_bucket_elements]),
                   m_gradient_bytes)
                                                                          : N(0);
    }

    N update_temporaries() const {
        if (m_plan.stack.fuses_elementwise)
            return 0;
        return formula::update_temporaries_bytes(
            m_holding.moments_bytes,
            published_number<N>(m_plan.optimizer.kind == OptimizerKind::adamw ? 2 : 1, "moments",
                                "moments per parameter", Quantity::number,
                                "two for AdamW (arXiv 1711.05101): momentum and variance; one for other optimizers"));
    }

    /// Gradient of the LM head, the largest weight. It is computed in the weight format while the loss gradient exists,
    /// and then added to the accumulators.
    N head_gradient() const {
        const double made = bytes_of(m_plan.precision.weights);
        if (!m_holding.has_head || bytes_of(m_plan.precision.gradients) <= made || m_plan.parallelism.zero_stage >= 2
            || m_plan.stack.gradients_beside_accumulators)
            return 0;
        return formula::head_gradient_bytes(
            model_property<N>("vocabulary", "vocabulary size", m_plan.model.vocabulary),
            model_property<N>("hidden", "hidden size", m_plan.model.hidden), m_layers.shape().tensor,
            format_of<N>(m_plan.precision.weights, "made_bytes", "bytes per gradient before accumulation",
                         "/precision/weights"));
    }

    const Plan &m_plan;
    const BasicLayerCosts<N> &m_layers;
    const BasicRankHolding<N> &m_holding;
    const Assumptions &m_assumed;
    N m_reserve;
    N m_gradient_bytes;
};

} // namespace

template <Number N>
BasicRankBuffers<N> rank_buffers(const Plan &plan, const BasicLayerCosts<N> &layers, const BasicRankHolding<N> &holding,
                                 const Assumptions &assumptions) {
    return Buffers<N>(plan, layers, holding, assumptions).all();
}
template RankBuffers rank_buffers(const Plan &, const LayerCosts &, const BasicRankHolding<double> &,
                                  const Assumptions &);
template BasicRankBuffers<Traced> rank_buffers(const Plan &, const BasicLayerCosts<Traced> &,
                                               const BasicRankHolding<Traced> &, const Assumptions &);

template <Number N>
BasicOuterBytes<N> outer_bytes(const Plan &plan, const N &parameters) {
    const Outer &outer = plan.outer;
    const N own = label(formula::outer_share_of_rank(parameters,
                                                     read<N>(static_cast<double>(plan.parallelism.data),
                                                             {Origin::plan, "data", "data-parallel ranks",
                                                              Quantity::count, "/parallelism/data"})),
                        {"parameters", "parameters with outer state on the rank", Quantity::parameters});
    return {.state = formula::outer_state_bytes(
                own,
                read<N>(outer.error_feedback ? 1 : 0,
                        {Origin::plan, "error_feedback", "1 with error feedback, otherwise 0", Quantity::number,
                         "/outer/error_feedback"})),
            .fragment = formula::outer_fragment_bytes(
                own,
                read<N>(static_cast<double>(max<std::int64_t>(1, outer.fragments)),
                        {Origin::plan, "fragments", "fragments of the model", Quantity::count, "/outer/fragments"}))};
}
template BasicOuterBytes<double> outer_bytes(const Plan &, const double &);
template BasicOuterBytes<Traced> outer_bytes(const Plan &, const Traced &);

bool offloads_outer(const Plan &plan) {
    return plan.offload.outer && plan.cluster.accelerator.host_memory_bytes > 0;
}

} // namespace meshwright
