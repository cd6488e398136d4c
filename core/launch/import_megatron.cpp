// SPDX-License-Identifier: GPL-3.0-or-later
// Imports configurations of Megatron-LM and Megatron-DeepSpeed (a shell script, a list of options or a YAML file with
// MODEL_ARGS) and of Megatron-Bridge and NeMo (YAML).
#include "launch/megatron_importers.h"

#include "input/diagnostic.h"
#include "launch/command_options.h"
#include "launch/deepspeed_document.h"
#include "launch/deepspeed_reading.h"
#include "launch/file_hints.h"
#include "launch/hub_names.h"
#include "launch/known_options.h"
#include "launch/launch_plan.h"
#include "launch/launcher_beside.h"
#include "launch/megatron_reading.h"
#include "launch/nemo_overrides.h"
#include "launch/wrapper_script.h"
#include "launch/yaml_options.h"
#include "launch/yaml_references.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <sstream>
#include <utility>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

/// The reason for ignoring what the files of functional tests state in addition to the training.
constexpr const char *why_not_training = "configures the environment or the test, not the training";

/// Whether an option identifies a command as Megatron's.
bool knows(std::string_view option) {
    constexpr std::array<std::string_view, 14> marks{"--num-layers",
                                                     "--hidden-size",
                                                     "--num-attention-heads",
                                                     "--micro-batch-size",
                                                     "--global-batch-size",
                                                     "--seq-length",
                                                     "--tensor-model-parallel-size",
                                                     "--pipeline-model-parallel-size",
                                                     "--train-iters",
                                                     "--train-samples",
                                                     "--max-position-embeddings",
                                                     "--encoder-num-layers",
                                                     "--hybrid-layer-pattern",
                                                     "--use-distributed-optimizer"};
    return std::find(marks.begin(), marks.end(), option) != marks.end();
}

/// Options in MODEL_ARGS: "[a b c]" is several words, true a flag, false an option that is left out. Values are pasted
/// into a command line, so the shell removes their quotes.
std::vector<LaunchOption> model_arguments(const Json &document) {
    std::vector<LaunchOption> options;
    for (const auto &item : document.items()) {
        const Json &value = item.value();
        if (item.key() != "MODEL_ARGS" || !value.is_object()) {
            for (LaunchOption &each : dotted_options(Json{{item.key(), value}}))
                options.push_back(std::move(each));
            continue;
        }
        for (const auto &argument : value.items()) {
            Json stated = argument.value();
            if (stated.is_string())
                stated = without_quotes(stated.get_ref<const std::string &>());
            if (stated.is_string() && stated.get_ref<const std::string &>().starts_with("[")
                && stated.get_ref<const std::string &>().ends_with("]")) {
                std::istringstream words(stated.get<std::string>().substr(1, stated.get<std::string>().size() - 2));
                stated = Json::array();
                for (std::string word; words >> word;)
                    stated.push_back(word);
            }
            options.push_back({.name = argument.key(), .value = std::move(stated)});
        }
    }
    return options;
}

/// Removes the flags that a YAML file sets to false, since a command line would leave them out.
/// @param variables  environment variables that are read like options
void leave_out_false(OptionList &options, const ShellVariables &variables) {
    for (const LaunchOption *option : options.open())
        if (option->name.starts_with("--") && option->value.is_boolean() && !option->value.get<bool>())
            options.ignore(option->name, "false: the flag is not passed on the command line");
        else if (!option->name.starts_with("--") && !option->name.starts_with(deepspeed_prefix)
                 && !variables.contains(option->name))
            options.ignore(option->name, why_not_training);
}

/// Options of a run, and the call of a missing script that contains the other options.
struct MegatronOptions {
    LaunchPlan launch;
    std::optional<ScriptCall> call;
};

