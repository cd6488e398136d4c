// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/logit_bytes.h"

#include "formulas/preset_property.h"
#include "formulas/rank_memory.h"

namespace meshwright {

namespace {

/// Bytes per logit during the loss.
template <Number N>
N bytes_per_logit(const Stack &stack, const BasicRankShape<N> &shape) {
    const N parallel = shape.logits_ways > 1
        ? stack_property<N>(stack, "parallel_loss_bytes", "parallel_bytes",
                            "additional bytes per logit if the vocabulary is split", stack.parallel_loss_bytes,
                            Quantity::bytes)
        : N(0);
    const N loss =
        stack_property<N>(stack, "logits_kept_bytes", "loss_bytes", "bytes per logit with 16-bit activations",
                          stack.logits_kept_bytes, Quantity::bytes);
    return label(formula::one_logit_bytes(loss, parallel, shape.activation_bytes),
                 {"bytes_per_logit", "bytes per logit during the loss", Quantity::bytes});
}

} // namespace

template <Number N>
BasicLogitBytes<N>::BasicLogitBytes(const Plan &plan, const BasicLayerCosts<N> &layers)
    : m_elements(label(layers.logits_elements(), {"logits", "logits of a microbatch on the rank", Quantity::count}))
    , m_parts(slices_of<N>(plan))
    , m_each(bytes_per_logit(plan.stack, layers.shape()))
    , m_activation_bytes(layers.shape().activation_bytes)
    , m_prediction_modules(model_property<N>("prediction_modules", "MTP modules", plan.model.mtp_layers)) { }

template <Number N>
N BasicLogitBytes<N>::loss_bytes() const {
    return label(formula::loss_logits_bytes(m_elements, m_parts, m_each, m_prediction_modules),
                 {"loss", "logits in memory during the loss", Quantity::bytes});
}

template <Number N>
N BasicLogitBytes<N>::waiting_bytes(const N &microbatches) const {
    return label(formula::waiting_logits_bytes(m_elements, m_parts, m_each, m_activation_bytes, microbatches),
                 {"waiting", "logits that wait for their backward pass", Quantity::bytes});
}

template class BasicLogitBytes<double>;
template class BasicLogitBytes<Traced>;

} // namespace meshwright
