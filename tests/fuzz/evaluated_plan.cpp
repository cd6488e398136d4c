// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluated_plan.h"

#include "catalog/library.h"
#include "evaluate/evaluate.h"
#include "fuzz_target.h"
#include "plan/plan_json.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cmath>

namespace meshwright::fuzz {

namespace {

using Json = nlohmann::ordered_json;

void check_numbers(const Json &value) {
    if (value.is_structured())
        for (const Json &item : value)
            check_numbers(item);
    else if (value.is_number_float())
        require(std::isfinite(value.get<double>()), "every number of a result is finite");
}

void check_sum(const Json &whole, const char *total, std::initializer_list<const char *> parts) {
    double sum = 0;
    for (const char *const part : parts)
        sum += whole.at(part).get<double>();
    const double said = whole.at(total).get<double>();
    require(std::abs(sum - said) <= 1e-6 * std::abs(said), total);
}

} // namespace

void evaluate_and_check(const Plan &plan) {
    const Json figures = figures_json(evaluate(plan, Depth::numbers));
    check_numbers(figures);
    check_sum(figures.at("step"), "seconds",
              {"compute_seconds", "recompute_seconds", "bubble_seconds", "tensor_exposed_seconds",
               "context_exposed_seconds", "expert_exposed_seconds", "pipeline_exposed_seconds", "data_exposed_seconds",
               "optimizer_seconds"});
    for (const Json &stage : figures.at("memory").at("stages"))
        check_sum(stage, "total_bytes",
                  {"weights_bytes", "gradients_bytes", "optimizer_bytes", "activations_bytes", "logits_bytes",
                   "buffers_bytes", "outer_bytes", "runtime_bytes"});
    went_all_the_way();
}

void read_and_evaluate(const Json &document) {
    const Library &library = Library::standard();
    const PlanReading reading = read_plan(document, library);
    for (const Diagnostic &diagnostic : reading.diagnostics)
        require(!diagnostic.message.text.empty() && !diagnostic.fields.empty(),
                "a diagnostic has a field and a message");
    if (!reading.valid())
        return;
    Plan same = plan_from_json(to_json(reading.plan), library);
    same.cluster_id = reading.plan.cluster_id; // the written plan embeds its presets
    require(same == reading.plan, "a written plan reads back unchanged");
    evaluate_and_check(reading.plan);
}

} // namespace meshwright::fuzz
