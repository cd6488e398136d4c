// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/pipelined_1f1b.h"

#include "plan/constraints.h"
#include "plan/schedules.h"
#include "search/configuration.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace meshwright {

using Json = nlohmann::ordered_json;

std::optional<Plan> with_pipelined_1f1b(const Plan &plan) {
    constexpr std::int64_t max_stages = 999; // a constraint lists at most 1,000 values
    const Constraints constraints = constraints_of(plan);
    const auto admits = [&](ConfigurationField field, std::int64_t value, std::int64_t present) {
        return constraints.admits(field, value, present);
    };
    const Configuration present = configuration_of(plan);
    const auto one_f_one_b = static_cast<std::int64_t>(Schedule::one_f_one_b);
    if (!admits(ConfigurationField::schedule, one_f_one_b, value_of(present, ConfigurationField::schedule)))
        return std::nullopt;
    Json stages = Json::array();
    for (std::int64_t value = 2; value <= std::min(plan.model.layer_count(), max_stages); ++value)
        if (admits(ConfigurationField::pipeline, value, value_of(present, ConfigurationField::pipeline)))
            stages.push_back(value);
    if (stages.empty())
        return std::nullopt;
    Json document = plan.constraints_json.empty() ? Json::object() : Json::parse(plan.constraints_json);
    document["constraints"]["allowed"]["pipeline"] = std::move(stages);
    document["constraints"]["allowed"]["schedule"] = {name_of(Schedule::one_f_one_b)};
    Plan narrowed = plan;
    narrowed.constraints_json = document.dump();
    return narrowed;
}

} // namespace meshwright
