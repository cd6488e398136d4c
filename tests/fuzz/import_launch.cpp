// SPDX-License-Identifier: GPL-3.0-or-later
// Input: a launch configuration. Each importer must reject the file, or account for every option once and return a plan
// that the planner can read, with faults where it is invalid.
#include "catalog/library.h"
#include "fuzz_target.h"
#include "launch/importers.h"
#include "plan/plan_json.h"

#include <nlohmann/json.hpp>

#include <set>
#include <string>

namespace {

using namespace meshwright;
using Json = nlohmann::ordered_json;

void require_one_account(const Imported &imported) {
    std::set<std::string> seen;
    for (const UnderstoodOption &each : imported.understood)
        fuzz::require(seen.insert(each.option).second, "each option is listed once: " + each.option);
    for (const IgnoredOption &each : imported.ignored)
        fuzz::require(seen.insert(each.option).second, "each option is listed once: " + each.option);
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const std::string text(fuzz::text_of(data, size));
    for (const char *const kind :
         {"megatron", "megatron-bridge", "torchtitan", "nanotron", "deepspeed", "accelerate", "hf-trainer"})
        fuzz::refusing([&] {
            const Imported imported = import_files({{.name = "fuzzed", .text = text}}, kind, Library::standard());
            (void)to_json(imported).dump(-1, ' ', false, Json::error_handler_t::replace);
            require_one_account(imported);
            fuzz::require(imported.what == "plan", "a launch configuration is imported as a plan");
            if (!read_plan(imported.document, Library::standard()).valid())
                fuzz::require(!imported.faults.empty(), "an import that the planner rejects has a fault");
            fuzz::went_all_the_way();
        });
    return 0;
}
