// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/launcher_beside.h"

#include "launch/command_options.h"
#include "launch/shell_calls.h"
#include "launch/wrapper_script.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>
#include <utility>

namespace meshwright {

bool is_shell_script(const LaunchFile &file) {
    const std::string_view first = std::string_view(file.text).substr(0, file.text.find('\n'));
    return has_script_ending(file.name) || (first.starts_with("#!") && first.find("sh") != std::string_view::npos);
}

void LauncherBeside::append_to(std::vector<LaunchOption> &options) const {
    options.insert(options.end(), launcher.begin(), launcher.end());
    options.insert(options.end(), program.begin(), program.end());
}

void LauncherBeside::read(LaunchPlan &launch) const {
    read_launcher(launch, launcher);
    for (const LaunchOption &option : program)
        if (launch.options.is_open(option.name))
            launch.options.ignore(option.name, "an option of the training program");
}

LauncherBeside launcher_beside(const std::vector<LaunchFile> &others) {
    std::vector<LaunchFile> scripts;
    std::copy_if(others.begin(), others.end(), std::back_inserter(scripts), is_shell_script);
    if (scripts.empty())
        return {};
    scripts = from_calling_script(scripts);
    LaunchCommand command = read_launcher_command(scripts.front().text, {scripts.begin() + 1, scripts.end()});
    for (const ScriptCall &call : command.calls) // "GPUS_PER_NODE=4 bash train.sh"
        for (const auto &[name, value] : call.environment)
            if (counts_machines(name))
                command.launcher.push_back({.name = name, .value = value});
    // Adds the options of scripts that the first one does not call, or calls in a way that only a running shell could
    // follow.
    for (std::size_t i = 1; i < scripts.size(); ++i)
        for (LaunchOption &option : read_launcher_command(scripts[i].text, {}).launcher)
            if (std::none_of(command.launcher.begin(), command.launcher.end(),
                             [&](const LaunchOption &each) { return each.name == option.name; }))
                command.launcher.push_back(std::move(option));
    return {.launcher = std::move(command.launcher), .program = std::move(command.options)};
}

} // namespace meshwright
