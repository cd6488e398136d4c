// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/layers.h"
#include "explain/shapes.h"

#include "explain/quantity_names.h"
#include "input/stop_scope.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace meshwright {

namespace {

constexpr const char *pass_names[] = {"forward", "input_gradient", "weight_gradient"};
constexpr const char *whole_pass_titles[] = {"forward pass", "input gradients, including recomputation",
                                             "weight gradients"};

const char *name_of(Pass pass) {
    return pass_names[static_cast<int>(pass)];
}
const char *title_of(Pass pass) {
    return whole_pass_titles[static_cast<int>(pass)];
}

std::string figure_of(const std::string &thing, Pass pass) {
    return fmt::format("pass_{}_{}", thing, name_of(pass));
}

/// One pass of one kind of layer, including exposed communication and waits for host memory.
Derivation pass_of_layer(const ExplainContext &context, const CarriedLayers &layers, Pass pass) {
    const BasicLayerCost<Traced> &cost = traced_cost_of(context, layers);
    std::vector<Derivation> parts{pass_compute(context, layers.block, pass, "compute")};
    const auto add = [&](std::string name, TrafficKind traffic, const char *title, const Traced &seconds) {
        if (seconds.value() != 0)
            parts.push_back(exposed_seconds(std::move(name), traffic, title, seconds));
    };
    if (pass == Pass::input_gradient && cost.recompute_seconds.value() != 0)
        parts.push_back(layer_again(context, layers, "again"));
    for (const TrafficKind traffic : {TrafficKind::tensor, TrafficKind::context, TrafficKind::expert}) {
        const BasicExposedSeconds<Traced> &exposed = exposed_of(cost, traffic);
        if (pass == Pass::forward)
            add(name_of(traffic), traffic, "forward", exposed.forward);
        if (pass != Pass::input_gradient)
            continue;
        add(name_of(traffic), traffic, "backward", exposed.backward);
        add(fmt::format("{}_again", name_of(traffic)), traffic, "recomputed", exposed.recompute);
    }
    const Traced none;
    const Traced &copies = pass == Pass::forward ? cost.copies.forward
        : pass == Pass::input_gradient           ? cost.copies.backward
                                                 : none;
    if (copies.value() > 0)
        parts.push_back(copies.derivation({"copies", {}}, {}));
    return sum_of({figure_of(name_of_layers(context, layers), pass), title_of(pass), time},
                  "parts of one microbatch's pass", std::move(parts));
}

/// The embedding, the LM head or the input projection of an MTP module (eh_proj). The kernels run one after another.
Derivation pass_of_kernels(const std::string &thing, const BasicLayerCost<Traced> &cost, Pass pass) {
    const Labelled what{figure_of(thing, pass), title_of(pass), time};
    const Traced &seconds = of_pass(cost, pass);
    return seconds.value() == 0 ? model_fact(what, 0, "nothing to compute")
                                : seconds.derivation(what, "operations run one after another");
}

/// The input projection of an MTP module, as the cost of a layer.
BasicLayerCost<Traced> joining(const ExplainContext &context) {
    const BasicKernelSeconds<Traced> &seconds = context.traced_kernels.joining;
    return {.forward_seconds = seconds.forward,
            .input_gradient_seconds = seconds.input_gradient,
            .weight_gradient_seconds = seconds.weight_gradient};
}

std::string executions_of(const std::string &title) {
    return title + ": executions per microbatch";
}

Derivation pass_reference(const std::string &thing, Pass pass, double value) {
    return reference_to(figure_of(thing, pass), {thing, title_of(pass), time}, value);
}

double seconds_of(const LayerCost &cost, Pass pass) {
    return pass == Pass::forward        ? cost.whole_forward_seconds()
        : pass == Pass::weight_gradient ? cost.weight_gradient_seconds
                                        : cost.backward_seconds() - cost.weight_gradient_seconds;
}

} // namespace

bool both_directions(const Plan &plan) {
    return runs_both_ways(plan.parallelism.schedule);
}

CarriedLayers module_layers(const ExplainContext &context) {
    return {static_cast<std::size_t>(context.plan.model.mtp_block), context.plan.recompute.mode == RecomputeMode::full,
            1};
}

