// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/deepspeed_importer.h"

#include "input/diagnostic.h"
#include "launch/command_options.h"
#include "launch/deepspeed_document.h"
#include "launch/deepspeed_reading.h"
#include "launch/file_hints.h"
#include "launch/launcher_beside.h"
#include "launch/megatron_importers.h"
#include "launch/trainer_importer.h"

#include <algorithm>
#include <string>
#include <utility>

namespace meshwright {

namespace {

/// Puts the file that starts the program first, and its DeepSpeed JSON after it.
std::vector<LaunchFile> with_caller_first(const std::vector<LaunchFile> &files, int (*likeness)(const LaunchFile &)) {
    std::vector<LaunchFile> ordered = files;
    const auto caller =
        std::find_if(ordered.begin(), ordered.end(), [&](const LaunchFile &file) { return likeness(file) > 0; });
    if (caller == ordered.end())
        return {};
    std::rotate(ordered.begin(), caller, caller + 1);
    return ordered;
}

constexpr std::string_view names_of_json[] = {"--deepspeed_config", "--deepspeed-config", "--deepspeed"};

/// Sets what only the missing JSON states: the ZeRO stage, and the number formats unless the program has options for
/// them.
void assume_json(LaunchPlan &launch, OptionNames &program) {
    std::int64_t stage = 3;
    for (const std::string_view name : names_of_json)
        if (const LaunchOption *const option = launch.options.find(name); option != nullptr && option->value != true)
            stage = zero_stage_named(value_text(option->value));
    launch.set("/parallelism/zero_stage", stage);
    launch.options.assume("/parallelism/zero_stage", stage, "set in the DeepSpeed JSON, which was not imported");
    const bool fp16 = program.flag("fp16", "/precision/compute").value_or(false);
    const bool bf16 = program.flag("bf16", "/precision/compute").value_or(false);
    const std::string half = fp16 && !bf16 ? "fp16" : "bf16";
    if (!fp16 && !bf16)
        launch.options.assume("/precision/compute", half,
                              "set in the DeepSpeed JSON, which was not imported; bf16 is assumed");
    launch.set("/precision/compute", half);
    launch.set("/precision/weights", half);
    launch.set("/precision/gradients", deepspeed_gradients(half, stage));
    launch.set("/precision/master", "fp32");
    launch.set("/precision/moments", "fp32");
    launch.stack = deepspeed_stack;
    launch.options.assume("/stack", launch.stack, why_deepspeed_stack);
    launch.set("/recompute/mode", "none");
    launch.options.assume("/recompute/mode", "none", "the training program sets it");
}

bool knows_deepspeed(std::string_view option) {
    return std::find(std::begin(names_of_json), std::end(names_of_json), option) != std::end(names_of_json);
}

bool names_json(const LaunchFile &file) {
    return file.text.find("--deepspeed_config") != std::string::npos
        || file.text.find("--deepspeed-config") != std::string::npos;
}

/// Likelihood that the file is a script that starts the user's own program with DeepSpeed: the launcher's options give
/// the machines, and the JSON everything else.
int deepspeed_script_likeness(const LaunchFile &file) {
    const char first = first_character(file.text);
    const bool is_script = first != '\0' && first != '{' && first != '/';
    if (!is_script || !names_json(file))
        return 0;
    const bool writes_json =
        file.text.find("<<") != std::string::npos && file.text.find("\"zero_optimization\"") != std::string::npos;
    return writes_json ? 60 : 40;
}

Imported import_started_program(const std::vector<LaunchFile> &files, const Library &library) {
    const LaunchFile &file = files.front();
    const LaunchCommand command = read_launch_command(file.text, knows_deepspeed);
    if (command.options.empty())
        throw InputError("", "no command with DeepSpeed's options",
                         "expected DeepSpeed's JSON, or a script with --deepspeed_config");
    std::vector<LaunchOption> all = command.launcher;
    all.insert(all.end(), command.options.begin(), command.options.end());
    for (LaunchOption &option : deepspeed_options_beside(files, command))
        all.push_back(std::move(option));
    LaunchPlan launch(std::move(all));
    launch.name = run_name(file);
    launch.program = command.program;
    read_launcher(launch, command.launcher);
    take_named_accelerator(launch, file);
    const bool has_json = launch.options.has_any_below(deepspeed_prefix);
    for (const std::string_view name : names_of_json)
        launch.options.ignore(name,
                              has_json ? "the DeepSpeed JSON that came with this file"
                                       : "a DeepSpeed JSON; import it together with this file");
    OptionNames program(launch.options, {"--"});
    const auto length = program.integer("max_seq_length max_length seq_length seq_len", "/batch/sequence_length");
    if (length && *length >= 1)
        launch.set("/batch/sequence_length", *length);
    if (has_json) {
        DeepSpeedReading reading(launch, std::string(deepspeed_prefix), {}, library);
        reading.read();
        reading.ignore_the_rest();
    } else {
        assume_json(launch, program);
    }
    take_named_model(launch, library);
    launch.options.ignore_rest([](const LaunchOption &) { return std::string("an option of the training program"); });
    return finish(std::move(launch), "deepspeed", library);
}

} // namespace

int deepspeed_run_likeness(const LaunchFile &file) {
    return std::max(deepspeed_likeness(file), deepspeed_script_likeness(file));
}

Imported import_deepspeed(const std::vector<LaunchFile> &files, const Library &library) {
    if (const std::vector<LaunchFile> ordered = with_caller_first(files, megatron_likeness); !ordered.empty())
        return import_megatron(ordered, library);
    if (const std::vector<LaunchFile> ordered = with_caller_first(files, trainer_likeness); !ordered.empty())
        return import_trainer(ordered, library);
    if (const std::vector<LaunchFile> ordered = with_caller_first(files, deepspeed_script_likeness); !ordered.empty())
        return import_started_program(ordered, library);
    const LaunchFile &file = files.front();
    std::vector<LaunchOption> options = deepspeed_options(file.text);
    const LauncherBeside beside = launcher_beside({files.begin() + 1, files.end()});
    beside.append_to(options);
    LaunchPlan launch(std::move(options));
    launch.name = run_name(file);
    beside.read(launch);
    take_named_accelerator(launch, file);
    DeepSpeedReading reading(launch, "", {}, library);
    reading.read();
    reading.ignore_the_rest();
    return finish(std::move(launch), "deepspeed", library);
}

} // namespace meshwright
