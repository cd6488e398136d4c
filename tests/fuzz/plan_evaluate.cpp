// SPDX-License-Identifier: GPL-3.0-or-later
// A plan file is read, checked, written, read again and evaluated.
#include "evaluated_plan.h"
#include "fuzz_target.h"
#include "input/json_document.h"

#include <nlohmann/json.hpp>

int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace meshwright;
    return fuzz::refusing([&] { fuzz::read_and_evaluate(parse_json(fuzz::text_of(data, size))); });
}
