// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"
#include "formulas/derivation.h"
#include "memory/memory_model.h"
#include "pipeline/stages.h"
#include "step/step_model.h"

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
        , step(step_seconds(plan, layers, costs, assumed))
        , shape(pipeline_shape(plan, layers, costs, step.rank)) { }

    const Result &result;
    const Plan &plan;
    Assumptions assumed;
    LayerCosts layers;
    PipelineCosts costs;
    StepSeconds step;
    PipelineShape shape;

    Derivation microbatches() const;
    Derivation constant(ConstantId id) const { return constant_value(id, assumed); }
};

/// Figures of one part of the result.
std::vector<Derivation> explain_step(const ExplainContext &context);
std::vector<Derivation> explain_memory(const ExplainContext &context);
std::vector<Derivation> explain_flops(const ExplainContext &context);
std::vector<Derivation> explain_pipeline(const ExplainContext &context);
std::vector<Derivation> explain_outer(const ExplainContext &context);
std::vector<Derivation> explain_run(const ExplainContext &context);
std::vector<Derivation> explain_cluster(const ExplainContext &context);

} // namespace meshwright
