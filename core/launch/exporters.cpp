// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/exporters.h"

#include "evaluate/result.h"
#include "exchange/perfetto.h"
#include "launch/megatron_exporters.h"

#include <algorithm>

namespace meshwright {

namespace {

LaunchExport export_perfetto(const Result &result, const Library & /*library*/) {
    LaunchExport written;
    written.files.push_back({.name = "trace.json", .lines = {}});
    // One line of the file per event would take more memory than the trace.
    std::string trace = perfetto_trace(simulate_pipeline(result.plan));
    if (trace.ends_with('\n'))
        trace.pop_back();
    written.files.front().lines.push_back({.text = std::move(trace)});
    return written;
}

} // namespace

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
        {.id = "megatron-bridge", .title = "Megatron-Bridge overrides (YAML)", .write = export_megatron_bridge},
        {.id = "perfetto",
         .title = "trace of the pipeline for ui.perfetto.dev",
         .has_comments = false,
         .write = export_perfetto},
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
