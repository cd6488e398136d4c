// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/memory.h"

#include "explain/quantity_names.h"

#include "evidence/similar_runs.h"
#include "input/stop_scope.h"

#include <fmt/format.h>

#include <algorithm>

namespace meshwright {

namespace {

Derivation peak_reference(const ExplainContext &context, std::string name) {
    return reference_to("memory_peak_bytes", {std::move(name), "peak memory over all stages", bytes},
                        context.result.memory.peak_bytes);
}

Derivation total_reference(const ExplainContext &context, std::size_t stage) {
    return reference_to(fmt::format("memory_stages_{}_total_bytes", stage),
                        {fmt::format("total_{}", stage), fmt::format("memory of stage {}", stage), bytes},
                        context.result.memory.stages[stage].total_bytes);
}

Derivation peak(const ExplainContext &context) {
    std::vector<Derivation> totals;
    std::string formula;
    for (std::size_t i = 0; i < context.result.memory.stages.size(); ++i) {
        totals.push_back(total_reference(context, i));
        formula += (i == 0 ? "max(" : ", ") + totals.back().name;
    }
    return derived({"memory_peak_bytes", "peak memory over all stages", bytes}, context.result.memory.peak_bytes,
                   formula + ")", "maximum over stages", std::move(totals));
}

/// Adds both ends of an 80% interval: the estimate times a factor from measured runs.
void add_interval(const ExplainContext &context, std::vector<Derivation> &figures, const Derivation &estimate,
                  const std::string &name, double low, double high) {
    if (high <= 0)
        return;
    for (const bool is_low : {true, false}) {
        const double factor = (is_low ? low : high) / estimate.value;
        figures.push_back(product_of(
            {name + (is_low ? "low_bytes" : "high_bytes"),
             is_low ? "lower end of the memory estimate's 80% interval"
                    : "upper end of the memory estimate's 80% interval",
             bytes},
            "errors on the nearest measured runs",
            {estimate, measured_factor(context, factor, is_low ? KnownRuns::low_share : KnownRuns::high_share)}));
    }
}

Derivation peak_stage(const ExplainContext &context) {
    const auto stage = static_cast<std::size_t>(context.result.memory.peak_stage);
    const Labelled what{"memory_peak_stage", "stage with peak memory"};
    std::vector<Derivation> inputs{peak_reference(context, "peak")};
    std::string formula;
    for (std::size_t i = 0; i <= stage; ++i) {
        inputs.push_back(total_reference(context, i));
        formula += fmt::format("total_{} == peak ? {} : ", i, i);
    }
    return derived(what, static_cast<double>(stage), formula + "-1", "the first stage with the peak memory",
                   std::move(inputs));
}

/// Maximum host memory of any rank.
Derivation host(const ExplainContext &context) {
    const std::vector<RankMemory> &ranks = context.ranks;
    const auto most = std::max_element(ranks.begin(), ranks.end(), [](const RankMemory &a, const RankMemory &b) {
        return a.host_bytes < b.host_bytes;
    });
    const Labelled what{"memory_host_bytes", "host memory per accelerator", bytes};
    if (most->host_bytes == 0)
        return nothing(what, "nothing is offloaded", "/offload");
    const RankExplanation rank(context, static_cast<std::size_t>(most - ranks.begin()));
    return rank.host(what);
}

/// Number of layers of one virtual stage: from the plan's pipeline layout, or an even split.
Derivation layers_of_virtual_stage(const ExplainContext &context, std::int64_t stage, std::string name) {
    const auto index = static_cast<std::size_t>(stage);
    return layers_of_virtual_stage<Traced>(context.plan, index, context.costs.stages[index].layers)
        .derivation({std::move(name), {}}, {});
}

Derivation layers_of(const ExplainContext &context, std::size_t index, Labelled what) {
    std::vector<Derivation> chunks;
    for (const std::int64_t s : context.costs.ranks[index].stages)
        chunks.push_back(layers_of_virtual_stage(context, s, fmt::format("virtual_stage_{}", s)));
    return sum_of(std::move(what), "sum over the rank's virtual stages", std::move(chunks));
}

/// First layer of the rank's first chunk. The chunk follows the first chunk of the previous rank.
Derivation first_layer(const ExplainContext &context, std::size_t index) {
    const std::vector<StageMemory> &stages = context.result.memory.stages;
    const Labelled what{fmt::format("memory_stages_{}_first_layer", index), "first layer of the rank's first chunk"};
    if (index == 0)
        return counted(what, 0, "the model's first layer", "/parallelism/pipeline");
    return sum_of(what, "layers before this chunk",
                  {reference_to(fmt::format("memory_stages_{}_first_layer", index - 1),
                                {"before", "first layer of the previous rank"},
                                static_cast<double>(stages[index - 1].first_layer)),
                   layers_of_virtual_stage(context, static_cast<std::int64_t>(index) - 1, "layers")});
}

} // namespace

std::vector<Derivation> explain_verdict(const ExplainContext &context) {
    return {by_formula(
        {"verdict_headroom_bytes", "memory headroom", bytes}, "headroom", "bytes",
        {reference_to("memory_capacity_bytes", {"capacity_bytes", "memory capacity of the accelerator", bytes},
                      context.result.memory.capacity_bytes),
         peak_reference(context, "peak_bytes")})};
}

std::vector<Derivation> explain_memory(const ExplainContext &context) {
    const Memory &memory = context.result.memory;
    std::vector<Derivation> figures{
        context.accelerator_fact({"memory_capacity_bytes", "memory capacity of the accelerator", bytes},
                                 memory.capacity_bytes, "memory_bytes"),
        peak(context), peak_stage(context), host(context)};
    const RankExplanation fullest(context, static_cast<std::size_t>(memory.peak_stage));
    figures.push_back(fullest.reserved("memory_reserved_bytes"));
    figures.push_back(explain_outside_allocator(context, "memory_outside_bytes"));
    add_interval(context, figures, peak_reference(context, "estimate"), "memory_", memory.low_bytes, memory.high_bytes);
    add_interval(context, figures,
                 reference_to("memory_reserved_bytes", {"estimate", "memory in use, as reported by the driver", bytes},
                              memory.reserved_bytes),
                 "memory_reserved_", memory.reserved_low_bytes, memory.reserved_high_bytes);
    for (std::size_t i = 0; i < memory.stages.size(); ++i) {
        end_if_stopped();
        const StageMemory &stage = memory.stages[i];
        const auto name = [&](const char *what) { return fmt::format("memory_stages_{}_{}", i, what); };
        figures.push_back(counted({name("stage"), "index of the stage"}, static_cast<double>(stage.stage),
                                  "pipeline ranks, numbered from 0", "/parallelism/pipeline"));
        figures.push_back(layers_of(context, i, {name("layers"), "layers of the stage", Quantity::count}));
        figures.push_back(first_layer(context, i));
        const RankExplanation rank(context, i);
        for (Derivation &figure : rank.figures())
            figures.push_back(std::move(figure));
    }
    return figures;
}

} // namespace meshwright
