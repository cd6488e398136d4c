// SPDX-License-Identifier: GPL-3.0-or-later
// A model's config.json is imported, written as a preset and evaluated on eight accelerators.
#include "catalog/model.h"
#include "catalog/weights.h"
#include "evaluated_plan.h"
#include "exchange/hugging_face.h"
#include "fuzz_target.h"
#include "input/json_document.h"

#include <nlohmann/json.hpp>

int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace meshwright;
    return fuzz::refusing([&] {
        const Model model = import_hugging_face(parse_json(fuzz::text_of(data, size)), "Fuzzed-7B");
        const Parameters parameters = parameters_of(model);
        fuzz::require(parameters.total > 0 && parameters.total < 1e30, "a model has parameters");
        (void)size_warning(model, "Fuzzed-7B");
        fuzz::read_and_evaluate(nlohmann::ordered_json{
            {"schema", "meshwright.plan/1"}, {"cluster", "dgx-h100"}, {"model", to_json(model)}});
    });
}
