// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/step.h"

#include "explain/quantity_names.h"

#include <fmt/format.h>

namespace meshwright {

namespace {

BasicRankParameters<Traced> parameters_of_rank(const ExplainContext &context) {
    const RankParameters &parameters = context.costs.ranks[context.step.apart_rank].cost.parameters;
    const auto part = [&](const char *figure, const char *title, double value) {
        return Traced(reference_to(fmt::format("memory_stages_{}_{}", context.step.apart_rank, figure),
                                   {figure, title, Quantity::parameters}, value));
    };
    return {.dense = part("dense_parameters", "dense parameters of the rank", parameters.dense),
            .experts = part("expert_parameters", "routed-expert parameters of the rank", parameters.experts)};
}

} // namespace

std::vector<Derivation> explain_data(const ExplainContext &context) {
    const BasicDataRings<Traced> rings = data_rings(context.plan, context.traced);
    BasicDataLoad<Traced> load = data_load(context.plan, context.rank_costs.of_rank(context.step.apart_rank));
    load.parameters = parameters_of_rank(context);
    const Traced exposed =
        BasicDataTraffic<Traced>(context.plan, context.traced, rings, load, context.assumed).exposed_seconds();
    const Labelled what{"step_data_exposed_seconds", "exposed data-parallel communication", time};
    return {exposed.value() == 0 ? nothing(what, "nothing to exchange with other ranks", "/parallelism/data")
                                 : exposed.derivation(what, "exposed communication that occurs once per step"),
            optimizer_seconds(context.plan, context.traced, rings, stage_copies<Traced>(context.plan), load.parameters,
                              context.assumed)
                .derivation({"step_optimizer_seconds", "optimizer step", time},
                            "accelerator and host update one after another")};
}

Derivation explain_hop(const ExplainContext &context) {
    return stage_hop_seconds<Traced>(context.plan, context.traced, context.traced.groups().pipeline)
        .derivation({"hop", "time of one send between stages", time},
                    "the receivers all-gather the parts, arXiv 2104.04473, section 4.1");
}

} // namespace meshwright
