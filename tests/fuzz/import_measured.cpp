// SPDX-License-Identifier: GPL-3.0-or-later
// Logs, listings, profiles and memory snapshots: for any input, each importer must either give a document that the
// planner can use, or reject the file.
#include "advise/complete_result.h"
#include "catalog/library.h"
#include "evaluate/evaluate.h"
#include "fuzz_target.h"
#include "launch/importers.h"
#include "launch/run_comparison.h"
#include "plan/plan_json.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <string>

namespace {

using namespace meshwright;
using Json = nlohmann::ordered_json;

Json plan_on(const Json &cluster) {
    return {{"schema", "meshwright.plan/1"}, {"cluster", cluster}, {"model", "llama-3.2-1b"}};
}

const Result &some_result() {
    static const Outcome outcome = evaluate_document(plan_on("dgx-h100"), Library::standard());
    return *outcome.result;
}

void require_numbers(const Json &json) {
    if (json.is_number_float())
        fuzz::require(std::isfinite(json.get<double>()), "a figure is a number");
    else if (json.is_structured())
        for (const Json &item : json)
            require_numbers(item);
}

void require_tier(const Json &tier) {
    const Json plan = plan_on({{"accelerator", "h100-sxm-80gb"},
                               {"accelerators_per_node", tier["accelerators"]},
                               {"tiers", Json::array({tier})},
                               {"health", "measured"}});
    for (const Diagnostic &problem : read_plan(plan, Library::standard()).diagnostics)
        for (const std::string &field : problem.fields)
            fuzz::require(problem.severity != Severity::error || field.find("/cluster/tiers") != 0,
                          "a plan takes the tier: " + problem.message.text);
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const std::string text(fuzz::text_of(data, size));
    for (const char *const kind : {"nccl-tests", "nvidia-smi", "log", "trace"})
        fuzz::refusing([&] {
            const Imported imported = import_files({{.name = "fuzzed.txt", .text = text}}, kind, Library::standard());
            const Json json = to_json(imported);
            require_numbers(json);
            (void)json.dump(-1, ' ', false, Json::error_handler_t::replace);
            if (imported.what == "tier")
                require_tier(imported.document);
            if (imported.what == "run")
                require_numbers(to_json(compare_run(imported, some_result(), "a plan")));
            fuzz::went_all_the_way();
        });
    return 0;
}
