// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/run_document.h"

#include "catalog/library.h"
#include "plan/plan_json.h"

#include <nlohmann/json.hpp>

namespace meshwright {

nlohmann::ordered_json run_document(const RunPlan &run, const Library &library) {
    Plan plan = run.plan;
    const bool is_preset = !plan.stack_id.empty() && library.find(PresetKind::stack, plan.stack_id);
    if (is_preset && *library.stack(plan.stack_id) != plan.stack)
        plan.stack_id.clear();
    return to_json(plan);
}

} // namespace meshwright
