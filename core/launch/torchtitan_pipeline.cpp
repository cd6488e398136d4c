// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the schedule of a torchtitan pipeline, and how it distributes layers over stages.
#include "launch/torchtitan_names.h"
#include "launch/torchtitan_reading.h"
#include "launch/torchtitan_stages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <numeric>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::int64_t most_stages = 10'000;

constexpr std::string_view schedule_option =
    "parallelism.pipeline_parallel_schedule experimental.pipeline_parallel_schedule";
constexpr std::string_view per_stage_name = "parallelism.pipeline_parallel_layers_per_stage";
constexpr std::string_view first_name = "parallelism.pipeline_parallel_first_stage_less_layers";
constexpr std::string_view last_name = "parallelism.pipeline_parallel_last_stage_less_layers";
constexpr std::string_view parts_name = "parallelism.module_fqns_per_model_part";

bool is_same_name(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
        return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
    });
}

} // namespace

void TorchtitanReading::read_pipeline() {
    m_launch.set("/parallelism/chunks", 1);
    m_launch.set("/parallelism/schedule", "1f1b");
    if (m_pipeline == 1) {
        for (const std::string_view name : {schedule_option, per_stage_name, first_name, last_name})
            m_options.ignore(name, "applies only with pipeline parallelism");
        return;
    }
    const std::string name = m_options.word(schedule_option, "/parallelism/schedule").value_or("1F1B");
    if (!m_options.has(schedule_option))
        m_launch.options.assume("/parallelism/schedule", "1f1b", "not set; torchtitan's default applies");
    const auto schedule =
        std::find_if(std::begin(torchtitan_schedules), std::end(torchtitan_schedules),
                     [&](const TorchtitanSchedule &each) { return is_same_name(each.torchtitan, name); });
    if (schedule == std::end(torchtitan_schedules)) {
        m_options.fault(schedule_option, fmt::format("plans do not support the schedule {}; 1F1B is assumed", name));
        read_layers(false, false);
        return;
    }
    if (const Json *const csv = m_options.value("parallelism.pipeline_parallel_schedule_csv");
        csv != nullptr && csv->is_string() && !csv->get_ref<const std::string &>().empty())
        m_options.ignore("parallelism.pipeline_parallel_schedule_csv",
                         "the order of operations is in a separate file; the schedule's standard order is assumed");
    m_launch.set("/parallelism/schedule", std::string(schedule->plan));
    read_layers(schedule->several_stages, schedule->v_shape);
}

void TorchtitanReading::read_layers(bool several_stages, bool v_shape) {
    const std::int64_t first =
        std::clamp<std::int64_t>(m_options.integer(first_name, "/parallelism/layout").value_or(1), 0, most_stages);
    const std::int64_t last =
        std::clamp<std::int64_t>(m_options.integer(last_name, "/parallelism/layout").value_or(1), 0, most_stages);
    const auto per_stage = m_options.integer(per_stage_name, "/parallelism/chunks");
    if (read_module_names())
        return;
    std::int64_t chunks = several_stages ? 2 : 1;
    if (per_stage && *per_stage >= 1 && m_layers > 0) {
        const std::int64_t stages = (m_layers + first + last + *per_stage - 1) / *per_stage;
        if (stages % m_pipeline == 0)
            chunks = std::clamp<std::int64_t>(stages / m_pipeline, 1, most_stages);
        else
            m_options.fault(per_stage_name,
                            fmt::format("{} stages are not a multiple of {} pipeline ranks", stages, m_pipeline));
        if (v_shape ? chunks != 2 : several_stages ? chunks < 2 : chunks != 1)
            m_options.fault(per_stage_name,
                            fmt::format("{} stages per rank; the schedule needs {}", chunks,
                                        v_shape              ? "exactly 2"
                                            : several_stages ? "at least 2"
                                                             : "exactly 1"));
    }
    m_launch.set("/parallelism/chunks", chunks);
    const std::int64_t stages = m_pipeline * chunks;
    if (m_layers == 0 || stages > most_stages)
        return;
    const std::vector<std::int64_t> layout = torchtitan_layers(m_layers, stages, first, last);
    if (layout.empty())
        m_options.fault("parallelism.pipeline_parallel_degree experimental.pipeline_parallel_degree",
                        fmt::format("{} layers, with {} more for the embedding and {} for the head, are too few for "
                                    "{} stages",
                                    m_layers, first, last, stages));
    else
        m_launch.set("/parallelism/layout", layout);
}

/// One list of module names for each stage: "layers.0", "tok_embeddings".
bool TorchtitanReading::read_module_names() {
    std::vector<std::int64_t> layout;
    while (static_cast<std::int64_t>(layout.size()) < most_stages) {
        const std::string part = fmt::format("{}.{}", parts_name, layout.size());
        if (!m_options.has(part))
            break;
        const std::vector<std::string> modules = m_options.words(part, "/parallelism/layout");
        layout.push_back(std::count_if(modules.begin(), modules.end(), [](const std::string &module) {
            return module.starts_with("layers.") || module.find(".layers.") != std::string::npos;
        }));
    }
    if (layout.empty())
        return false;
    const auto stages = static_cast<std::int64_t>(layout.size());
    if (stages % m_pipeline != 0) {
        m_options.fault(fmt::format("{}.0", parts_name),
                        fmt::format("{} parts are not a multiple of {} pipeline ranks", stages, m_pipeline));
        return false;
    }
    m_launch.set("/parallelism/chunks", stages / m_pipeline);
    m_launch.set("/parallelism/layout", layout);
    return true;
}

} // namespace meshwright
