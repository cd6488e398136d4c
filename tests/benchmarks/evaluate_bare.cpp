// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate_bare.h"

#include "catalog/library.h"
#include "evaluate/evaluate.h"
#include "plan/plan_json.h"

#include <nlohmann/json.hpp>

namespace bare {

struct Plan {
    meshwright::Plan plan;
};

std::shared_ptr<const Plan> read(const std::string &document, const std::string &presets) {
    const meshwright::Library library({presets});
    return std::make_shared<Plan>(Plan{meshwright::plan_from_json(nlohmann::ordered_json::parse(document), library)});
}

double step_seconds(const Plan &plan) {
    return meshwright::evaluate(plan.plan, meshwright::Depth::numbers).step.seconds;
}

} // namespace bare
