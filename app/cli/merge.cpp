// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/documents.h"
#include "cli/failure.h"
#include "cli/result_lines.h"
#include "cli/search_text.h"
#include "cli/standard_output.h"
#include "cli/verbs.h"
#include "search/result_lines.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace meshwright {

namespace {

using Json = nlohmann::ordered_json;

struct MergeArguments {
    std::vector<std::string> files;
    bool json = false;
};

/// Loads a file that has one result or, if its name ends in .jsonl, one result per line.
/// @param unread  increased by the number of unreadable lines
std::vector<NamedResult> load(const std::string &file, std::size_t &unread) {
    std::vector<NamedResult> results;
    if (file.ends_with(".jsonl")) {
        ResultLines lines = readResultLines(file);
        if (lines.results.empty())
            throw Failure(ExitStatus::fileTrouble, file + ": /: has no result; expected lines of search --jsonl");
        for (Json &line : lines.results)
            results.push_back({.name = file, .result = std::move(line)});
        unread += lines.unread;
    } else {
        results.push_back({.name = file, .result = naming(file, [&] { return loadDocument(file); })});
    }
    return results;
}

void run(const MergeArguments &options) {
    std::vector<NamedResult> results;
    std::size_t unread = 0;
    for (const std::string &file : options.files)
        for (NamedResult &result : naming(file, [&] { return load(file, unread); }))
            results.push_back(std::move(result));
    Json merged = Json::array();
    for (const std::vector<NamedResult> &search : by_search(std::move(results)))
        merged.push_back(naming(search.front().name, [&] { return merge_shards(search); }));
    if (options.json) {
        Json answer = merged.size() == 1 ? std::move(merged.front())
                                         : Json{{"schema", "meshwright.sweep/1"}, {"searches", std::move(merged)}};
        if (unread > 0)
            answer["unread_lines"] = unread;
        writeJson(answer);
        return;
    }
    for (const Json &search : merged)
        writeText((merged.size() > 1 ? "\n" + search.value("plan", std::string()) + "\n" : std::string())
                  + searchText(search));
    if (unread > 0)
        writeText(fmt::format("\nUnreadable lines: {}; their results are missing\n", unread));
}

} // namespace

void addMerge(CLI::App &program) {
    CLI::App *const verb = program.add_subcommand("merge", "Merge the results of search --shard and of sweeps");
    const auto options = std::make_shared<MergeArguments>();
    verb->add_option("FILE", options->files, "Results of search --json, or files of search --jsonl")->required();
    verb->add_flag("--json", options->json, "Print the result as JSON");
    verb->callback([options] { run(*options); });
}

} // namespace meshwright