/// Options of the script, and of the DeepSpeed JSON that came with it.
MegatronOptions read_arguments(const std::vector<LaunchFile> &files) {
    LaunchCommand command = read_launch_command(files.front().text, knows, {files.begin() + 1, files.end()});
    if (command.options.empty() && !wrapped_call(command)) // the called scripts are missing or contain no options
        command = read_launch_command(files.front().text, knows);
    std::optional<ScriptCall> called;
    if (const auto call = wrapped_call(command)) {
        called = command.calls[*call];
        command.options = options_of_call(*called);
    }
    if (command.options.empty())
        throw InputError("", "no command with Megatron's options",
                         "expected a launch script, or options such as --num-layers");
    std::vector<LaunchOption> all = command.launcher;
    all.insert(all.end(), command.options.begin(), command.options.end());
    for (LaunchOption &option : deepspeed_options_beside(files, command))
        all.push_back(std::move(option));
    LaunchPlan launch(std::move(all));
    launch.program = command.program;
    read_launcher(launch, command.launcher);
    return {.launch = std::move(launch), .call = std::move(called)};
}

/// Completes the options of MODEL_ARGS. If their YAML file came with a script, also reads the variables and options
/// that it passes on.
MegatronOptions with_calling_script(std::vector<LaunchOption> options, const std::vector<LaunchFile> &files) {
    for (std::size_t i = 1; i < files.size(); ++i) {
        LaunchCommand command = read_launch_command(files[i].text, knows);
        const auto call = wrapped_call(command);
        if (!call)
            continue;
        options = filled_options(std::move(options), command.calls[*call].environment);
        for (LaunchOption &option : options_of_call(command.calls[*call]))
            options.push_back(std::move(option));
        return {.launch = LaunchPlan(std::move(options)), .call = std::move(command.calls[*call])};
    }
    return {.launch = LaunchPlan(std::move(options)), .call = {}};
}

/// Reads the machines of NeMo's trainer.
void read_trainer(LaunchPlan &launch) {
    if (const auto nodes = launch.options.integer("trainer.num_nodes", "/cluster/tiers/1/accelerators"))
        launch.machines.nodes = nodes;
    if (const auto devices = launch.options.integer("trainer.devices", "/cluster/accelerators_per_node"))
        launch.machines.per_node = devices;
}

/// The reason for ignoring an option that is not a field that NeMo 2 and Megatron-Bridge share.
std::string why_ignored_in_nemo_2(std::string_view name, const Library &library) {
    if (is_known_option("nemo-2", name, library))
        return why_ignored("nemo-2", name, library);
    return name.starts_with("ENV_VARS.") || name.find('.') == std::string_view::npos ? why_not_training
                                                                                     : unknown_effect;
}

/// Imports MODEL_ARGS that override a recipe of NeMo 2.
Imported import_nemo_2(const LaunchFile &file, std::vector<LaunchOption> options, const Library &library) {
    std::map<std::string, std::string> own_names; ///< by Megatron-Bridge's name
    for (LaunchOption &option : options)
        if (std::string name = bridge_name_of_nemo_2(option.name); !name.empty()) {
            own_names.insert_or_assign(name, option.name); // of the last one, which takes effect
            option.name = std::move(name);
        }
    LaunchPlan launch(std::move(options));
    launch.name = run_name(file);
    take_named_accelerator(launch, file);
    read_trainer(launch);
    launch.stack = "nemo-2024";
    launch.options.assume("/stack", launch.stack, "overrides of a NeMo 2 recipe");
    MegatronReading reading(launch, MegatronDialect::nemo_2, library);
    reading.read();
    if (launch.shape.layers)
        launch.options.assume("/model", "Megatron's defaults for what the file does not state",
                              "the recipe, which is not given, may set other values");
    for (const LaunchOption *const option : launch.options.open())
        if (!own_names.contains(option->name))
            launch.options.ignore(option->name, why_ignored_in_nemo_2(option->name, library));
    reading.ignore_the_rest();
    Imported imported = finish(std::move(launch), "megatron", library);
    const auto restore = [&](std::string &name) {
        if (const auto own = own_names.find(name); own != own_names.end())
            name = own->second;
    };
    for (UnderstoodOption &each : imported.understood)
        restore(each.option);
    for (IgnoredOption &each : imported.ignored)
        restore(each.option);
    for (LaunchFault &each : imported.faults)
        restore(each.option);
    return imported;
}

bool is_deepspeed(const LaunchPlan &launch) {
    return launch.options.has("--deepspeed") || launch.options.has("--deepspeed_config")
        || launch.options.has("--zero-stage") || launch.options.has("--ds-sequence-parallel-size")
        || launch.options.has("--pp-partition-method");
}

