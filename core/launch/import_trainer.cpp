// SPDX-License-Identifier: GPL-3.0-or-later
// Imports configurations of Hugging Face's Trainer and of Accelerate.
#include "launch/trainer_importer.h"

#include "input/diagnostic.h"
#include "launch/accelerate_reading.h"
#include "launch/command_options.h"
#include "launch/deepspeed_document.h"
#include "launch/deepspeed_reading.h"
#include "launch/file_hints.h"
#include "launch/launcher_beside.h"
#include "launch/trainer_reading.h"
#include "launch/yaml_options.h"

#include <algorithm>
#include <array>
#include <utility>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::string_view trainer_mark = "per_device_train_batch_size";

bool knows_trainer(std::string_view option) {
    constexpr std::array<std::string_view, 12> marks{"--per_device_train_batch_size",
                                                     "--gradient_accumulation_steps",
                                                     "--model_name_or_path",
                                                     "--output_dir",
                                                     "--num_train_epochs",
                                                     "--learning_rate",
                                                     "--max_steps",
                                                     "--bf16",
                                                     "--fp16",
                                                     "--gradient_checkpointing",
                                                     "--max_seq_length",
                                                     "--lr_scheduler_type"};
    std::string name(option);
    std::replace(name.begin() + 2, name.end(), '-', '_');
    return std::find(marks.begin(), marks.end(), name) != marks.end();
}

bool is_trainer_script(std::string_view text) {
    return text.find("--per_device_train_batch_size") != std::string_view::npos
        || text.find("--per-device-train-batch-size") != std::string_view::npos;
}

std::vector<LaunchOption> options_of_document(std::string_view text, std::string_view prefix) {
    const Json document = parse_yaml(text);
    if (!document.is_object())
        throw InputError("", "not a YAML mapping", "expected options such as num_processes or learning_rate");
    std::vector<LaunchOption> options = dotted_options(document);
    for (LaunchOption &option : options)
        option.name.insert(0, prefix);
    return options;
}

/// Options of the Accelerate file that came with a script, if any.
std::vector<LaunchOption> accelerate_options_beside(const std::vector<LaunchFile> &files) {
    for (std::size_t i = 1; i < files.size(); ++i)
        if (accelerate_likeness(files[i]) > 0)
            return options_of_document(files[i].text, accelerate_prefix);
    return {};
}

void append(std::vector<LaunchOption> &all, std::vector<LaunchOption> more) {
    std::move(more.begin(), more.end(), std::back_inserter(all));
}

} // namespace

int accelerate_likeness(const LaunchFile &file) {
    const std::string_view text = file.text;
    const auto has = [&](std::string_view word) { return text.find(word) != std::string_view::npos; };
    if (text.starts_with("#!")) // a script may contain such a file as a here-document
        return 0;
    const bool configures = has("distributed_type:") || has("\"distributed_type\"");
    return configures && (has("num_processes") || has("compute_environment")) ? 93 : configures ? 70 : 0;
}

Imported import_accelerate(const std::vector<LaunchFile> &files, const Library &library) {
    const LaunchFile &file = files.front();
    std::vector<LaunchOption> all = options_of_document(file.text, "");
    append(all, deepspeed_options_beside(files, {}));
    const LauncherBeside beside = launcher_beside({files.begin() + 1, files.end()});
    beside.append_to(all);
    LaunchPlan launch(std::move(all));
    launch.name = run_name(file);
    take_named_accelerator(launch, file);
    AccelerateReading accelerate(launch, {"--", ""}, library);
    accelerate.read();
    beside.read(launch);
    if (launch.options.has_any_below(deepspeed_prefix)) {
        OptionNames options(launch.options, {""});
        DeepSpeedReading deepspeed(launch, std::string(deepspeed_prefix),
                                   {.options = &options,
                                    .title = "Accelerate",
                                    .fills_auto = true,
                                    .global_batch = "",
                                    .micro_batch = "",
                                    .accumulation = "deepspeed_config.gradient_accumulation_steps",
                                    .zero_stage = "deepspeed_config.zero_stage",
                                    .bf16 = "mixed_precision",
                                    .fp16 = "mixed_precision"},
                                   library);
        deepspeed.read();
        deepspeed.ignore_the_rest();
    }
    accelerate.ignore_the_rest();
    return finish(std::move(launch), "accelerate", library);
}

int trainer_likeness(const LaunchFile &file) {
    // The Trainer's file comes first, before the Accelerate file and the DeepSpeed JSON that it uses.
    if (deepspeed_likeness(file) > 0)
        return 0;
    const bool named = is_trainer_script(file.text) || file.text.find(trainer_mark) != std::string::npos;
    return named ? 94 : 0;
}

Imported import_trainer(const std::vector<LaunchFile> &files, const Library &library) {
    const LaunchFile &file = files.front();
    LaunchCommand command;
    std::vector<LaunchOption> all;
    if (is_trainer_script(file.text)) {
        command = read_launch_command(file.text, knows_trainer);
        if (command.options.empty())
            throw InputError("", "no command with the Trainer's options",
                             "expected a launch script, or options such as --per_device_train_batch_size");
        append(all, command.launcher);
        append(all, command.options);
    } else {
        append(all, options_of_document(file.text, ""));
    }
    append(all, accelerate_options_beside(files));
    append(all, deepspeed_options_beside(files, command));
    const LauncherBeside beside =
        is_trainer_script(file.text) ? LauncherBeside{} : launcher_beside({files.begin() + 1, files.end()});
    beside.append_to(all);
    LaunchPlan launch(std::move(all));
    launch.name = run_name(file);
    launch.program = command.program;
    take_named_accelerator(launch, file);
    std::vector<LaunchOption> launchers = command.launcher;
    append(launchers, beside.launcher);
    const bool launched = std::any_of(launchers.begin(), launchers.end(), [](const LaunchOption &option) {
        return option.name.starts_with("--num_processes") || option.name.starts_with("--config_file")
            || option.name.starts_with("--use_deepspeed") || option.name.starts_with("--use_fsdp");
    });
    AccelerateReading accelerate(launch, {"--", std::string(accelerate_prefix)}, library);
    if (launched || launch.options.has_any_below(accelerate_prefix))
        accelerate.read();
    read_launcher(launch, command.launcher);
    beside.read(launch);
    TrainerReading trainer(launch, library);
    trainer.read();
    if (launch.options.has_any_below(deepspeed_prefix)) {
        OptionNames options(launch.options, {"--", ""});
        DeepSpeedReading deepspeed(launch, std::string(deepspeed_prefix),
                                   {.options = &options,
                                    .title = "the Trainer",
                                    .fills_auto = true,
                                    .global_batch = "",
                                    .micro_batch = trainer_mark,
                                    .accumulation = "gradient_accumulation_steps",
                                    .zero_stage = "",
                                    .bf16 = "bf16",
                                    .fp16 = "fp16"},
                                   library);
        deepspeed.read();
        deepspeed.ignore_the_rest();
    }
    take_named_model(launch, library);
    accelerate.ignore_the_rest();
    trainer.ignore_the_rest();
    return finish(std::move(launch), "hf-trainer", library);
}

} // namespace meshwright
