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
    nlohmann::ordered_json document = to_json(plan);
    // A measured run has only a few steps, so sections about a whole training run use the defaults.
    for (const char *const section : {"run", "faults", "outer", "aggregation"})
        document.erase(section);
    return document;
}

Plan whole_plan(Plan plan, const Library &library) {
    if (plan.faults.checkpoint_bandwidth_bytes_per_second > 0)
        return plan;
    const Plan read = read_plan(run_document({.plan = plan, .assumed = {}, .skipped = {}}, library), library).plan;
    plan.run = read.run;
    plan.faults = read.faults;
    return plan;
}

} // namespace meshwright
