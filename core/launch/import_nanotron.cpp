// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/nanotron_importer.h"

#include "input/diagnostic.h"
#include "launch/file_hints.h"
#include "launch/launcher_beside.h"
#include "launch/nanotron_reading.h"
#include "launch/yaml_options.h"

#include <algorithm>
#include <array>
#include <utility>

namespace meshwright {

int nanotron_likeness(const LaunchFile &file) {
    constexpr std::array<std::string_view, 8> marks{"batch_accumulation_per_replica",
                                                    "model_config:",
                                                    "accumulate_grad_in_fp32",
                                                    "data_stages:",
                                                    "pp_engine:",
                                                    "tp_mode:",
                                                    "_config: true",
                                                    "checkpoints_path:"};
    const auto count = std::count_if(marks.begin(), marks.end(),
                                     [&](std::string_view mark) { return file.text.find(mark) != std::string::npos; });
    return count >= 3 ? 94 : count == 2 ? 60 : 0;
}

Imported import_nanotron(const std::vector<LaunchFile> &files, const Library &library) {
    const LaunchFile &file = files.front();
    const nlohmann::ordered_json document = parse_yaml(file.text);
    if (!document.is_object())
        throw InputError("", "not a YAML mapping", "expected sections such as model, parallelism and tokens");
    std::vector<LaunchOption> options = dotted_options(document);
    const LauncherBeside beside = launcher_beside({files.begin() + 1, files.end()});
    beside.append_to(options);
    LaunchPlan launch(std::move(options));
    launch.name = run_name(file);
    beside.read(launch);
    take_named_accelerator(launch, file);
    NanotronReading(launch, library).read();
    return finish(std::move(launch), "nanotron", library);
}

} // namespace meshwright