std::vector<Derivation> explain_passes(const ExplainContext &context) {
    const Plan &plan = context.plan;
    std::set<std::pair<std::size_t, bool>> kinds;
    for (const RankCost &rank : context.costs.ranks)
        for (const CarriedLayers &layers : layers_of_rank(context, rank.stages))
            kinds.insert({layers.block, layers.recomputed});
    if (plan.model.mtp_layers > 0)
        kinds.insert({module_layers(context).block, module_layers(context).recomputed});
    std::vector<Derivation> figures;
    for (const Pass pass : {Pass::forward, Pass::input_gradient, Pass::weight_gradient}) {
        for (const auto &[block, recomputed] : kinds)
            figures.push_back(pass_of_layer(context, {block, recomputed, 1}, pass));
        figures.push_back(pass_of_kernels("embedding", context.traced_kernels.embedding, pass));
        figures.push_back(pass_of_kernels("head", context.traced_kernels.head, pass));
        if (plan.model.mtp_layers > 0)
            figures.push_back(pass_of_kernels("join", joining(context), pass));
    }
    return figures;
}

Derivation carried_pass(const ExplainContext &context, Labelled what, const std::vector<std::size_t> &ranks,
                        Pass pass) {
    struct Carried {
        std::string title;
        double executions = 0;
        double seconds = 0; ///< per execution
    };
    std::map<std::string, Carried> carried;
    const auto add = [&](const std::string &thing, const std::string &title, double times, double seconds) {
        if (times > 0)
            carried[thing] = {title, carried[thing].executions + times, seconds};
    };
    const Plan &plan = context.plan;
    const auto modules = static_cast<double>(plan.model.mtp_layers);
    for (const std::size_t r : ranks) {
        end_if_stopped();
        const RankCost &rank = context.costs.ranks[r];
        const double each = both_directions(plan) && rank.stages.size() > 1 ? 0.5 : 1;
        const auto add_layers = [&](const CarriedLayers &layers, double times) {
            add(name_of_layers(context, layers), title_of_layers(context, layers), times * each,
                seconds_of(cost_of(context, layers), pass));
        };
        for (const CarriedLayers &layers : layers_of_rank(context, rank.stages))
            add_layers(layers, layers.count);
        for (const std::int64_t s : rank.stages) {
            const StageCost &stage = context.costs.stages[static_cast<std::size_t>(s)];
            if (stage.holds_embedding)
                add("embedding", "embedding", each, value_of(of_pass(context.traced_kernels.embedding, pass)));
            if (!stage.holds_head)
                continue;
            add("head", "LM head", each * (1 + modules), value_of(of_pass(context.traced_kernels.head, pass)));
            if (modules == 0)
                continue;
            add_layers(module_layers(context), modules);
            add("join", "input projection of an MTP module", each * modules, value_of(of_pass(joining(context), pass)));
        }
    }
    std::vector<Derivation> inputs;
    std::string formula;
    double value = 0;
    for (const auto &[thing, one] : carried) {
        inputs.push_back(counted({thing + "s", executions_of(one.title), count}, one.executions,
                                 "layers are assigned to the stages in model order", "/parallelism/pipeline"));
        inputs.push_back(pass_reference(thing, pass, one.seconds));
        formula += fmt::format("{}{}s * {}", formula.empty() ? "" : " + ", thing, thing);
        value += one.executions * one.seconds;
    }
    return derived(std::move(what), value, std::move(formula), "sum over the layers that process the microbatch",
                   std::move(inputs));
}

Derivation forward_of_rank(const ExplainContext &context, Labelled what) {
    return carried_pass(context, std::move(what), {context.step.rank}, Pass::forward);
}

Derivation backward_of_rank(const ExplainContext &context, Labelled what) {
    const std::vector<std::size_t> rank{context.step.rank};
    return sum_of(std::move(what), "input gradients plus weight gradients",
                  {carried_pass(context, {"input_gradient", "input gradients, including recomputation", time}, rank,
                                Pass::input_gradient),
                   carried_pass(context, {"weight_gradient", "weight gradients", time}, rank, Pass::weight_gradient)});
}

Derivation whole_pass(const ExplainContext &context, Labelled what, bool forward) {
    const LayerCost &cost = context.costs.ranks[context.step.rank].cost;
    const Pipeline &pipeline = context.result.pipeline;
    if (forward)
        return cost.whole_forward_seconds() == pipeline.forward_seconds
            ? reference_to("pipeline_forward_seconds", std::move(what), pipeline.forward_seconds)
            : forward_of_rank(context, std::move(what));
    return cost.backward_seconds() == pipeline.backward_seconds
        ? reference_to("pipeline_backward_seconds", std::move(what), pipeline.backward_seconds)
        : backward_of_rank(context, std::move(what));
}