/// Reads the settings that the options and the DeepSpeed JSON have in common.
void read_deepspeed_beside(LaunchPlan &launch, const Library &library) {
    OptionNames options(launch.options, {""});
    const DeepSpeedCaller caller{.options = &options,
                                 .title = "Megatron-DeepSpeed",
                                 .global_batch = "--global-batch-size",
                                 .micro_batch = "--micro-batch-size",
                                 .accumulation = "",
                                 .zero_stage = "--zero-stage",
                                 .bf16 = "--bf16",
                                 .fp16 = "--fp16"};
    DeepSpeedReading reading(launch, std::string(deepspeed_prefix), caller, library);
    reading.read();
    reading.ignore_the_rest();
}

bool is_yaml(std::string_view text) {
    return text.find("MODEL_ARGS:") != std::string_view::npos;
}

/// Takes the model's shape from the recipe that the overrides modify. Returns the recipe's name; empty if the file
/// names none.
std::string take_recipe(LaunchPlan &launch, const Library &library) {
    for (const std::string_view name : {"--recipe", "--recipe_name", "--recipe-name", "--model_recipe_name"}) {
        const LaunchOption *const option = launch.options.find(name);
        if (option == nullptr || !option->value.is_string())
            continue;
        const auto &recipe = option->value.get_ref<const std::string &>();
        launch.model = preset_of_recipe(recipe, library);
        if (launch.model.empty()) {
            launch.model_name = recipe;
            launch.options.ignore(name, "no preset has this model name");
        } else {
            launch.options.understand(name, "/model");
        }
        return recipe;
    }
    return {};
}

/// Whether the recipe's name, the NeMo launcher stage or the PEFT scheme shows that the run trains adapters.
bool trains_adapters(const LaunchPlan &launch, std::string_view recipe, std::string_view stage) {
    if (recipe.find("_peft") != std::string_view::npos || recipe.find("_lora") != std::string_view::npos)
        return true;
    const LaunchOption *const scheme = launch.options.find("model.peft.peft_scheme");
    return scheme == nullptr ? stage == "peft" : scheme->value.is_string() && scheme->value != "none";
}

std::size_t occurrences(std::string_view text, std::initializer_list<std::string_view> words) {
    return static_cast<std::size_t>(std::count_if(
        words.begin(), words.end(), [&](std::string_view word) { return text.find(word) != std::string_view::npos; }));
}

} // namespace

int megatron_likeness(const LaunchFile &file) {
    if (is_yaml(file.text))
        return 95;
    const std::size_t marks =
        occurrences(file.text,
                    {"--num-layers", "--hidden-size", "--num-attention-heads", "--micro-batch-size",
                     "--tensor-model-parallel-size", "--seq-length", "--train-iters", "--train-samples"});
    return marks >= 3 ? 90 : marks >= 2 ? 50 : wrapper_likeness(file);
}

Imported import_megatron(const std::vector<LaunchFile> &given, const Library &library) {
    const bool yaml = is_yaml(given.front().text);
    std::vector<LaunchOption> options;
    if (yaml)
        options = model_arguments(parse_yaml(given.front().text));
    if (override_nemo_2(options))
        return import_nemo_2(given.front(), std::move(options), library);
    const std::vector<LaunchFile> files = yaml ? given : from_calling_script(given);
    auto [launch, call] = yaml ? with_calling_script(std::move(options), files) : read_arguments(files);
    launch.name = run_name(files.front());
    leave_out_false(launch.options, call ? call->environment : ShellVariables());
    for (const LaunchFile &file : files)
        take_named_accelerator(launch, file);
    if (call)
        read_call(launch, *call, library);
    const bool deepspeed = is_deepspeed(launch);
    const bool zero_bubble = launch.options.has("--enable-zbh1-pipeline");
    launch.stack = !deepspeed ? "megatron-core-2025"
        : zero_bubble         ? "megatron-deepspeed-2024"
                              : "megatron-deepspeed-2022";
    launch.options.assume("/stack", launch.stack,
                          deepspeed ? "options of Megatron-DeepSpeed"
                                    : "options of Megatron-LM; the current release is assumed");
    MegatronReading reading(launch, deepspeed ? MegatronDialect::megatron_deepspeed : MegatronDialect::megatron_lm,
                            library);
    if (call && !yaml)
        reading.miss(call->script);
    reading.read();
    if (launch.options.has_any_below(deepspeed_prefix))
        read_deepspeed_beside(launch, library);
    reading.ignore_the_rest();
    return finish(std::move(launch), "megatron", library);
}

