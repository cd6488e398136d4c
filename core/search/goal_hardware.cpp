// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/goal_hardware.h"

#include "catalog/library.h"
#include "plan/valid_values.h"
#include "quantities/text.h"
#include "search/variants.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace meshwright {

namespace {

constexpr double max_times_larger = 32; ///< maximum ratio of new to old number of accelerators
constexpr auto link_factors = {1.25, 1.5, 2.0, 3.0, 4.0, 5.0, 10.0, 20.0, 100.0};

bool is_of_one_step(GoalFigure figure) {
    return figure == GoalFigure::step || figure == GoalFigure::mfu || figure == GoalFigure::tokens_per_second;
}

bool is_of_memory(GoalFigure figure) {
    return figure == GoalFigure::headroom || figure == GoalFigure::headroom_share || figure == GoalFigure::fit;
}

/// Other numbers of nodes per site for which the degrees still divide the batch, if necessary with another microbatch
/// size.
GoalSetting node_setting(const Plan &plan) {
    GoalSetting setting{.kind = ChangeKind::hardware, .lower_is_better = true};
    const std::int64_t node = plan.cluster.accelerators_per_node;
    const std::int64_t site = plan.site_accelerators();
    const Parallelism &p = plan.parallelism;
    const std::int64_t model_ranks = p.tensor * p.context * p.pipeline;
    if (node < 1 || site % node != 0 || model_ranks < 1)
        return setting;
    const bool may_grow = site > node; // a cluster of one node has no inter-node links that could change
    for (const std::int64_t data : divisors(plan.batch.global_sequences)) {
        const std::int64_t size = data * model_ranks;
        if (size % node != 0 || size == site || (size > site && !may_grow) || !takes_size(plan, size)
            || static_cast<double>(size) > max_times_larger * static_cast<double>(site))
            continue;
        setting.options.push_back({.changes = {{"/cluster/tiers", plan.cluster.sites > 1 ? "Nodes per site" : "Nodes",
                                                grouped(double(site / node)), grouped(double(size / node))}},
                                   .apply = [size](Plan &changed) { resize_site(changed, size); },
                                   .distance = doublings(double(site), double(size))});
    }
    return setting;
}

/// Tries other accelerator types; slower ones only if the goal is cost or energy.
GoalSetting type_setting(const Plan &plan, const Goal &goal, const Library &library) {
    GoalSetting setting{.kind = ChangeKind::hardware};
    const Accelerator &own = plan.cluster.accelerator;
    for (const PresetEntry &entry : library.entries()) {
        if (entry.kind != PresetKind::accelerator || entry.id == plan.cluster.accelerator_id)
            continue;
        const std::shared_ptr<const Accelerator> other = library.accelerator(entry.id);
        if (other->vendor != own.vendor || other->rental_dollars_per_hour <= 0
            || other->accelerators_per_node < plan.cluster.accelerators_per_node
            || (other->peak(plan.precision.compute) < own.peak(plan.precision.compute)
                && goal.figure != GoalFigure::cost && goal.figure != GoalFigure::energy))
            continue;
        setting.options.push_back({.changes = {{"/cluster/accelerator", "Accelerator", own.name, other->name}},
                                   .apply = [other](Plan &changed) { set_accelerator(changed, *other); },
                                   .distance = doublings(own.peak(DataType::bf16), other->peak(DataType::bf16))});
    }
    return setting;
}

GoalSetting site_setting(const Plan &plan) {
    GoalSetting setting{.kind = ChangeKind::hardware, .lower_is_better = true};
    const std::int64_t own = plan.cluster.sites;
    if (own < 2 || (plan.cluster.wan && !plan.cluster.wan->groups.empty()))
        return setting;
    std::set<std::int64_t> counts;
    for (const double factor : {0.25, 0.5, 0.75, 0.9, 1.1, 1.25, 1.5, 2.0, 3.0, 4.0})
        counts.insert(std::max<std::int64_t>(2, std::llround(static_cast<double>(own) * factor)));
    counts.erase(own);
    for (const std::int64_t count : counts)
        setting.options.push_back(
            {.changes = {{"/cluster/sites", "Sites", grouped(double(own)), grouped(double(count))}},
             .apply = [count](Plan &changed) { changed.cluster.sites = count; },
             .distance = doublings(double(own), double(count))});
    return setting;
}

GoalSetting faster_setting(const char *pointer, const std::string &title, double own, Quantity quantity,
                           std::initializer_list<double> factors, const std::function<void(Plan &, double)> &set) {
    GoalSetting setting{.kind = ChangeKind::hardware, .lower_is_better = true, .has_no_price = true};
    for (const double factor : factors) {
        const double value = own * factor;
        setting.options.push_back({.changes = {{pointer, title, text_of(own, quantity), text_of(value, quantity)}},
                                   .apply = [set, value](Plan &changed) { set(changed, value); },
                                   .distance = std::log2(factor)});
    }
    return setting;
}

void add_links(std::vector<GoalSetting> &settings, const Plan &plan, const Goal &goal) {
    const Cluster &cluster = plan.cluster;
    if (cluster.wan && cluster.wan->groups.empty() && !is_of_one_step(goal.figure)) {
        settings.push_back(
            faster_setting("/cluster/wan/uplink_bits_per_second", "Uplink", cluster.wan->uplink_bits_per_second,
                           Quantity::bits_per_second, link_factors,
                           [](Plan &changed, double rate) { changed.cluster.wan->uplink_bits_per_second = rate; }));
        settings.push_back(
            faster_setting("/cluster/wan/downlink_bits_per_second", "Downlink", cluster.wan->downlink_bits_per_second,
                           Quantity::bits_per_second, link_factors,
                           [](Plan &changed, double rate) { changed.cluster.wan->downlink_bits_per_second = rate; }));
    }
    // If rates are measured, a higher nominal bandwidth has no effect.
    if (cluster.tiers.size() < 2 || cluster.health == NetworkHealth::measured)
        return;
    const std::size_t last = cluster.tiers.size() - 1;
    const Tier &tier = cluster.tiers[last];
    settings.push_back(faster_setting("/cluster/tiers", fmt::format("Bandwidth of tier {}", tier.name),
                                      tier.bandwidth_bytes_per_second, Quantity::bytes_per_second, {2.0, 4.0, 8.0},
                                      [last](Plan &changed, double rate) {
                                          if (last < changed.cluster.tiers.size())
                                              changed.cluster.tiers[last].bandwidth_bytes_per_second = rate;
                                      }));
}

} // namespace

