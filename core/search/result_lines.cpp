// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/result_lines.h"

#include "input/diagnostic.h"
#include "input/json_document.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace meshwright {

using Json = nlohmann::ordered_json;

ResultLines result_lines(std::string_view text) {
    ResultLines lines;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view line = text.substr(begin, end - begin);
        begin = end + 1;
        if (line.find_first_not_of(" \t\r") == std::string_view::npos)
            continue;
        try {
            lines.results.push_back(parse_json(line));
        } catch (const InputError &) {
            ++lines.unread;
        }
    }
    return lines;
}

std::vector<std::vector<NamedResult>> by_search(std::vector<NamedResult> results) {
    std::vector<std::vector<NamedResult>> searches;
    std::map<std::string, std::size_t> places; // index of each search in `searches`, by its serialized key
    for (NamedResult &result : results) {
        const bool has_key = result.result.is_object() && result.result.contains("key");
        const auto [place, is_new] = places.emplace(has_key ? result.result["key"].dump() : "", searches.size());
        if (is_new)
            searches.emplace_back();
        searches[place->second].push_back(std::move(result));
    }
    return searches;
}

} // namespace meshwright
