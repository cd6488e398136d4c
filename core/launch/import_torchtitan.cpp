// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/torchtitan_importer.h"

#include "input/diagnostic.h"
#include "input/json_document.h"
#include "launch/command_options.h"
#include "launch/file_hints.h"
#include "launch/launcher_beside.h"
#include "launch/torchtitan_model_reading.h"
#include "launch/torchtitan_reading.h"
#include "launch/yaml_options.h"

#include <algorithm>
#include <utility>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

enum class TorchtitanForm { toml, json, words };

bool mentions_any(std::string_view text, std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

TorchtitanForm torchtitan_form_of(std::string_view text) {
    if (first_character(text) == '{')
        return TorchtitanForm::json;
    const bool has_words =
        mentions_any(text, {"--training.", "--parallelism.", "--job.", "--model.", "--module", "--compile."});
    return has_words && !mentions_any(text, {"[training]", "[parallelism]", "[job]"}) ? TorchtitanForm::words
                                                                                      : TorchtitanForm::toml;
}

bool knows_torchtitan(std::string_view option) {
    return option == "--module" || option == "--config"
        || mentions_any(option,
                        {"--training.", "--parallelism.", "--job.", "--model.", "--compile.", "--checkpoint.",
                         "--activation_checkpoint.", "--activation-checkpoint.", "--metrics.", "--profiling.",
                         "--optimizer.", "--fault_tolerance.", "--debug.", "--comm."});
}

/// Whether a file is Python code: its name ends in .py, or it imports torchtitan. A shell script may do so in a
/// here-document.
bool is_python(const LaunchFile &file) {
    return file.name.ends_with(".py")
        || (!is_shell_script(file)
            && (file.text.starts_with("from torchtitan") || file.text.starts_with("import torchtitan")
                || mentions_any(file.text, {"\nfrom torchtitan", "\nimport torchtitan"})));
}

struct TorchtitanWords {
    std::vector<LaunchOption> launcher;
    std::string program;
    std::vector<LaunchOption> options;
};
TorchtitanWords torchtitan_words_in(const LaunchFile &file) {
    if (is_python(file))
        throw InputError("", "configurations in Python are not read",
                         "expected the JSON that torchtitan prints with --debug.print-config or writes with "
                         "--debug.save-config-file");
    switch (torchtitan_form_of(file.text)) {
    case TorchtitanForm::json:
        return {.options = dotted_options(parse_json(file.text))};
    case TorchtitanForm::toml:
        return {.options = dotted_options(parse_toml(file.text))};
    case TorchtitanForm::words:
        break;
    }
    LaunchCommand command = read_launch_command(file.text, knows_torchtitan);
    if (command.options.empty())
        throw InputError("", "no command with torchtitan's options",
                         "expected a TOML file, JSON, or words such as --training.seq_len 4096");
    return {.launcher = std::move(command.launcher),
            .program = std::move(command.program),
            .options = std::move(command.options)};
}

TorchtitanDialect torchtitan_dialect_of(const OptionList &options) {
    constexpr std::string_view marks[] = {"training.num_tokens_per_microbatch_per_dp_rank",
                                          "training.max_context_length", "parallelism.num_pp_microbatches",
                                          "model_spec.name", "_config"};
    const bool is_main = options.has("--module") || std::any_of(std::begin(marks), std::end(marks), [&](auto mark) {
                             return options.has(mark) || options.has("--" + std::string(mark));
                         });
    return is_main ? TorchtitanDialect::main : TorchtitanDialect::v0_2_2;
}

} // namespace

int torchtitan_likeness(const LaunchFile &file) {
    const std::string_view text = file.text;
    const bool own = mentions_any(text,
                                  {"data_parallel_shard_degree", "num_tokens_per_microbatch_per_dp_rank",
                                   "tensor_parallel_degree", "pipeline_parallel_degree"});
    const bool has_sections =
        mentions_any(text, {"[training]"}) && mentions_any(text, {"[model]", "[parallelism]", "[job]"});
    const bool has_words = mentions_any(text, {"--training.", "--parallelism.", "--job.config"});
    const bool names_function = mentions_any(text, {"torchtitan.train", "torchtitan/train.py"})
        && mentions_any(text, {"--module"}) && mentions_any(text, {"--config"});
    const bool in_python =
        is_python(file) && mentions_any(text, {"ParallelismConfig(", "TrainingConfig(", "Trainer.Config("});
    return own ? 96 : has_sections || has_words || names_function ? 88 : in_python ? 60 : 0;
}

Imported import_torchtitan(const std::vector<LaunchFile> &files, const Library &library) {
    std::vector<LaunchOption> launcher;
    std::vector<LaunchOption> options;
    std::string program;
    std::vector<TorchtitanFlavor> added;
    std::vector<LaunchFile> launchers; // scripts without torchtitan's options
    for (const LaunchFile &file : files) {
        if (is_shell_script(file) && torchtitan_form_of(file.text) != TorchtitanForm::words) {
            launchers.push_back(file);
            continue;
        }
        if (auto flavor = added_flavor(file.text)) {
            added.push_back(std::move(*flavor));
            continue;
        }
        TorchtitanWords stated = torchtitan_words_in(file);
        if (!stated.program.empty())
            program = std::move(stated.program);
        launcher.insert(launcher.end(), stated.launcher.begin(), stated.launcher.end());
        std::move(stated.options.begin(), stated.options.end(), std::back_inserter(options));
    }
    const LauncherBeside beside = launcher_beside(launchers);
    std::vector<LaunchOption> all = launcher;
    all.insert(all.end(), options.begin(), options.end());
    beside.append_to(all);
    LaunchPlan launch(std::move(all));
    launch.name = run_name(files.front());
    launch.program = std::move(program);
    read_launcher(launch, launcher);
    beside.read(launch);
    take_named_accelerator(launch, files.front());
    TorchtitanReading(launch, torchtitan_dialect_of(launch.options), library, std::move(added)).read();
    take_commented_accelerators(launch, files.front());
    return finish(std::move(launch), "torchtitan", library);
}

} // namespace meshwright
