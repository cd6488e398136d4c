// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/deepspeed_importer.h"

#include "launch/deepspeed_document.h"
#include "launch/deepspeed_reading.h"
#include "launch/file_hints.h"
#include "launch/megatron_importers.h"
#include "launch/trainer_importer.h"

#include <algorithm>

namespace meshwright {

namespace {

/// The file that starts the program which DeepSpeed works for leads, with the JSON behind it.
std::vector<LaunchFile> with_caller_first(const std::vector<LaunchFile> &files, int (*likeness)(const LaunchFile &)) {
    std::vector<LaunchFile> ordered = files;
    const auto caller =
        std::find_if(ordered.begin(), ordered.end(), [&](const LaunchFile &file) { return likeness(file) > 0; });
    if (caller == ordered.end())
        return {};
    std::rotate(ordered.begin(), caller, caller + 1);
    return ordered;
}

} // namespace

Imported import_deepspeed(const std::vector<LaunchFile> &files, const Library &library) {
    if (const std::vector<LaunchFile> ordered = with_caller_first(files, megatron_likeness); !ordered.empty())
        return import_megatron(ordered, library);
    if (const std::vector<LaunchFile> ordered = with_caller_first(files, trainer_likeness); !ordered.empty())
        return import_trainer(ordered, library);
    const LaunchFile &file = files.front();
    LaunchPlan launch(deepspeed_options(file.text));
    launch.name = run_name(file);
    take_named_accelerator(launch, file);
    DeepSpeedReading reading(launch, "", {}, library);
    reading.read();
    reading.ignore_the_rest();
    return finish(std::move(launch), "deepspeed", library);
}

} // namespace meshwright
