// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/file_hints.h"

#include "launch/command_options.h"
#include "launch/hub_names.h"

#include <fmt/format.h>

#include <cctype>
#include <filesystem>
#include <sstream>
#include <vector>

namespace meshwright {

namespace {

constexpr std::size_t head_characters = 4000; ///< beginning of a file, in which a comment may name the machine

/// "... for 128 H100 GPUs": the number in front of the word, with at most one word between.
std::optional<std::int64_t> accelerators_in(const std::string &comment) {
    std::istringstream stream(comment);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) {
        const bool is_noun = word.starts_with("GPUs") || word.starts_with("gpus") || word.starts_with("accelerators");
        for (std::size_t back = 1; is_noun && back <= 2 && back <= words.size(); ++back)
            if (const auto number = spelled_integer(words[words.size() - back]); number && *number >= 1)
                return number;
        words.push_back(std::move(word));
    }
    return std::nullopt;
}

} // namespace

std::string run_name(const LaunchFile &file) {
    return file.name == "-" || file.name.empty() ? std::string("imported run")
                                                 : std::filesystem::path(file.name).stem().string();
}

void take_named_accelerator(LaunchPlan &launch, const LaunchFile &file) {
    if (!launch.machines.accelerator.empty())
        return;
    launch.machines.accelerator = named_accelerator(file.name);
    if (launch.machines.accelerator.empty())
        launch.machines.accelerator = named_accelerator(std::string_view(file.text).substr(0, head_characters));
    if (!launch.machines.accelerator.empty())
        launch.options.assume("/cluster/accelerator", launch.machines.accelerator, "named in the file");
}

void take_named_model(LaunchPlan &launch, const Library &library) {
    constexpr std::size_t longest_name = 100;
    if (!launch.model.empty() || launch.hybrid || (launch.shape.layers && launch.shape.hidden))
        return;
    for (const LaunchOption *option : launch.options.open()) {
        const std::string value = option->value.is_string() ? option->value.get<std::string>() : std::string();
        if (value.size() > longest_name || value.find('/') == std::string::npos)
            continue;
        launch.model = preset_of_hub_name(value, library);
        if (launch.model.empty())
            continue;
        launch.options.assume("/model", launch.model, fmt::format("{} names it", option->name));
        return;
    }
}

void take_commented_accelerators(LaunchPlan &launch, const LaunchFile &file) {
    const LaunchMachines &machines = launch.machines;
    if (machines.accelerators || machines.nodes || machines.per_node || launch.data)
        return;
    const std::int64_t others = launch.value("/parallelism/tensor", 1) * launch.value("/parallelism/pipeline", 1)
        * launch.value("/parallelism/context", 1);
    std::istringstream lines(file.text.substr(0, head_characters));
    for (std::string line; std::getline(lines, line);) {
        const std::size_t hash = line.find('#');
        if (hash == std::string::npos)
            continue;
        const auto number = accelerators_in(line.substr(hash + 1));
        if (!number || others < 1 || *number % others != 0)
            continue;
        launch.machines.accelerators = number;
        launch.options.assume("/cluster/tiers/1/accelerators", *number,
                              fmt::format("a comment of the file names {} accelerators", *number));
        return;
    }
}

} // namespace meshwright
