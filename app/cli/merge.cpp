// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/documents.h"
#include "cli/failure.h"
#include "cli/result_lines.h"
#include "cli/search_text.h"
#include "cli/standard_output.h"
#include "cli/verbs.h"
#include "search/merge_shards.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>

namespace meshwright {

namespace {

using Json = nlohmann::ordered_json;

struct MergeArguments {
    std::vector<std::string> files;
    bool json = false;
};

/// A file holds one result, or one a line.
std::vector<NamedResult> load(const std::string &file) {
    std::vector<NamedResult> results;
    if (file.ends_with(".jsonl")) {
        std::vector<Json> lines = readResultLines(file);
        if (lines.empty())
            throw Failure(ExitStatus::fileTrouble, file + ": /: holds no result; lines of search --jsonl are expected");
        for (Json &line : lines)
            results.push_back({.name = file, .result = std::move(line)});
    } else {
        results.push_back({.name = file, .result = naming(file, [&] { return loadDocument(file); })});
    }
    return results;
}

/// Searches in the order in which their first shard comes.
std::vector<std::vector<NamedResult>> bySearch(std::vector<NamedResult> results) {
    std::vector<std::vector<NamedResult>> searches;
    const auto keyOf = [](const NamedResult &named) {
        return named.result.is_object() && named.result.contains("key") ? named.result["key"] : Json();
    };
    for (NamedResult &result : results) {
        const auto same = std::find_if(searches.begin(), searches.end(),
                                       [&](const auto &search) { return keyOf(search.front()) == keyOf(result); });
        if (same == searches.end())
            searches.push_back({std::move(result)});
        else
            same->push_back(std::move(result));
    }
    return searches;
}

void run(const MergeArguments &options) {
    std::vector<NamedResult> results;
    for (const std::string &file : options.files)
        for (NamedResult &result : naming(file, [&] { return load(file); }))
            results.push_back(std::move(result));
    Json merged = Json::array();
    for (const std::vector<NamedResult> &search : bySearch(std::move(results)))
        merged.push_back(naming(search.front().name, [&] { return merge_shards(search); }));
    if (options.json) {
        writeJson(merged.size() == 1 ? merged.front()
                                     : Json{{"schema", "meshwright.sweep/1"}, {"searches", std::move(merged)}});
        return;
    }
    for (const Json &search : merged)
        writeText((merged.size() > 1 ? "\n" + search.value("plan", std::string()) + "\n" : std::string())
                  + searchText(search));
}

} // namespace

void addMerge(CLI::App &program) {
    CLI::App *const verb = program.add_subcommand("merge", "Joins the results of search --shard and of sweeps");
    const auto options = std::make_shared<MergeArguments>();
    verb->add_option("FILE", options->files, "Results of search --json, or files of search --jsonl")->required();
    verb->add_flag("--json", options->json, "Print the result as JSON");
    verb->callback([options] { run(*options); });
}

} // namespace meshwright
