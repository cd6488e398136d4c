// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/nemo_overrides.h"

#include "input/diagnostic.h"
#include "launch/hub_names.h"
#include "launch/shell_calls.h"
#include "launch/yaml_options.h"
#include "launch/yaml_references.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace meshwright {

namespace {

constexpr std::string_view nemo_stages[] = {"training", "fine_tuning", "peft", "prompt_learning"};

/// Sections of a stage's file.
constexpr std::string_view nemo_parts[] = {"model.", "trainer.", "run.", "exp_manager."};

/// Fields of NeMo 2 and Megatron-Bridge's names for them. A name that ends in a period stands for a whole section.
constexpr std::pair<std::string_view, std::string_view> fields_of_nemo_2[] = {
    {"trainer.max_steps", "train.train_iters"},
    {"trainer.strategy.ddp.", "ddp."},
    {"trainer.strategy.", "model."},
    {"trainer.plugins.", "mixed_precision."},
    {"data.micro_batch_size", "train.micro_batch_size"},
    {"data.global_batch_size", "train.global_batch_size"},
    {"data.seq_length", "dataset.seq_length"},
    {"model.config.", "model."},
    {"optim.config.", "optimizer."}};

std::string stage_prefix(std::string_view stage) {
    return std::string(stage) + ".";
}

} // namespace

bool has_nemo_overrides(std::string_view text) {
    return std::any_of(std::begin(nemo_stages), std::end(nemo_stages), [&](std::string_view stage) {
        return text.find(fmt::format("{}=", stage)) != std::string_view::npos
            && (text.find(fmt::format("{}.model.", stage)) != std::string_view::npos
                || text.find(fmt::format("{}.trainer.", stage)) != std::string_view::npos);
    });
}

std::string nemo_stage(const std::vector<LaunchOption> &options) {
    for (const std::string_view stage : nemo_stages)
        for (const LaunchOption &option : options)
            for (const std::string_view part : nemo_parts)
                if (option.name.starts_with(stage_prefix(stage) + std::string(part)))
                    return std::string(stage);
    return {};
}

std::vector<LaunchOption> nemo_options(const std::vector<LaunchOption> &overrides, const std::string &stage,
                                       const std::vector<LaunchFile> &others) {
    std::vector<LaunchOption> options;
    for (const LaunchFile &file : others) {
        const nlohmann::ordered_json document = parse_yaml(file.text);
        if (!document.is_object())
            throw InputError("", file.name + " is not a YAML mapping",
                             fmt::format("expected the YAML file that NeMo loads for the stage {}", stage));
        for (LaunchOption &option : dotted_options(with_references_filled(document)))
            options.push_back(std::move(option));
    }
    const std::string prefix = stage_prefix(stage);
    for (LaunchOption option : overrides) {
        if (option.name.starts_with(prefix))
            option.name.erase(0, prefix.size());
        options.push_back(std::move(option));
    }
    return options;
}

std::string take_nemo_file(LaunchPlan &launch, const std::string &stage, bool is_given, const Library &library) {
    const LaunchOption *const option = launch.options.find(stage);
    if (option == nullptr || !option->value.is_string())
        return {};
    const auto file = option->value.get<std::string>();
    for (const std::string &name : {script_name(file), file})
        if (launch.model.empty())
            launch.model = preset_of_recipe(name, library);
    if (launch.model.empty()) {
        launch.model_name = file;
        launch.options.ignore(stage,
                              is_given ? "names NeMo's model file, which is also read"
                                       : "names NeMo's model file, which was not given");
    } else {
        launch.options.understand(stage, "/model");
    }
    return is_given ? std::string() : file + ".yaml";
}

void restore_nemo_names(Imported &imported, const std::vector<LaunchOption> &overrides, const std::string &stage) {
    const std::string prefix = stage_prefix(stage);
    std::set<std::string> names;
    for (const LaunchOption &option : overrides)
        if (option.name.starts_with(prefix))
            names.insert(option.name);
    const auto restore = [&](std::string &name) {
        if (names.contains(prefix + name))
            name.insert(0, prefix);
    };
    for (UnderstoodOption &each : imported.understood)
        restore(each.option);
    for (IgnoredOption &each : imported.ignored)
        restore(each.option);
    for (LaunchFault &each : imported.faults)
        restore(each.option);
}

bool override_nemo_2(const std::vector<LaunchOption> &options) {
    return std::any_of(options.begin(), options.end(),
                       [](const LaunchOption &option) { return option.name.starts_with("trainer.strategy."); });
}

std::string bridge_name_of_nemo_2(std::string_view name) {
    const auto field = std::find_if(std::begin(fields_of_nemo_2), std::end(fields_of_nemo_2), [&](const auto &each) {
        return each.first.ends_with('.') ? name.starts_with(each.first) : name == each.first;
    });
    if (field == std::end(fields_of_nemo_2))
        return {};
    return std::string(field->second) + std::string(name.substr(field->first.size()));
}

} // namespace meshwright
