// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"
#include "explain/rank_costs.h"
#include "formulas/derivation.h"
#include "layers/flops.h"
#include "memory/memory_model.h"
#include "outer/monte_carlo.h"
#include "run/run_model.h"
#include "step/executed_pipeline.h"
#include "step/plan_pipeline.h"

#include <optional>
#include <string>
#include <vector>

namespace meshwright {

/// Intermediate values for the derivations of one result, calculated by the same code as the result.
struct ExplainContext {
    explicit ExplainContext(const Result &explained)
        : result(explained)
        , plan(explained.plan)
        , assumed(explained.plan.assumptions)
        , layers(plan, assumed)
        , traced_shape(meshwright::rank_shape<Traced>(plan))
        , traced_machine(std::make_shared<const BasicMachine<Traced>>(plan, assumed, groups_of<Traced>(plan).site))
        , traced_kernels(plan, traced_machine->device, ModelWeights(plan.model))
        , traced(plan, traced_machine, traced_kernels, groups_of<Traced>(plan))
        , costs(pipeline_costs(plan, layers))
        , order(is_executed() || result.memory.executed ? executed_order(plan, layers, costs) : std::nullopt)
        , step(is_executed() ? executed_step_seconds(plan, layers, costs, assumed, order ? &*order : nullptr)
                             : step_seconds(plan, layers, costs, assumed))
        , ranks(memory_of_ranks(plan, layers, costs, assumed, order ? &*order : nullptr))
        , shape(pipeline_shape(plan, layers, costs, step.rank))
        , rank_costs(plan, traced, layers, costs) { }

    const Result &result;
    const Plan &plan;
    Assumptions assumed;
    LayerCosts layers;
    BasicRankShape<Traced> traced_shape;
    // What layers cost, calculated by the evaluation's own functions but with traced numbers.
    std::shared_ptr<const BasicMachine<Traced>> traced_machine;
    BasicLayerKernels<Traced> traced_kernels;
    BasicLayerCosts<Traced> traced;
    PipelineCosts costs;
    std::optional<ExecutedOrder> order; ///< operations of the simulated pipeline; unset if it was not simulated
    StepSeconds step;
    std::vector<RankMemory> ranks; ///< each rank's memory at its peak
    PipelineShape shape;
    TracedRankCosts rank_costs;

    /// Whether the result's pipeline was simulated. Otherwise closed forms are used, because they are exact or because
    /// the pipeline is too long to simulate.
    bool is_executed() const { return result.pipeline.closed_form_makespan_seconds.has_value(); }
    Derivation microbatches() const;
    /// The schedule, as its index in the list of schedules.
    Derivation schedule() const;
    /// Tokens per step of one site.
    Derivation batch_tokens() const;
    Derivation site_accelerators() const;
    Derivation all_accelerators() const;
    /// Dense peak of one accelerator in the compute format.
    Derivation peak() const;
    Derivation step_seconds_reference() const;
    /// Trained parameters, MTP modules included.
    Derivation trained_parameters() const;
    /// A property of the accelerator, with its source. `field` is the property's key in the accelerator's JSON.
    Derivation accelerator_fact(Labelled what, double value, const std::string &field) const;
    Derivation constant(std::string name, ConstantId id) const;
};

std::vector<Derivation> explain_verdict(const ExplainContext &context);
std::vector<Derivation> explain_parameters(const ExplainContext &context);
std::vector<Derivation> explain_flops(const ExplainContext &context);
std::vector<Derivation> explain_memory(const ExplainContext &context);
std::vector<Derivation> explain_step(const ExplainContext &context);
std::vector<Derivation> explain_rates(const ExplainContext &context);
std::vector<Derivation> explain_pipeline(const ExplainContext &context);
/// Costs of each kind of layer, the embedding, the LM head and MTP modules, to which other figures refer.
std::vector<Derivation> explain_passes(const ExplainContext &context);
std::vector<Derivation> explain_schedule(const ExplainContext &context, const PlanPipeline &pipeline);
std::vector<Derivation> explain_run(const ExplainContext &context);
std::vector<Derivation> explain_cluster(const ExplainContext &context);
std::vector<Derivation> explain_outer(const ExplainContext &context);
std::vector<Derivation> explain_spread(const ExplainContext &context, const OuterRuns &runs);
/// Figures of the outer loop that need no simulation: closed forms, requirements, effects on the model.
std::vector<Derivation> explain_sites(const ExplainContext &context);
/// Figures in diagnostics and in the marks and notes of run_curves().
std::vector<Derivation> explain_curves(const ExplainContext &context);
std::vector<Derivation> explain_advice(const ExplainContext &context);
/// Ends of the intervals of figures that depend on step time and peak memory.
std::vector<Derivation> explain_intervals(const ExplainContext &context);
std::vector<Derivation> explain_published(const ExplainContext &context);

/// What failures and checkpoints cost, with the derivations.
BasicGoodput<Traced> traced_goodput(const ExplainContext &context);
/// Time per inner step, named step_seconds.
Derivation inner_step(const ExplainContext &context);
/// Rate of one direction of a site's link: the link's nominal rate, or the TCP limit given by loss and distance. If
/// sites differ, the first site's rate is used.
/// @param way  "uplink" or "downlink"
Derivation carried_rate(const ExplainContext &context, std::string name, const char *way);

/// Factor for one end of an estimate's interval, derived from the errors on the nearest measured runs.
/// @param share  fraction of the nearest runs below this end
Derivation measured_factor(const ExplainContext &context, double factor, double share);
/// Number of layers of each block in the whole model.
std::vector<double> layers_of_model(const Model &model);
Derivation shape_fact(std::string name, std::string title, std::int64_t value);
/// Number of copies of a weight that a token uses: the active experts for an expert weight, otherwise one.
double copies_passed(const Weight &weight, const Block &block);
/// Appends a number to repeated names, so that each input of a node has a unique name.
void number_repeats(std::vector<Derivation> &nodes);

} // namespace meshwright
