// SPDX-License-Identifier: GPL-3.0-or-later
#include "calibration/machine_preset.h"

#include "catalog/json_values.h"
#include "quantities/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace meshwright {

namespace {

using Json = nlohmann::ordered_json;

/// Constants of the links and the host, not of the device.
constexpr std::array cluster_constants{ConstantId::host_time_factor,        ConstantId::link_efficiency,
                                       ConstantId::network_efficiency,      ConstantId::all_to_all_efficiency,
                                       ConstantId::collective_base_seconds, ConstantId::straggler_per_doubling};

bool is_device_constant(const std::string &name) {
    const Constant *const constant = find_constant(name);
    return constant != nullptr
        && std::find(cluster_constants.begin(), cluster_constants.end(), constant->id) == cluster_constants.end();
}

std::string source_of(const MachineFit &fit) {
    return fmt::format("fitted to {} measured {} on this machine", fit.runs.size(),
                       fit.runs.size() == 1 ? "run" : "runs");
}

template <typename Preset>
Json preset_json(Preset &preset, const MachineFit &fit, const PresetName &name, const char *schema) {
    preset.id = name.id;
    preset.name = name.name;
    for (const auto &[constant, value] : preset.constants)
        if (fit.moved().contains(constant))
            preset.sources.set("constants." + constant, source_of(fit));
    Json json{{"schema", schema}};
    json.update(to_json(preset));
    return json;
}

/// Each figure with its held-out prediction error; nothing if there are too few runs to hold one out.
std::optional<CheckedFigure> checked(const std::optional<FittedFigure> &figure) {
    if (!figure || !figure->left_out)
        return std::nullopt;
    return CheckedFigure{.measured = figure->measured, .predicted = *figure->left_out};
}

std::vector<OwnRun> own_runs(const MachineFit &fit) {
    std::vector<OwnRun> runs;
    for (const FittedRun &run : fit.runs) {
        OwnRun own{.name = run.name,
                   .shape = run.shape,
                   .step = checked(run.step),
                   .memory = checked(run.memory),
                   .memory_kind = run.memory_kind};
        if (own.step || own.memory)
            runs.push_back(std::move(own));
    }
    return runs;
}

const char *word_of(Determined determined) {
    return determined == Determined::well ? "well" : determined == Determined::partly ? "partly" : "hardly";
}

Json to_json(const Errors &errors) {
    return {{"count", errors.count},
            {"median_absolute_error", errors.median_absolute},
            {"mean_absolute_error", errors.mean_absolute},
            {"p90_absolute_error", errors.p90_absolute},
            {"bias", errors.bias}};
}

Json to_json(const FitErrors &errors) {
    return {{"before", to_json(errors.before)},
            {"after", to_json(errors.after)},
            {"left_out", errors.left_out ? to_json(*errors.left_out) : Json()}};
}

Json to_json(const std::optional<FittedFigure> &figure, const std::string &unit) {
    if (!figure)
        return nullptr;
    return {{"measured" + unit, figure->measured},
            {"before" + unit, figure->before},
            {"after" + unit, figure->after},
            {"left_out" + unit, figure->left_out ? Json(*figure->left_out) : Json()}};
}

void note_errors(const FitErrors &errors, const char *what, std::vector<std::string> &notes) {
    if (!errors.left_out)
        return;
    const bool better = errors.left_out->mean_absolute <= errors.before.mean_absolute;
    notes.push_back(fmt::format("held-out {}: {} mean error, {} before the fit{}", what,
                                percent_text(errors.left_out->mean_absolute), percent_text(errors.before.mean_absolute),
                                better ? "" : "; no better than without the fit"));
}

} // namespace

Json fitted_cluster(Cluster cluster, const MachineFit &fit, const PresetName &name) {
    cluster.own_runs = own_runs(fit);
    for (const auto &[constant, value] : fit.moved())
        cluster.constants[constant] = value;
    return preset_json(cluster, fit, name, "meshwright.cluster/1");
}

Json fitted_accelerator(Accelerator accelerator, const MachineFit &fit, const PresetName &name) {
    for (const auto &[constant, value] : fit.moved())
        if (is_device_constant(constant))
            accelerator.constants[constant] = value;
    return preset_json(accelerator, fit, name, "meshwright.accelerator/1");
}

Json to_json(const MachineFit &fit) {
    Json json{{"schema", "meshwright.machine/1"}, {"constants", Json::array()}, {"runs", Json::array()}};
    for (const FittedConstant &fitted : fit.constants)
        json["constants"].push_back({{"name", fitted.constant->name},
                                     {"unit", fitted.constant->unit},
                                     {"low", fitted.constant->low},
                                     {"high", fitted.constant->high},
                                     {"before", fitted.before},
                                     {"after", fitted.after},
                                     {"information", fitted.information},
                                     {"determined", word_of(fitted.determined())},
                                     {"at_end_of_range", fitted.at_end}});
    for (const FittedRun &run : fit.runs)
        json["runs"].push_back(
            {{"name", run.name}, {"step", to_json(run.step, "_seconds")}, {"memory", to_json(run.memory, "_bytes")}});
    json["step"] = to_json(fit.step);
    json["memory"] = to_json(fit.memory);
    json["skipped"] = Json::array();
    for (const SkippedRun &run : fit.skipped)
        json["skipped"].push_back({{"name", run.name}, {"reason", run.reason}});
    json["notes"] = notes(fit);
    return json;
}

std::vector<std::string> notes(const MachineFit &fit) {
    std::vector<std::string> found;
    std::string open;
    for (const FittedConstant &fitted : fit.constants) {
        if (fitted.determined() == Determined::hardly)
            open += fmt::format("{}{}", open.empty() ? "" : ", ", fitted.constant->name);
        if (fitted.at_end)
            found.push_back(fmt::format("{} is at the limit of its range, so something else probably differs on "
                                        "this machine",
                                        fitted.constant->name));
    }
    if (!open.empty())
        found.push_back(fmt::format("the runs do not determine {}; the registry's values are kept", open));
    note_errors(fit.step, "step times", found);
    note_errors(fit.memory, "memory", found);
    if (!fit.step.left_out && !fit.memory.left_out)
        found.emplace_back("fewer than three runs: too few to hold one out as a test of the fit");
    return found;
}

} // namespace meshwright
