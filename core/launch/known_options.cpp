// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/known_options.h"

#include "catalog/library.h"
#include "evidence/csv_table.h"
#include "input/diagnostic.h"
#include "input/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <mutex>
#include <utility>

namespace meshwright {

namespace {

using Sections = std::map<std::pair<std::string, std::string>, std::string, std::less<>>;

/// Read once for each folder of presets. If a table cannot be read, all options count as unknown.
const Sections &sections(const Library &library) {
    static std::mutex mutex;
    static std::map<std::filesystem::path, Sections> known;
    const std::lock_guard lock(mutex);
    const auto [found, is_new] = known.try_emplace(library.own_folder());
    if (!is_new)
        return found->second;
    try {
        const CsvTable table = read_csv(read_file(library.own_folder() / "launchers" / "options.csv"));
        const std::size_t launcher = table.column("launcher");
        const std::size_t option = table.column("option");
        const std::size_t section = table.column("section");
        if (launcher != CsvTable::missing && option != CsvTable::missing && section != CsvTable::missing)
            for (const auto &row : table.rows)
                found->second.try_emplace({row[launcher], row[option]}, row[section]);
    } catch (const InputError &) {
    } catch (const FileError &) { }
    return found->second;
}

/// Entries of a list share one row: "data_stages.0.name" is "data_stages[].name" in the table.
std::string without_indices(std::string_view option) {
    std::string name;
    while (!option.empty()) {
        const std::size_t end = std::min(option.find('.'), option.size());
        const std::string_view part = option.substr(0, end);
        const bool is_index = !name.empty() && !part.empty() && part.find_first_not_of("0123456789") == part.npos;
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

std::string why_ignored(std::string_view launcher, std::string_view option, const Library &library) {
    const std::string *const section = section_of(launcher, option, library);
    if (section == nullptr)
        return fmt::format("not a known option of {}", launcher);
    if (*section == "overlap" || *section == "software" || *section == "moe" || *section == "nccl")
        return "the plan's software stack accounts for it";
    if (*section == "checkpoint" || *section == "run")
        return "does not change memory, step time or the length of the run";
    if (section->empty())
        return "does not change memory, traffic or step time";
    if (*section == "adapter")
        return "not modeled: adapters would save gradients, optimizer states and their traffic";
    if (*section == "architecture")
        return "not modeled: it shapes a part of the model that plans do not describe";
    if (*section == "unmodeled")
        return "not modeled: it may change memory, traffic or step time";
    return "there is no plan field for it";
}

} // namespace meshwright