Derivation over_layers(const ExplainContext &context, Labelled what, const char *pointer, const OneLayer &one_layer) {
    std::vector<Derivation> inputs;
    std::string formula;
    double sum = 0;
    const auto add = [&](const CarriedLayers &layers, const std::string &name) {
        std::optional<Derivation> one = one_layer(layers, name);
        if (!one)
            return;
        sum += layers.count * one->value;
        formula += fmt::format("{}{}s * {}", formula.empty() ? "" : " + ", name, name);
        const std::string executions = executions_of(title_of_layers(context, layers)) + " on the busiest rank";
        inputs.push_back(counted({name + "s", executions, count}, layers.count,
                                 "layers are assigned to the stages in model order", pointer));
        inputs.push_back(*std::move(one));
    };
    for (const CarriedLayers &layers : layers_passed(context))
        add(layers, name_of_layers(context, layers));
    if (CarriedLayers modules = module_layers(context); modules_passed(context) > 0) {
        modules.count = modules_passed(context);
        add(modules, "module_layer");
    }
    return derived(std::move(what), sum, std::move(formula), "sum over the rank's layers", std::move(inputs));
}

Derivation microbatch_copies(const ExplainContext &context) {
    return over_layers(context, {"seconds", "waiting for activations in host memory, per microbatch", time},
                       "/recompute",
                       [&](const CarriedLayers &layers, const std::string &name) -> std::optional<Derivation> {
                           if (cost_of(context, layers).copies.total() == 0)
                               return std::nullopt;
                           const BasicExposedSeconds<Traced> &copies = traced_cost_of(context, layers).copies;
                           return sum_of({name, "wait time per layer", time}, "both passes",
                                         {copies.forward.derivation({"forward", {}}, {}),
                                          copies.backward.derivation({"backward", {}}, {})});
                       });
}

Derivation ends_compute(const ExplainContext &context) {
    std::vector<Derivation> parts;
    std::string formula;
    const Plan &plan = context.plan;
    const RankCost &rank = context.costs.ranks[context.step.rank];
    const double each = both_directions(plan) && rank.stages.size() > 1 ? 0.5 : 1;
    double value = 0;
    const auto add = [&](const char *thing, const char *title, double times, const BasicLayerCost<Traced> &cost) {
        if (times == 0)
            return;
        std::vector<Derivation> passes;
        for (const Pass pass : {Pass::forward, Pass::input_gradient, Pass::weight_gradient}) {
            passes.push_back(pass_reference(thing, pass, value_of(of_pass(cost, pass))));
            passes.back().name = name_of(pass);
        }
        Derivation one =
            sum_of({thing, title, time}, "forward pass, input gradients and weight gradients", std::move(passes));
        value += times * one.value;
        formula += fmt::format("{}{}s * {}", formula.empty() ? "" : " + ", thing, thing);
        parts.push_back(counted({std::string(thing) + "s", executions_of(title), count}, times,
                                "the first stage holds the embedding; the last holds the LM head",
                                "/parallelism/pipeline"));
        parts.push_back(std::move(one));
    };
    double embeddings = 0;
    double heads = 0;
    for (const std::int64_t s : rank.stages) {
        embeddings += context.costs.stages[static_cast<std::size_t>(s)].holds_embedding ? each : 0;
        heads += context.costs.stages[static_cast<std::size_t>(s)].holds_head ? each : 0;
    }
    const double modules = heads * static_cast<double>(plan.model.mtp_layers);
    add("embedding", "embedding", embeddings, context.traced_kernels.embedding);
    add("head", "LM head and loss", heads + modules, context.traced_kernels.head);
    add("join", "input projection of an MTP module (eh_proj)", modules, joining(context));
    if (modules > 0) {
        Derivation layer = layer_compute(context, module_layers(context).block);
        layer.name = "module_layer";
        value += modules * layer.value;
        formula += " + modules * module_layer";
        parts.push_back(counted({"modules", "MTP modules on the rank", count}, modules,
                                "the last stage holds the MTP modules", "/parallelism/pipeline"));
        parts.push_back(std::move(layer));
    }
    const Labelled what{"ends", "embedding, LM head, loss and MTP modules", time};
    return parts.empty()
        ? nothing(what, "the busiest rank holds neither the embedding nor the LM head", "/parallelism/pipeline")
        : derived(what, value, std::move(formula), "sum over the parts that the rank holds", std::move(parts));
}

} // namespace meshwright
