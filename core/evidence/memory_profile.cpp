// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/memory_profile.h"

#include "catalog/library.h"
#include "input/diagnostic.h"
#include "input/json_document.h"
#include "plan/plan_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <filesystem>

namespace meshwright {

namespace {

using Json = nlohmann::ordered_json;

/// Kinds of memory in the columns of each point. The first column, before these, is the time.
constexpr std::array kinds{StepMemoryKind::weights,     StepMemoryKind::optimizer, StepMemoryKind::gradients,
                           StepMemoryKind::activations, StepMemoryKind::buffers,   StepMemoryKind::buffers};

bool runs_alike(const Plan &a, const Plan &b) {
    return a.model == b.model && a.stack == b.stack && a.batch == b.batch && a.precision == b.precision
        && a.recompute == b.recompute && a.optimizer == b.optimizer && a.offload == b.offload
        && a.parallelism == b.parallelism;
}

MemoryPoint point_of(const Json &numbers, double begin) {
    MemoryPoint point{.seconds = std::max(0.0, numbers.at(0).get<double>() - begin)};
    for (std::size_t i = 0; i < kinds.size(); ++i)
        point.bytes[static_cast<std::size_t>(kinds[i])] += numbers.at(i + 1).get<double>();
    return point;
}

/// Points of the measurement's steady-state step, preceded by the last point before it.
MemoryProfile read_profile(const Json &json) {
    const Json &step = json.at("steady_step");
    const double begin = step.at("begin_seconds").get<double>();
    const double end = step.at("end_seconds").get<double>();
    MemoryProfile profile{.id = json.at("id"),
                          .name = json.at("name"),
                          .description = json.at("description"),
                          .source = json.at("source"),
                          .step = step.at("number"),
                          .seconds = end - begin};
    StepMemory &memory = profile.memory;
    memory.working.emplace_back();
    memory.each_layer = false;
    for (const Json &numbers : json.at("points")) {
        const double seconds = numbers.at(0).get<double>();
        if (seconds > end)
            break;
        if (seconds <= begin)
            memory.points.clear();
        memory.points.push_back(point_of(numbers, begin));
    }
    if (memory.points.empty())
        throw InputError("/points", "no points in the profile's step", "expected at least one");
    const auto highest =
        std::max_element(memory.points.begin(), memory.points.end(),
                         [](const MemoryPoint &a, const MemoryPoint &b) { return a.total() < b.total(); });
    memory.peak = static_cast<std::size_t>(highest - memory.points.begin());
    return profile;
}

std::vector<std::filesystem::path> profile_files(const Library &library) {
    std::vector<std::filesystem::path> files;
    std::error_code missing;
    for (const auto &entry : std::filesystem::directory_iterator(library.own_folder() / "profiles", missing))
        if (entry.path().extension() == ".json")
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

} // namespace

std::optional<MemoryProfile> measured_memory_profile(const Plan &plan, const Library &library) {
    for (const std::filesystem::path &file : profile_files(library)) {
        const Json json = read_json_file(file);
        try {
            const Plan measured =
                plan_from_json(library.json(PresetKind::plan, json.at("plan").get<std::string>()), library);
            if (runs_alike(plan, measured))
                return read_profile(json);
        } catch (const Json::exception &error) {
            throw InputError("", file.filename().string() + " cannot be read", error.what());
        }
    }
    return {};
}

} // namespace meshwright