int megatron_bridge_likeness(const LaunchFile &file) {
    const std::size_t marks = occurrences(file.text,
                                          {"tensor_model_parallel_size", "pipeline_model_parallel_size",
                                           "micro_batch_size", "global_batch_size", "train_iters",
                                           "virtual_pipeline_model_parallel_size", "recompute_granularity"});
    const bool has_options = file.text.find("--num-layers") != std::string::npos;
    return has_options ? 0 : has_nemo_overrides(file.text) ? 88 : marks >= 3 ? 85 : marks >= 2 ? 60 : 0;
}

Imported import_megatron_bridge(const std::vector<LaunchFile> &files, const Library &library) {
    const LaunchFile &file = files.front();
    std::vector<LaunchOption> options;
    std::vector<LaunchOption> launcher;
    std::string program;
    const std::size_t colon = file.text.find(':');
    const std::size_t equals = file.text.find('=');
    std::string stage;
    std::vector<LaunchOption> overrides;
    if (file.text.starts_with("#!") || colon == std::string::npos || equals < colon) {
        LaunchCommand command = read_override_command(file.text);
        options = std::move(command.options);
        launcher = std::move(command.launcher);
        program = std::move(command.program);
        if (options.empty())
            throw InputError("", "no section.field=value arguments",
                             "expected overrides of a Megatron-Bridge recipe, or YAML");
        stage = nemo_stage(options);
        if (!stage.empty()) {
            overrides = options;
            options = nemo_options(overrides, stage, {files.begin() + 1, files.end()});
        }
    } else {
        const Json document = parse_yaml(file.text);
        if (!document.is_object())
            throw InputError("", "not a YAML mapping", "expected sections such as model, train and optimizer");
        options = dotted_options(with_references_filled(document));
        for (std::size_t i = 1; i < files.size(); ++i) // a script's overrides take effect over the file's values
            if (is_shell_script(files[i]))
                for (LaunchOption &option : read_override_command(files[i].text).options)
                    options.push_back(std::move(option));
    }
    options.insert(options.begin(), launcher.begin(), launcher.end());
    const LauncherBeside beside = launcher_beside({files.begin() + 1, files.end()});
    beside.append_to(options);
    LaunchPlan launch(std::move(options));
    launch.program = std::move(program);
    const std::string recipe = take_recipe(launch, library);
    read_launcher(launch, launcher);
    beside.read(launch);
    launch.name = run_name(file);
    const bool nemo = !stage.empty() || launch.options.has("trainer.num_nodes") || launch.options.has("trainer.devices")
        || launch.options.has("model.encoder_seq_length");
    if (nemo)
        read_trainer(launch);
    take_named_accelerator(launch, file);
    launch.stack = nemo ? "nemo-2024" : "megatron-bridge-2025";
    launch.options.assume("/stack", launch.stack, nemo ? "a NeMo launcher file" : "overrides of Megatron-Bridge");
    MegatronReading reading(launch, nemo ? MegatronDialect::nemo : MegatronDialect::megatron_bridge, library);
    reading.override_recipe(recipe);
    if (!stage.empty())
        reading.miss(take_nemo_file(launch, stage, files.size() > 1, library));
    if (!launch.options.has("model.num_layers"))
        take_named_model(launch, library);
    reading.read();
    take_named_model(launch, library);
    take_commented_accelerators(launch, file);
    if (trains_adapters(launch, recipe, stage))
        launch.options.assume("/optimizer", "trains all weights", "the run trains adapters, which are not modeled");
    reading.ignore_the_rest();
    Imported imported = finish(std::move(launch), "megatron-bridge", library);
    if (!stage.empty())
        restore_nemo_names(imported, overrides, stage);
    return imported;
}

} // namespace meshwright
