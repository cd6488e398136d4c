// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/goal_outer.h"

#include "quantities/text.h"

#include <fmt/format.h>

#include <cmath>

namespace meshwright {

namespace {

constexpr auto inner_step_factors = {1.25, 1.5, 2.0, 3.0, 4.0};
constexpr auto fragment_factors = {2.0, 3.0, 4.0};

GoalSetting of_outer_loop() {
    return {.kind = ChangeKind::outer, .lower_is_better = true, .has_no_price = false, .options = {}};
}

GoalSetting larger_counts(const char *pointer, const char *title, std::int64_t present,
                          std::initializer_list<double> factors, std::int64_t Outer::*field) {
    GoalSetting setting = of_outer_loop();
    for (const double factor : factors) {
        const std::int64_t value = std::llround(static_cast<double>(present) * factor);
        if (value > present)
            setting.options.push_back({.changes = {{pointer, title, std::to_string(present), std::to_string(value)}},
                                       .apply = [field, value](Plan &changed) { changed.outer.*field = value; },
                                       .distance = std::log2(factor)});
    }
    return setting;
}

GoalSetting longer_overlaps(const Outer &outer) {
    GoalSetting setting = of_outer_loop();
    for (const std::int64_t steps : {1, 2, 3, 4, 5, 6, 8, 10})
        if (steps > outer.overlap_steps)
            setting.options.push_back(
                {.changes = {{"/outer/overlap_steps", "Overlap (\u03c4)", std::to_string(outer.overlap_steps),
                              std::to_string(steps)}},
                 .apply = [steps](Plan &changed) { changed.outer.overlap_steps = steps; },
                 .distance =
                     std::log2(static_cast<double>(steps) / std::max(1.0, static_cast<double>(outer.overlap_steps)))});
    return setting;
}

/// Sparser updates, with the smaller of the two index encodings: a bitmap, or 12 bits within chunks of 4,096.
GoalSetting sparser(const std::string &way, const Wire &present, Wire Outer::*of) {
    GoalSetting setting = of_outer_loop();
    for (const double density : {0.5, 0.25, 0.125, 0.0625, 0.03125})
        if (density < present.density)
            setting.options.push_back(
                {.changes = {{fmt::format("/outer/{}/density", way), fmt::format("Values sent {}", way),
                              exact_text(present.density, Quantity::share), exact_text(density, Quantity::share)}},
                 .apply =
                     [of, density](Plan &changed) {
                         Wire &wire = changed.outer.*of;
                         wire.density = density;
                         wire.index = 12 * density < 1 ? IndexEncoding::fixed_width : IndexEncoding::bitmap;
                         changed.outer.error_feedback =
                             true; // error feedback is required for sparse and low-precision updates
                     },
                 .distance = std::log2(present.density / density)});
    return setting;
}

GoalSetting shorter(const std::string &way, const Wire &present, Wire Outer::*of) {
    GoalSetting setting = of_outer_loop();
    for (const double bits : {8.0, 4.0, 2.0})
        if (bits < present.bits)
            setting.options.push_back({.changes = {{fmt::format("/outer/{}/bits", way), fmt::format("Bits {}", way),
                                                    fmt::format("{:g}", present.bits), fmt::format("{:g}", bits)}},
                                       .apply =
                                           [of, bits](Plan &changed) {
                                               (changed.outer.*of).bits = bits;
                                               changed.outer.error_feedback = true;
                                           },
                                       .distance = std::log2(present.bits / bits)});
    return setting;
}

} // namespace

std::vector<GoalSetting> outer_goal_settings(const Plan &plan) {
    const Outer &outer = plan.outer;
    if (outer.method == OuterMethod::none || outer.method == OuterMethod::data_parallel)
        return {};
    std::vector<GoalSetting> settings{larger_counts("/outer/inner_steps", "Inner steps (H)", outer.inner_steps,
                                                    inner_step_factors, &Outer::inner_steps),
                                      longer_overlaps(outer),
                                      sparser("up", outer.up, &Outer::up),
                                      sparser("down", outer.down, &Outer::down),
                                      shorter("up", outer.up, &Outer::up),
                                      shorter("down", outer.down, &Outer::down)};
    if (outer.method == OuterMethod::streaming_diloco)
        settings.push_back(
            larger_counts("/outer/fragments", "Fragments (P)", outer.fragments, fragment_factors, &Outer::fragments));
    return settings;
}

} // namespace meshwright
