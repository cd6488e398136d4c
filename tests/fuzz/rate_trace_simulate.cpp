// SPDX-License-Identifier: GPL-3.0-or-later
// A table of a link's rate is added to a plan of a few sites, and the outer loop is simulated with it. If the first
// line begins with "{", it is a merge patch for the plan.
#include "catalog/library.h"
#include "exchange/rate_trace_file.h"
#include "fuzz_target.h"
#include "input/json_document.h"
#include "outer/simulation.h"
#include "plan/plan_json.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace {

using namespace meshwright;
using Json = nlohmann::ordered_json;

Json few_sites() {
    Json plan = Library::standard().json(PresetKind::plan, "ten-to-25");
    plan["cluster"]["sites"] = 3;
    plan["outer"]["quorum"] = 2;
    plan["outer"]["inner_steps"] = 16;
    plan["outer"]["fragments"] = 4;
    return plan;
}

void simulate(const Plan &plan) {
    constexpr double updates = 2000; // larger simulations only test time, which the target for plans does
    const SimulationSize size{.settling_rounds = 1, .rounds = 2};
    if (simulated_updates(plan, size) > updates)
        return;
    const OuterRun run = simulate_outer(plan, 1e9, 5, 1, size);
    for (const double figure : {run.utilisation, run.round_seconds, run.stall_seconds, run.uplink_load})
        fuzz::require(std::isfinite(figure) && figure >= 0, "a simulated figure is a number");
    fuzz::went_all_the_way();
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    return fuzz::refusing([&] {
        std::string_view text = fuzz::text_of(data, size);
        Json plan = few_sites();
        if (text.starts_with("{"))
            merge_patch(plan, parse_json(fuzz::take_line(text)));
        const Json points = read_rate_trace_text(text, 100e6);
        if (!plan.is_object() || !plan["cluster"].is_object() || !plan["cluster"]["wan"].is_object())
            return;
        plan["cluster"]["wan"]["rate_trace"] = points;
        const PlanReading reading = read_plan(plan, Library::standard());
        if (reading.valid() && reading.plan.outer.method != OuterMethod::none)
            simulate(reading.plan);
    });
}
