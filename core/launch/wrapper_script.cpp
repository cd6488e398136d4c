// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/wrapper_script.h"

#include "launch/hub_names.h"
#include "launch/shell_calls.h"
#include "launch/shell_script.h"
#include "launch/shell_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace meshwright {

namespace {

/// A variable with the same meaning in the model zoos of NVIDIA, AMD and Alibaba.
struct PlainVariable {
    std::string_view name;
    std::string_view option; ///< the option of Megatron-LM or torchrun that receives the value
};
constexpr PlainVariable plain_variables[] = {
    {"TP", "--tensor-model-parallel-size"},
    {"TP_SIZE", "--tensor-model-parallel-size"},
    {"TENSOR_MODEL_PARALLEL_SIZE", "--tensor-model-parallel-size"},
    {"PP", "--pipeline-model-parallel-size"},
    {"PP_SIZE", "--pipeline-model-parallel-size"},
    {"PIPELINE_MODEL_PARALLEL_SIZE", "--pipeline-model-parallel-size"},
    {"CP", "--context-parallel-size"},
    {"CP_SIZE", "--context-parallel-size"},
    {"CONTEXT_PARALLEL_SIZE", "--context-parallel-size"},
    {"EP", "--expert-model-parallel-size"},
    {"EP_SIZE", "--expert-model-parallel-size"},
    {"EXPERT_MODEL_PARALLEL_SIZE", "--expert-model-parallel-size"},
    {"ETP", "--expert-tensor-parallel-size"},
    {"ETP_SIZE", "--expert-tensor-parallel-size"},
    {"MBS", "--micro-batch-size"},
    {"MICRO_BATCH_SIZE", "--micro-batch-size"},
    {"GBS", "--global-batch-size"},
    {"GLOBAL_BATCH_SIZE", "--global-batch-size"},
    {"SEQ_LEN", "--seq-length"},
    {"SEQ_LENGTH", "--seq-length"},
    {"SEQUENCE_LENGTH", "--seq-length"},
    {"NUM_LAYERS", "--num-layers"},
    {"HIDDEN_SIZE", "--hidden-size"},
    {"TRAIN_ITERS", "--train-iters"},
    {"PR", "--mixed-precision"},
    {"PRECISION", "--mixed-precision"},
    {"NNODES", "--nnodes"},
    {"NUM_NODES", "--nnodes"},
    {"GPUS_PER_NODE", "--nproc-per-node"},
    {"NPROC_PER_NODE", "--nproc-per-node"},
};

const PlainVariable *plain_variable(std::string_view name) {
    const auto found = std::find_if(std::begin(plain_variables), std::end(plain_variables),
                                    [&](const PlainVariable &each) { return each.name == name; });
    return found == std::end(plain_variables) ? nullptr : found;
}

bool names_model(std::string_view variable) {
    return variable == "MODEL" || variable == "MODEL_NAME";
}

/// Whether a text sets a variable: "TP=8" at the beginning of a word.
bool sets(std::string_view text, std::string_view variable) {
    for (std::size_t at = text.find(variable); at != std::string_view::npos; at = text.find(variable, at + 1)) {
        const std::size_t end = at + variable.size();
        if (end < text.size() && text[end] == '=' && (at == 0 || !is_shell_name(text[at - 1])))
            return true;
    }
    return false;
}

constexpr std::ptrdiff_t fewest_variables = 2; ///< one variable alone does not identify a wrapper script

bool tells_of_a_run(const ShellVariables &environment) {
    return std::count_if(environment.begin(), environment.end(),
                         [](const auto &each) {
                             return plain_variable(each.first) != nullptr && !each.second.empty()
                                 && !is_unresolved(each.second);
                         })
        >= fewest_variables;
}

} // namespace

std::vector<std::string_view> environment_names(std::string_view option) {
    std::vector<std::string_view> names;
    for (const PlainVariable &each : plain_variables)
        if (each.option == option)
            names.push_back(each.name);
    return names;
}

int wrapper_likeness(const LaunchFile &file) {
    if (file.text.find(".sh") == std::string::npos)
        return 0;
    const auto count = std::count_if(std::begin(plain_variables), std::end(plain_variables),
                                     [&](const PlainVariable &each) { return sets(file.text, each.name); });
    if (count < fewest_variables)
        return 0;
    const ShellScript script = read_shell_script(file.text);
    return std::any_of(script.calls.begin(), script.calls.end(),
                       [](const ShellCall &each) { return tells_of_a_run(each.environment); })
        ? 45
        : 0;
}

std::vector<LaunchFile> from_calling_script(const std::vector<LaunchFile> &files) {
    std::vector<LaunchFile> ordered = files;
    for (std::size_t step = 1; step < files.size(); ++step) {
        const std::string name = script_name(ordered.front().name);
        const auto caller = std::find_if(ordered.begin() + 1, ordered.end(), [&](const LaunchFile &each) {
            if (each.text.find(name) == std::string::npos)
                return false;
            const ShellScript script = read_shell_script(each.text);
            return std::any_of(script.calls.begin(), script.calls.end(),
                               [&](const ShellCall &call) { return call.script == name; });
        });
        if (caller == ordered.end())
            break;
        std::rotate(ordered.begin(), caller, caller + 1);
    }
    return ordered;
}

std::optional<std::size_t> wrapped_call(const LaunchCommand &command) {
    if (command.call)
        return command.call;
    for (std::size_t i = 0; i < command.calls.size() && command.options.empty(); ++i)
        if (tells_of_a_run(command.calls[i].environment))
            return i;
    return std::nullopt;
}

std::vector<LaunchOption> options_of_call(const ScriptCall &call) {
    std::vector<LaunchOption> options;
    for (const auto &[name, value] : call.environment)
        options.push_back({.name = name, .value = value});
    options.insert(options.end(), call.options.begin(), call.options.end());
    return options;
}

void read_call(LaunchPlan &launch, const ScriptCall &call, const Library &library) {
    OptionList &options = launch.options;
    for (const auto &[name, value] : call.environment) {
        const PlainVariable *const variable = plain_variable(name);
        if (value.empty()) {
            options.ignore(name, "no value, so the script's default applies");
        } else if (variable != nullptr && variable->option == "--nnodes") {
            launch.machines.nodes = options.integer(name, "/cluster/tiers/1/accelerators");
        } else if (variable != nullptr && variable->option == "--nproc-per-node") {
            launch.machines.per_node = options.integer(name, "/cluster/accelerators_per_node");
        } else if (names_model(name) && !preset_of_hub_name(value, library).empty()) {
            launch.model = preset_of_hub_name(value, library);
            options.understand(name, "/model");
        } else if (names_model(name)) {
            launch.model_name = value;
            options.ignore(name, "no preset has this model name");
        } else if (variable == nullptr) {
            options.ignore(name, fmt::format("its effect depends on {}", call.script));
        }
    }
}

std::vector<LaunchOption> filled_options(std::vector<LaunchOption> options, const ShellVariables &variables) {
    ShellVariables known = variables;
    ShellWords words(known);
    for (LaunchOption &option : options)
        if (option.value.is_string() && is_unresolved(option.value.get_ref<const std::string &>()))
            option.value = words.value_of(option.value.get<std::string>());
    return options;
}

} // namespace meshwright
