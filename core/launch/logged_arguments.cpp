// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/logged_arguments.h"

#include "launch/command_options.h"
#include "launch/launch_plan.h"
#include "launch/run_of_launch.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace meshwright {

namespace {

using ArgumentJson = nlohmann::ordered_json;

/// The option that sets an argument: "--num-layers" for "num_layers".
std::string option_of_argument(std::string_view argument) {
    // Arguments whose option has a different name.
    constexpr std::array<std::pair<std::string_view, std::string_view>, 2> renamed{
        {{"fp8", "--fp8-format"}, {"fp4", "--fp4-format"}}};
    for (const auto &[name, option] : renamed)
        if (argument == name)
            return std::string(option);
    std::string option = "--" + std::string(argument);
    std::replace(option.begin(), option.end(), '_', '-');
    return option;
}

std::string argument_of_option(const std::string &option) {
    std::string argument = option.starts_with("--") ? option.substr(2) : option;
    std::replace(argument.begin(), argument.end(), '-', '_');
    return argument;
}

std::string option_as_it_is(const std::string &option) {
    return option;
}

/// The arguments that Megatron prints are its options after all defaults have been applied. None and False stand for
/// omitted options. The argument of a --disable option is named after the feature that the option turns off.
std::vector<LaunchOption> options_of_arguments(const TrainingLog &log) {
    std::vector<LaunchOption> options;
    for (const auto &[name, value] : log.arguments) {
        if (name == "add_bias_linear" && value == "False")
            options.push_back({.name = "--disable-bias-linear", .value = true});
        if (value == "None" || value == "False" || value.empty())
            continue;
        std::string text = value;
        if (text.size() > 1 && text.front() == '[' && text.back() == ']') {
            text = text.substr(1, text.size() - 2);
            std::erase(text, ',');
            std::erase(text, '\'');
        }
        options.push_back(
            {.name = option_of_argument(name), .value = value == "True" ? ArgumentJson(true) : ArgumentJson(text)});
    }
    return options;
}

bool knows_shape(std::string_view option) {
    return option == "--num-layers" || option == "--hidden-size" || option == "--seq-length"
        || option == "--micro-batch-size" || option == "--global-batch-size";
}

} // namespace

void set_logged_arguments(const TrainingLog &log, MegatronDialect dialect, MeasuredDocument &run,
                          const Library &library) {
    std::vector<LaunchOption> options = options_of_arguments(log);
    const bool printed = !options.empty();
    if (!printed && !log.command.empty())
        options = read_launch_command(log.command, knows_shape).options;
    if (options.empty())
        return;
    LaunchPlan launch(std::move(options));
    launch.machines.accelerators = launch.options.integer("--world-size", "/cluster/tiers/1/accelerators");
    if (const ArgumentJson *const stated = run.find("/accelerators"); stated != nullptr && stated->is_number())
        launch.machines.accelerators = stated->get<std::int64_t>();
    launch.data = launch.options.integer("--data-parallel-size", "/parallelism/data");
    // Megatron derives this argument from its options and has no option for it.
    const auto chunks = launch.options.integer("--virtual-pipeline-model-parallel-size", "/parallelism/chunks");
    MegatronReading(launch, dialect, library).read();
    if (chunks)
        launch.set("/parallelism/chunks", *chunks);
    set_run_columns(std::move(launch), run, printed ? argument_of_option : option_as_it_is);
}

} // namespace meshwright
