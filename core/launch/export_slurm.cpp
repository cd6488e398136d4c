// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/slurm_exporter.h"

#include "evaluate/result.h"
#include "launch/deepspeed_exporter.h"
#include "launch/megatron_exporters.h"
#include "launch/nanotron_exporter.h"
#include "launch/torchtitan_exporter.h"

#include <algorithm>

namespace meshwright {

namespace {

using Exporter = LaunchExport (*)(const Result &result, const Library &library);

/// The exporter for the framework of the plan's stack.
Exporter exporter_of(const Stack &stack) {
    const auto names = [&](const char *framework) { return stack.framework.find(framework) != std::string::npos; };
    return names("Megatron-Bridge") || names("NeMo") ? export_megatron_bridge
        : names("DeepSpeed")                         ? export_deepspeed
        : names("torchtitan")                        ? export_torchtitan
        : names("nanotron")                          ? export_nanotron
                                                     : export_megatron;
}

} // namespace

LaunchExport export_slurm(const Result &result, const Library &library) {
    LaunchExport written = exporter_of(result.plan.stack)(result, library);
    const auto job = std::find_if(written.files.begin(), written.files.end(),
                                  [](const ExportFile &file) { return file.name == "run.sbatch"; });
    std::rotate(written.files.begin(), job, job + 1);
    return written;
}

} // namespace meshwright
