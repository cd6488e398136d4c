// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate_bare.h"

#include "catalog/library.h"
#include "evaluate/evaluate.h"
#include "evaluate/evidence_of_result.h"
#include "plan/plan_json.h"
#include "step/step_model.h"

#include <nlohmann/json.hpp>

namespace meshwright {

void add_evidence(Result & /*result*/) { } // intervals are not needed here

} // namespace meshwright

namespace bare {

struct Plan {
    meshwright::Plan plan;
};

std::shared_ptr<const Plan> read(const std::string &document, const std::string &presets) {
    const meshwright::Library library({presets});
    return std::make_shared<Plan>(Plan{meshwright::plan_from_json(nlohmann::ordered_json::parse(document), library)});
}

double compared_seconds(const Plan &plan) {
    return meshwright::evaluate(plan.plan, meshwright::Depth::closed_forms).step.seconds;
}

double executed_seconds(const Plan &plan) {
    return meshwright::evaluate(plan.plan, meshwright::Depth::numbers).step.seconds;
}

double cost_seconds(const Plan &plan) {
    const meshwright::Assumptions assumed;
    const meshwright::LayerCosts layers(plan.plan, assumed);
    return meshwright::step_seconds(plan.plan, layers, meshwright::pipeline_costs(plan.plan, layers), assumed).total();
}

} // namespace bare
