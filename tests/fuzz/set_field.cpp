// SPDX-License-Identifier: GPL-3.0-or-later
// Assignments for --set, one per line, are applied to a plan, which is then read.
#include "catalog/library.h"
#include "fuzz_target.h"
#include "plan/plan_json.h"

#include <nlohmann/json.hpp>

int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace meshwright;
    return fuzz::refusing([&] {
        const Library &library = Library::standard();
        nlohmann::ordered_json plan = library.json(PresetKind::plan, "ten-to-25");
        std::string_view text = fuzz::text_of(data, size);
        for (int lines = 0; lines < 8 && !text.empty(); ++lines)
            set_field(plan, fuzz::take_line(text), library);
        const PlanReading reading = read_plan(plan, library);
        if (!reading.valid())
            return;
        (void)to_json(reading.plan).dump();
        fuzz::went_all_the_way();
    });
}
