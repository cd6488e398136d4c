// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/preference.h"

#include <algorithm>
#include <string>

namespace meshwright {

namespace {

struct PreferredFigures {
    std::string_view beginning; ///< prefix of the figures' names; the first matching entry counts
    Preference preference;
};
constexpr PreferredFigures preferred_figures[] = {
    {"verdict_", Preference::higher}, // headroom and the probability that the plan fits
    {"step_mfu", Preference::higher},
    {"step_hfu", Preference::higher},
    {"step_tokens_per_second", Preference::higher},
    {"run_mfu", Preference::higher},
    {"run_goodput", Preference::higher},
    {"run_days", Preference::lower},
    {"run_accelerator_hours", Preference::lower},
    {"run_expected_failures", Preference::lower},
    {"run_checkpoint_interval", Preference::none},
    {"memory_capacity", Preference::none},
    {"pipeline_bubble", Preference::lower},
    {"pipeline_idle", Preference::lower},
    {"curves_mtbf", Preference::higher},
    {"curves_waste", Preference::lower},
    {"curves_loss", Preference::lower},
    {"curves_communication_fraction", Preference::lower},
    {"outer_utilisation", Preference::higher},
    {"outer_closed_form_utilisation", Preference::higher},
    {"outer_closed_form_overlap_seconds", Preference::higher}, // transfer time that can overlap with compute
    {"outer_inner_seconds", Preference::none},
    {"outer_loss_penalty", Preference::lower},
    {"outer_staleness", Preference::lower},
    {"outer_upkeep_availability_for_quorum", Preference::lower},
    {"outer_upkeep_availability", Preference::higher},
    {"outer_upkeep_quorum", Preference::higher},
    {"outer_quality_power_law", Preference::higher},
    {"outer_quality_with_a_floor", Preference::higher},
    {"advice_host_memory", Preference::none},
    {"advice_tensor_share", Preference::lower},
    {"advice_data_share", Preference::lower},
    {"advice_uneven_share", Preference::lower},
    {"published_", Preference::none},
    {"gain_", Preference::none}, // differences between two results
};

} // namespace

Preference preference_of(std::string_view figure, Quantity quantity) {
    std::string name(figure);
    std::replace(name.begin(), name.end(), '.', '_');
    for (const PreferredFigures &each : preferred_figures)
        if (name.starts_with(each.beginning))
            return each.preference;
    switch (quantity) {
    case Quantity::bytes:
    case Quantity::seconds:
    case Quantity::watts:
    case Quantity::joules:
    case Quantity::dollars:
    case Quantity::dollars_per_hour:
    case Quantity::dollars_per_kilowatt_hour:
        return Preference::lower;
    case Quantity::flops_per_second:
        return Preference::higher;
    default:
        return Preference::none;
    }
}

} // namespace meshwright
