// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/exporters.h"

#include "launch/accelerate_exporter.h"
#include "launch/deepspeed_exporter.h"
#include "launch/megatron_exporters.h"
#include "launch/nanotron_exporter.h"
#include "launch/slurm_exporter.h"
#include "launch/table_exporters.h"
#include "launch/torchtitan_exporter.h"

#include <algorithm>

namespace meshwright {

std::string ExportFile::text() const {
    std::string text;
    std::size_t size = 0;
    for (const ExportLine &line : lines)
        size += line.text.size() + 1;
    text.reserve(size);
    for (const ExportLine &line : lines) {
        text += line.text;
        text += '\n';
    }
    return text;
}

const std::vector<ExportTarget> &export_targets() {
    static const std::vector<ExportTarget> targets{
        {.id = "megatron", .title = "Megatron-LM shell script", .write = export_megatron},
        {.id = "megatron-bridge", .title = "Megatron-Bridge overrides", .write = export_megatron_bridge},
        {.id = "torchtitan", .title = "torchtitan v0.2.2 TOML", .write = export_torchtitan},
        {.id = "deepspeed",
         .title = "DeepSpeed JSON for Megatron-DeepSpeed",
         .has_comments = false,
         .write = export_deepspeed},
        {.id = "nanotron", .title = "nanotron YAML", .write = export_nanotron},
        {.id = "accelerate", .title = "Accelerate YAML for Hugging Face's Trainer", .write = export_accelerate},
        {.id = "slurm", .title = "Slurm job script for the plan's software", .write = export_slurm},
        {.id = "perfetto",
         .title = "pipeline trace for ui.perfetto.dev",
         .has_comments = false,
         .write = export_perfetto},
        {.id = "csv", .title = "tables of figures, stages and operations", .has_comments = false, .write = export_csv},
    };
    return targets;
}

const ExportTarget *export_target(std::string_view id) {
    const std::vector<ExportTarget> &targets = export_targets();
    const auto found =
        std::find_if(targets.begin(), targets.end(), [&](const ExportTarget &target) { return target.id == id; });
    return found == targets.end() ? nullptr : &*found;
}

} // namespace meshwright
