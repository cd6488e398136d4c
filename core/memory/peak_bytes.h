// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/rank_memory.h"
#include "memory/logit_bytes.h"
#include "memory/rank_buffers.h"

namespace meshwright {

/// The part of a step in which a rank's memory peaks.
enum class PeakMoment { forward, loss, backward, weight_gradient, optimizer };

/// Activations that a rank holds at one moment of a step.
template <Number N>
struct BasicInFlight {
    N saved_bytes = 0; ///< saved for backward per microbatch, by all stages of the rank
    N parts = 1; ///< chunks of the rank, or slices of a microbatch
    N in_flight = 0; ///< number of chunks (or slices), each of average size
    bool logits_wait = false; ///< whether logits of microbatches wait for their backward pass
    N logit_microbatches = 0; ///< microbatches with logits in memory, including the running one
    N working_bytes = 0; ///< working set of the running operation for one microbatch
};

/// Memory that is allocated only during parts of a step.
template <Number N>
struct BasicPeakBytes {
    N activations = 0;
    N logits = 0;
    N buffers = 0;
};

template <Number N>
N activation_slack(const Assumptions &assumptions) {
    return constant<N>(ConstantId::activation_slack, assumptions[ConstantId::activation_slack]);
}

/// Bytes of the chunks in flight. @param share  fraction of the activations in this memory
template <Number N>
N in_flight_bytes(const BasicInFlight<N> &live, const Assumptions &assumptions, const N &share) {
    return formula::in_flight_activation_bytes(live.saved_bytes, live.parts, live.in_flight,
                                               activation_slack<N>(assumptions), share);
}

/// Fraction of the activations in host memory.
template <Number N>
N offloaded_share(const Plan &plan) {
    return read<N>(
        plan.offload.activations,
        {Origin::plan, "offloaded", "fraction of activations in host memory", Quantity::share, "/offload/activations"});
}

/// Transient memory of a rank at a moment of the step. Inline, because searches call it for every configuration.
template <Number N>
BasicPeakBytes<N> bytes_at(PeakMoment moment, const Plan &plan, const BasicLayerCosts<N> &layers,
                           const BasicRankBuffers<N> &buffers, const BasicInFlight<N> &live,
                           const Assumptions &assumptions) {
    const auto part = [](const N &value, std::string_view name, std::string_view title) {
        return label(value, {name, title, Quantity::bytes, {}});
    };
    // The optimizer runs after all activations are freed.
    if (moment == PeakMoment::optimizer)
        return {.buffers = part(buffers.bucket, "bucket", "bucket of updated weights")
                    + part(buffers.update_temporaries, "temporaries", "temporaries of an unfused optimizer step")};
    BasicPeakBytes<N> peak;
    peak.activations = in_flight_bytes<N>(
        live, assumptions,
        label(1 - offloaded_share<N>(plan),
              {"on_device", "fraction of activations on the device", Quantity::share, "the rest is in host memory"}));
    if (live.logits_wait)
        peak.logits = BasicLogitBytes<N>(plan, layers).waiting_bytes(live.logit_microbatches);
    if (moment == PeakMoment::loss)
        peak.logits += BasicLogitBytes<N>(plan, layers).loss_bytes();
    peak.buffers = part(buffers.gathered_weights, "gathered", "gathered weights of two layers")
        + (part(buffers.received, "received", "tensors received from neighboring stages")
           + part(buffers.gathered_input, "gathered_input", "activations gathered by tensor parallelism"));
    if (moment == PeakMoment::loss)
        peak.buffers += part(buffers.head_gradient, "head_gradient", "gradient of the LM head before accumulation");
    if (moment == PeakMoment::backward || moment == PeakMoment::weight_gradient) {
        peak.buffers += part(buffers.unreduced_gradients, "unreduced", "gradients before reduction");
        peak.buffers +=
            part(buffers.waiting_gradient, "head_gradient", "gradient of the tied LM head before accumulation");
    }
    if (moment == PeakMoment::backward && value_of(live.working_bytes) > 0)
        peak.buffers +=
            part(formula::working_set_bytes(live.working_bytes, slices_of<N>(plan), activation_slack<N>(assumptions)),
                 "working", "working memory during the backward pass of one operation");
    return peak;
}

} // namespace meshwright
