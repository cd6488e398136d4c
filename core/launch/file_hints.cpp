// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/file_hints.h"

#include "launch/hub_names.h"
#include "launch/named_accelerator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <sstream>
#include <vector>

namespace meshwright {

namespace {

constexpr std::size_t head_characters = 4000; ///< initial part of a file, in which a comment may name the machine

/// Whether a word refers to another file or website, such as "examples/run_gb200.sh" or "https://...", and so says
/// nothing about this file. "H100/H200" is not such a reference.
bool is_reference(const std::string &word) {
    const std::size_t dot = word.find('.');
    const bool has_ending = dot != std::string::npos && dot + 1 < word.size()
        && std::isalpha(static_cast<unsigned char>(word[dot + 1])) != 0;
    const auto slashes = std::count(word.begin(), word.end(), '/');
    return has_ending || slashes > 1 || (slashes == 1 && word.find('_') != std::string::npos);
}

/// The words of all comments, from "#" to the end of the line, without references. Directives of a batch system are not
/// comments.
std::string comments_in(std::string_view text) {
    std::istringstream lines{std::string(text)};
    std::string comments;
    for (std::string line; std::getline(lines, line);) {
        std::size_t hash = line.find('#');
        while (hash != std::string::npos && hash > 0 && std::isspace(static_cast<unsigned char>(line[hash - 1])) == 0)
            hash = line.find('#', hash + 1);
        const std::string comment = hash == std::string::npos ? std::string() : line.substr(hash);
        if (comment.starts_with("#SBATCH") || comment.starts_with("#PBS") || comment.starts_with("#BSUB"))
            continue;
        std::istringstream words(comment);
        for (std::string word; words >> word;)
            if (!is_reference(word))
                comments += word + ' ';
        comments += '\n';
    }
    return comments;
}

/// The number of accelerators in "... for 128 H100 GPUs": it stands before the word GPUs, with at most one word in
/// between.
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
    std::string &accelerator = launch.machines.accelerator;
    const auto take = [&](std::string_view text, const std::string &why) {
        if (accelerator.empty() && !(accelerator = named_accelerator(text)).empty())
            launch.options.assume("/cluster/accelerator", accelerator, why);
    };
    const auto take_option = [&](std::string_view name) {
        if (const LaunchOption *option = launch.options.find(name))
            take(value_text(option->value), fmt::format("{} names it", name));
    };
    for (const std::string_view request : {"--gres", "--gpus", "--gpus-per-node", "--gpus-per-task", "--constraint",
                                           "-C", "--partition", "-p"}) // options of the batch system
        take_option(request);
    take(std::filesystem::path(file.name).filename().string(), "from the file name");
    for (const std::string_view payer : {"--account", "-A"}) // "project@v100"
        take_option(payer);
    take(comments_in(std::string_view(file.text).substr(0, head_characters)), "mentioned in a comment");
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
                              fmt::format("a comment in the file mentions {} accelerators", *number));
        return;
    }
}

} // namespace meshwright
