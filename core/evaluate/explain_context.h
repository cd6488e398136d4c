// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"
#include "formulas/derivation.h"
#include "memory/memory_model.h"
#include "outer/monte_carlo.h"
#include "pipeline/stages.h"
#include "step/executed_pipeline.h"
#include "step/plan_pipeline.h"

#include <optional>
#include <string>
#include <vector>

namespace meshwright {

/// What the explanations of one result share: the intermediate values, computed by the same rooms as the result.
struct ExplainContext {
    explicit ExplainContext(const Result &explained)
        : result(explained)
        , plan(explained.plan)
        , assumed(explained.plan.assumptions)
        , layers(plan, assumed)
        , costs(pipeline_costs(plan, layers))
        , order(is_executed() || result.memory.executed ? executed_order(plan, layers, costs) : std::nullopt)
        , step(is_executed() ? executed_step_seconds(plan, layers, costs, assumed, order ? &*order : nullptr)
                             : step_seconds(plan, layers, costs, assumed))
        , ranks(memory_of_ranks(plan, layers, costs, assumed, order ? &*order : nullptr))
        , shape(pipeline_shape(plan, layers, costs, step.rank)) { }

    const Result &result;
    const Plan &plan;
    Assumptions assumed;
    LayerCosts layers;
    PipelineCosts costs;
    std::optional<ExecutedOrder> order; ///< of the result's pipeline, where that was executed
    StepSeconds step;
    std::vector<RankMemory> ranks; ///< at their peaks
    PipelineShape shape;

    /// Whether the result's pipeline was executed; else its closed forms are exact, or all that there is.
    bool is_executed() const { return result.pipeline.closed_form_makespan_seconds.has_value(); }
    Derivation microbatches() const;
    /// Tokens of one step of one site.
    Derivation batch_tokens() const;
    /// Accelerators of one site, and of all sites.
    Derivation site_accelerators() const;
    Derivation all_accelerators() const;
    /// Dense peak of one accelerator in the compute format.
    Derivation peak() const;
    /// The time of a step, by reference.
    Derivation step_seconds_reference() const;
    /// Trained weights, prediction modules included.
    Derivation trained_parameters() const;
    /// A fact of the accelerator with its own source; `field` as in its JSON.
    Derivation accelerator_fact(Labelled what, double value, const std::string &field) const;
    Derivation stack_fact(Labelled what, double value, const std::string &field) const;
    /// A constant of the registry under the name that a formula gives it.
    Derivation constant(std::string name, ConstantId id) const;
};

/// Figures of one part of the result, in its order.
std::vector<Derivation> explain_verdict(const ExplainContext &context);
std::vector<Derivation> explain_parameters(const ExplainContext &context);
std::vector<Derivation> explain_flops(const ExplainContext &context);
std::vector<Derivation> explain_memory(const ExplainContext &context);
std::vector<Derivation> explain_step(const ExplainContext &context);
std::vector<Derivation> explain_rates(const ExplainContext &context);
std::vector<Derivation> explain_pipeline(const ExplainContext &context);
/// Passes of each kind of layer and of the model's ends, which other figures refer to.
std::vector<Derivation> explain_passes(const ExplainContext &context);
/// What executing the plan's pipeline gives.
std::vector<Derivation> explain_schedule(const ExplainContext &context, const PlanPipeline &pipeline);
std::vector<Derivation> explain_run(const ExplainContext &context);
std::vector<Derivation> explain_cluster(const ExplainContext &context);
std::vector<Derivation> explain_outer(const ExplainContext &context);
/// What runs of the outer loop differ by.
std::vector<Derivation> explain_spread(const ExplainContext &context, const OuterRuns &runs);
/// What is known of the outer loop beside its simulation: closed forms, upkeep, what it means for the model.
std::vector<Derivation> explain_sites(const ExplainContext &context);
/// What the marks of run_curves() stand at and what the curves' notes and the diagnostics say.
std::vector<Derivation> explain_curves(const ExplainContext &context);
std::vector<Derivation> explain_advice(const ExplainContext &context);
/// Ends of the intervals of figures that rest on the step and on the peak.
std::vector<Derivation> explain_intervals(const ExplainContext &context);
/// What the makers of the plan's run report, the prediction next to it, and how far the two are apart.
std::vector<Derivation> explain_published(const ExplainContext &context);

/// Mean time between failures of what has to stop together, as mtbf_seconds: of everything, or of a site where sites
/// step alone.
Derivation stopping_mtbf(const ExplainContext &context);
/// Time until one checkpoint is stored.
Derivation stored_write(const ExplainContext &context, std::string name);
/// Time that one checkpoint stops training, as write_seconds.
Derivation blocking_write(const ExplainContext &context);
/// Time of an inner step, under the name step_seconds.
Derivation inner_step(const ExplainContext &context);
/// What a direction of a site's link carries: its own rate, or TCP's where loss and distance hold that down. Where
/// sites differ, of the first one. @param way  "uplink" or "downlink"
Derivation carried_rate(const ExplainContext &context, std::string name, const char *way);

/// What the errors on the nearest measured runs make of an estimate at one end of its interval.
/// @param share  of the nearest runs that lie below
Derivation measured_factor(const ExplainContext &context, double factor, double share);
/// How many layers of each kind the whole model has, by block.
std::vector<double> layers_of_model(const Model &model);
/// "dense_layer", "block_0_layer": a block's name in formulas.
std::string name_of_block(const Model &model, std::size_t index);
/// A number of the model's shape.
Derivation shape_fact(std::string name, std::string title, std::int64_t value);
/// Copies of a weight that a token passes: those of its experts.
double copies_passed(const Weight &weight, const Block &block);
/// Names must not repeat among a node's inputs.
void number_repeats(std::vector<Derivation> &nodes);

} // namespace meshwright