std::vector<GoalSetting> hardware_settings(const Plan &plan, const Goal &goal, const Library &library) {
    std::vector<GoalSetting> settings{node_setting(plan)};
    if (goal.figure
        != GoalFigure::mfu) // MFU on another accelerator is relative to another peak, so it does not show speed
        settings.push_back(type_setting(plan, goal, library));
    if (!is_of_memory(goal.figure)) {
        if (!is_of_one_step(goal.figure))
            settings.push_back(site_setting(plan));
        add_links(settings, plan, goal);
    }
    const double rate = plan.faults.checkpoint_bandwidth_bytes_per_second;
    if (!is_of_memory(goal.figure) && !is_of_one_step(goal.figure))
        settings.push_back(faster_setting(
            "/faults/checkpoint_bandwidth_bytes_per_second", "Checkpoint bandwidth", rate, Quantity::bytes_per_second,
            {2.0, 4.0, 10.0, 100.0},
            [](Plan &changed, double value) { changed.faults.checkpoint_bandwidth_bytes_per_second = value; }));
    return settings;
}

GoalSetting checkpoint_setting(const Plan &plan) {
    GoalSetting setting{.kind = ChangeKind::checkpoints};
    if (plan.faults.checkpoint_interval_seconds)
        setting.options.push_back(
            {.changes = {{"/faults/checkpoint_interval_seconds", "Checkpoint interval",
                          text_of(*plan.faults.checkpoint_interval_seconds, Quantity::seconds), "Young's optimum"}},
             .apply = [](Plan &changed) { changed.faults.checkpoint_interval_seconds.reset(); }});
    return setting;
}

} // namespace meshwright
