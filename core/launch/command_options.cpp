// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/command_options.h"

#include "launch/shell_script.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <sstream>
#include <utility>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

bool is_option(std::string_view word) {
    return word.size() > 2 && word.starts_with("--") && std::isalpha(static_cast<unsigned char>(word[2])) != 0;
}

/// "-N", "-n": options of srun and mpirun with one dash.
bool is_short_option(std::string_view word) {
    return word.size() == 2 && word[0] == '-' && std::isalpha(static_cast<unsigned char>(word[1])) != 0;
}

/// Words that a script has quoted together ("bash -c '... --x 1'", "$ARGS" in quotes) are options all the same.
std::vector<std::string> unquoted(const std::vector<std::string> &words) {
    std::vector<std::string> result;
    for (const std::string &word : words) {
        const bool holds_options = word.find_first_of(" \t\n") != std::string::npos
            && (word.find("--") != std::string::npos || word.find(".py") != std::string::npos);
        if (!holds_options) {
            result.push_back(word);
            continue;
        }
        for (const std::vector<std::string> &inner : read_shell_script(word).commands)
            result.insert(result.end(), inner.begin(), inner.end());
    }
    return result;
}

Json value_of(std::vector<std::string> words) {
    for (std::string &word : words) // a value quoted once more: '"99,1,0"'
        if (word.size() > 1 && (word.front() == '"' || word.front() == '\'') && word.back() == word.front())
            word = word.substr(1, word.size() - 2);
    if (words.empty())
        return true;
    return words.size() == 1 ? Json(words.front()) : Json(words);
}

std::string with_dashes(std::string name) {
    std::replace(name.begin(), name.end(), '_', '-');
    return name;
}

/// "s/A/B/" and "s|A|B|g" of a sed command.
void add_substitutions(const std::vector<std::string> &command,
                       std::vector<std::pair<std::string, std::string>> &substitutions) {
    if (command.empty() || !command.front().ends_with("sed"))
        return;
    for (const std::string &word : command) {
        if (word.size() < 4 || word[0] != 's' || std::isalnum(static_cast<unsigned char>(word[1])) != 0)
            continue;
        const std::size_t middle = word.find(word[1], 2);
        const std::size_t end = middle == std::string::npos ? middle : word.find(word[1], middle + 1);
        if (end != std::string::npos && middle > 2)
            substitutions.emplace_back(word.substr(2, middle - 2), word.substr(middle + 1, end - middle - 1));
    }
}

} // namespace

std::vector<LaunchOption> options_of(const std::vector<std::string> &words) {
    std::vector<LaunchOption> options;
    for (std::size_t i = 0; i < words.size();) {
        const std::string &word = words[i++];
        if (!is_option(word) && !is_short_option(word))
            continue;
        const std::size_t equals = is_option(word) ? word.find('=') : std::string::npos;
        std::vector<std::string> values;
        if (equals != std::string::npos)
            values.push_back(word.substr(equals + 1));
        else
            while (i < words.size() && !is_option(words[i]) && !is_short_option(words[i]))
                values.push_back(words[i++]);
        options.push_back({.name = word.substr(0, equals), .value = value_of(std::move(values))});
    }
    return options;
}

