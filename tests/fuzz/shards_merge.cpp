// SPDX-License-Identifier: GPL-3.0-or-later
// Search results, one per line as in a .jsonl file, are grouped by search, merged and printed.
#include "cli/search_text.h"
#include "fuzz_target.h"
#include "input/json_document.h"
#include "search/result_lines.h"

#include <nlohmann/json.hpp>

int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace meshwright;
    return fuzz::refusing([&] {
        std::vector<NamedResult> results;
        for (nlohmann::ordered_json &line : result_lines(fuzz::text_of(data, size)).results)
            results.push_back({.name = "shards.jsonl", .result = std::move(line)});
        for (const std::vector<NamedResult> &search : by_search(std::move(results))) {
            (void)searchText(merge_shards(search));
            fuzz::went_all_the_way();
        }
    });
}
