// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/known_options.h"

#include "catalog/library.h"
#include "launch/launcher_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <mutex>
#include <utility>

namespace meshwright {

namespace {

constexpr const char *by_software = "the plan's software stack accounts for it";
constexpr const char *kept_overlap = "the plan keeps the overlap of its software stack";
constexpr const char *of_run = "does not change memory, step time or the length of the run";

/// The reason why an option sets no plan field, by its section.
constexpr std::pair<std::string_view, const char *> reasons[] = {
    {"overlap", by_software},
    {"software", by_software},
    {"moe", by_software},
    {"nccl", by_software},
    {"checkpoint", of_run},
    {"run", of_run},
    {"", "does not change memory, traffic or step time"},
    {"adapter", "not modeled: adapters would save gradients, optimizer states and their traffic"},
    {"architecture", "not modeled: it shapes a part of the model that plans do not describe"},
    {"unmodeled", "not modeled: it may change memory, traffic or step time"}};

using Sections = std::map<std::pair<std::string, std::string>, std::string, std::less<>>;

/// Read once for each folder of presets. If the table cannot be read, all options count as unknown.
const Sections &sections(const Library &library) {
    static std::mutex mutex;
    static std::map<std::filesystem::path, Sections> known;
    const std::lock_guard lock(mutex);
    const auto [found, is_new] = known.try_emplace(library.own_folder());
    if (!is_new)
        return found->second;
    for (auto &cells : launcher_table(library, "options.csv", {"launcher", "option", "section"}))
        found->second.try_emplace({std::move(cells[0]), std::move(cells[1])}, std::move(cells[2]));
    return found->second;
}

/// Entries of a list share one row: "data_stages.0.name" is "data_stages[].name" in the table.
std::string without_indices(std::string_view option) {
    std::string name;
    while (!option.empty()) {
        const std::size_t end = std::min(option.find('.'), option.size());
        const std::string_view part = option.substr(0, end);
        const bool is_index =
            !name.empty() && !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
        name += is_index ? "[]" : (name.empty() ? "" : ".") + std::string(part);
        option.remove_prefix(std::min(end + 1, option.size()));
    }
    return name;
}

/// The section of an option, or of the nearest parent option that the launcher accepts as a whole ("optimizer.params").
const std::string *section_of(std::string_view launcher, std::string_view option, const Library &library) {
    const Sections &all = sections(library);
    std::pair<std::string, std::string> key{std::string(launcher), without_indices(option)};
    while (true) {
        if (const auto found = all.find(key); found != all.end())
            return &found->second;
        const std::size_t dot = key.second.rfind('.');
        if (dot == std::string::npos)
            return nullptr;
        key.second.erase(dot);
    }
}

} // namespace

bool is_known_option(std::string_view launcher, std::string_view option, const Library &library) {
    return section_of(launcher, option, library) != nullptr;
}

std::string why_ignored(std::string_view launcher, std::string_view option, const Library &library, bool is_off) {
    const std::string *const section = section_of(launcher, option, library);
    if (section == nullptr)
        return fmt::format("not a known option of {}", launcher);
    if (is_off && *section == "overlap")
        return kept_overlap;
    const bool is_unused =
        is_off && *section == "unmodeled" && (option.ends_with(".enabled") || option.ends_with(".enable"));
    const std::string_view reason_of = is_unused ? std::string_view() : *section;
    const auto reason =
        std::find_if(std::begin(reasons), std::end(reasons), [&](const auto &each) { return each.first == reason_of; });
    return reason == std::end(reasons) ? "there is no plan field for it" : reason->second;
}

} // namespace meshwright