LaunchCommand read_launch_command(std::string_view text, bool (*knows)(std::string_view option)) {
    ShellScript script = read_shell_script(text);
    LaunchCommand result;
    // A list with one option a line reads as commands that begin with options: they belong to what stands before.
    std::vector<std::vector<std::string>> commands;
    for (std::vector<std::string> &command : script.commands) {
        add_substitutions(command, result.substitutions);
        std::vector<std::string> words = unquoted(command);
        if (!commands.empty() && !words.empty() && is_option(words.front()))
            commands.back().insert(commands.back().end(), words.begin(), words.end());
        else
            commands.push_back(std::move(words));
    }
    const std::vector<std::string> *best = nullptr;
    std::ptrdiff_t most = 0;
    for (const std::vector<std::string> &command : commands) {
        const auto known = std::count_if(command.begin(), command.end(), [&](const std::string &word) {
            return is_option(word) && knows(word.substr(0, word.find('=')));
        });
        if (known > most) {
            most = known;
            best = &command;
        }
    }
    result.documents = std::move(script.documents);
    if (!script.directives.empty())
        for (LaunchOption &option : options_of(script.directives))
            result.launcher.push_back(std::move(option));
    if (best == nullptr)
        return result;
    // The last program before the first option that the training program knows.
    const auto first_known = std::find_if(best->begin(), best->end(), [&](const std::string &word) {
        return is_option(word) && knows(word.substr(0, word.find('=')));
    });
    auto program = best->end();
    for (auto word = best->begin(); word != first_known; ++word)
        if (word->ends_with(".py"))
            program = word;
    const auto options_begin = program == best->end() ? first_known : program + 1;
    if (program != best->end())
        result.program = *program;
    for (LaunchOption &option : options_of({best->begin(), program == best->end() ? first_known : program}))
        if (option.name != "-u" && option.name != "-m") // of Python itself: "python -u -m torch.distributed.run"
            result.launcher.push_back(std::move(option));
    result.options = options_of({options_begin, best->end()});
    return result;
}

void read_launcher(LaunchPlan &launch, const std::vector<LaunchOption> &options) {
    OptionList &list = launch.options;
    constexpr std::array<std::string_view, 5> per_node{"--nproc-per-node", "--num-gpus", "--gpus-per-node", "--gres",
                                                       "--gpus-per-task"};
    constexpr std::array<std::string_view, 4> nodes{"--nnodes", "--num-nodes", "--nodes", "-N"};
    for (const LaunchOption &option : options) {
        if (!list.is_open(option.name))
            continue;
        const std::string name = with_dashes(option.name);
        const bool is_per_node = std::find(per_node.begin(), per_node.end(), name) != per_node.end();
        const bool is_nodes = std::find(nodes.begin(), nodes.end(), name) != nodes.end();
        std::string text = value_text(option.value);
        if (const std::size_t colon = text.rfind(':'); is_per_node && colon != std::string::npos)
            text = text.substr(colon + 1); // "gpu:8", "1:4" of an elastic launch
        const auto number = spelled_integer(text);
        if (is_per_node && number && *number >= 1) {
            launch.machines.per_node = number;
            list.understand(option.name, "/cluster/accelerators_per_node");
        } else if (is_nodes && number && *number >= 1) {
            launch.machines.nodes = number;
            list.understand(option.name, "/cluster/tiers/1/accelerators");
        } else if ((is_per_node || is_nodes) && is_unresolved(text)) {
            list.ignore(option.name, text + " is known only where the script runs");
        } else {
            list.ignore(option.name, "an option of the launcher");
        }
    }
}

std::string named_accelerator(std::string_view text) {
    std::string words;
    for (const char c : text)
        words += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    constexpr std::array<std::pair<std::string_view, std::string_view>, 10> names{{{"gb300", "gb300"},
                                                                                   {"gb200", "gb200"},
                                                                                   {"b300", "b300"},
                                                                                   {"b200", "b200"},
                                                                                   {"h200", "h200-sxm-141gb"},
                                                                                   {"h100", "h100-sxm-80gb"},
                                                                                   {"a100", "a100-sxm-80gb"},
                                                                                   {"mi300", "mi300x"},
                                                                                   {"mi355", "mi355x"},
                                                                                   {"v100", "v100-sxm2-32gb"}}};
    for (const auto &[name, id] : names) {
        const std::size_t at = words.find(name);
        if (at == std::string::npos)
            continue;
        const bool starts = at == 0 || std::isalnum(static_cast<unsigned char>(words[at - 1])) == 0;
        if (starts)
            return std::string(id);
    }
    return {};
}

} // namespace meshwright
