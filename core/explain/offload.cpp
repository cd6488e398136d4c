// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/layers.h"
#include "explain/layout.h"
#include "explain/shapes.h"

#include "explain/quantity_names.h"

#include <algorithm>

namespace meshwright {

namespace {

Derivation bandwidth(const ExplainContext &context) {
    const Accelerator &accelerator = context.plan.cluster.accelerator;
    const Labelled what{"bandwidth", "bandwidth of the host link, per direction", Quantity::bytes_per_second};
    return accelerator.host_bandwidth_bytes_per_second > 0
        ? context.accelerator_fact(what, accelerator.host_bandwidth_bytes_per_second, "host_bandwidth_bytes_per_second")
        : published(what, host_bandwidth(accelerator),
                    "assumed: PCI Express 4.0 x16, because this accelerator's link is not known");
}

Derivation host_link_rate(const ExplainContext &context) {
    return by_formula(
        {"link_rate", "copy rate between accelerator and host, per direction", Quantity::bytes_per_second}, "host-rate",
        "rate", {bandwidth(context), context.constant("share", ConstantId::host_link_efficiency)});
}

} // namespace

Derivation host_update(const ExplainContext &context, Derivation parameters) {
    const Precision &precision = context.plan.precision;
    return by_formula(
        {"on_host", "time of the optimizer step on the host", time}, "host-update", "seconds",
        {std::move(parameters), context.constant("bytes_per_parameter", ConstantId::optimizer_bytes_per_parameter),
         format_bytes({"gradient_bytes", "bytes per gradient", Quantity::bytes}, precision.gradients,
                      "/precision/gradients"),
         sent_weight_bytes(context, "weight_bytes"), host_link_rate(context),
         by_formula(
             {"update_rate", "sustained host memory bandwidth of the CPU optimizer step", Quantity::bytes_per_second},
             "host-rate", "rate", {bandwidth(context), context.constant("share", ConstantId::host_update_share)})});
}

Derivation waiting_for_copies(const ExplainContext &context, Labelled what, const CarriedLayers &layers,
                              std::vector<Derivation> pass_parts) {
    Derivation copied = by_formula(
        {"bytes", "bytes of a layer's activations copied per microbatch", Quantity::bytes}, "activation-copies",
        "copied_bytes",
        {saved_by_layer(context, layers,
                        {"saved_bytes", "bytes that a layer saves for backward per microbatch", Quantity::bytes}),
         context.constant("slack", ConstantId::activation_slack),
         plan_field({"offloaded", "fraction of activations offloaded to host memory", Quantity::share},
                    context.plan.offload.activations, "/offload/activations")});
    return by_formula(std::move(what), "activation-copies", "seconds",
                      {std::move(copied), host_link_rate(context),
                       sum_of({"pass_seconds", "time of the layer's pass, which overlaps with the copies", time},
                              "sum over the components of the layer's pass", std::move(pass_parts))});
}

} // namespace meshwright
