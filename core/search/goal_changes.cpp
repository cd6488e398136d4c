// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/goal_changes.h"

#include "plan/constraints.h"
#include "plan/runnable.h"
#include "plan/valid_values.h"
#include "quantities/text.h"
#include "search/goal_hardware.h"
#include "search/goal_outer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

constexpr std::int64_t max_ranks_of_a_layer = 64; ///< maximum value to try; no published run has a larger
                                                  ///< tensor or context degree

/// Collects settings. Leaves out values that the constraints do not allow.
class SettingList {
public:
    SettingList(const Plan &plan, const Constraints &constraints)
        : m_plan(plan)
        , m_constraints(constraints) { }

    std::vector<GoalSetting> take() { return std::move(m_all); }

    void add(GoalSetting setting) {
        if (!setting.options.empty())
            m_all.push_back(std::move(setting));
    }

    void degree(ConfigurationField field, const char *pointer, const char *title, std::int64_t *(*of)(Plan &),
                const std::vector<std::int64_t> &values) {
        Plan plan = m_plan;
        const std::int64_t present = *of(plan);
        GoalSetting setting;
        for (const std::int64_t value : values)
            if (value != present && m_constraints.admits(field, value, present))
                setting.options.push_back(
                    {.changes = {{pointer, title, std::to_string(present), std::to_string(value)}},
                     .apply = [of, value](Plan &changed) { *of(changed) = value; },
                     .distance = doublings(static_cast<double>(present), static_cast<double>(value))});
        add(std::move(setting));
    }

private:
    const Plan &m_plan;
    const Constraints &m_constraints;
    std::vector<GoalSetting> m_all;
};

std::vector<std::int64_t> up_to(std::vector<std::int64_t> values, std::int64_t most) {
    std::erase_if(values, [most](std::int64_t value) { return value > most; });
    return values;
}

/// Schedules that the plan's software is known to support, or if that is unknown, schedules that almost any software
/// supports. Always includes the plan's own.
std::vector<Schedule> schedules_for(const Plan &plan) {
    std::vector<Schedule> all;
    for (const Schedule schedule : all_schedules()) {
        const bool is_common = schedule == Schedule::one_f_one_b || schedule == Schedule::interleaved;
        Plan probe = plan;
        probe.parallelism.schedule = schedule;
        probe.parallelism.chunks = definition_of(schedule).chunks == ChunkCount::one ? 1 : 2;
        const std::vector<NotRunnable> limits = runnability_of(probe).limits;
        const bool has_it = std::none_of(limits.begin(), limits.end(),
                                         [](const NotRunnable &one) { return one.limit == SoftwareLimit::schedule; });
        const bool is_known = plan.stack.can_run.schedules.has_value();
        if (schedule == plan.parallelism.schedule || (has_it && (is_common || is_known)))
            all.push_back(schedule);
    }
    return all;
}

std::vector<std::int64_t> chunks_for(const Plan &plan, Schedule schedule) {
    switch (definition_of(schedule).chunks) {
    case ChunkCount::one:
        return {1};
    case ChunkCount::two:
        return {2};
    case ChunkCount::any:
        break;
    }
    std::vector<std::int64_t> counts =
        schedule == Schedule::interleaved ? std::vector<std::int64_t>{} : std::vector<std::int64_t>{1};
    const std::int64_t most =
        std::min<std::int64_t>(12, plan.model.layer_count() / std::max<std::int64_t>(1, plan.parallelism.pipeline));
    for (std::int64_t chunks = 2; chunks <= most; ++chunks)
        counts.push_back(chunks);
    return counts;
}

void add_schedules(SettingList &settings, const Plan &plan, const Constraints &constraints) {
    const Parallelism &own = plan.parallelism;
    GoalSetting setting;
    for (const Schedule schedule : schedules_for(plan)) {
        if (!constraints.admits(ConfigurationField::schedule, static_cast<std::int64_t>(schedule),
                                static_cast<std::int64_t>(own.schedule)))
            continue;
        for (const std::int64_t chunks : chunks_for(plan, schedule)) {
            if ((schedule == own.schedule && chunks == own.chunks)
                || !constraints.admits(ConfigurationField::chunks, chunks, own.chunks))
                continue;
            GoalOption option{.changes = {},
                              .apply =
                                  [schedule, chunks](Plan &changed) {
                                      changed.parallelism.schedule = schedule;
                                      changed.parallelism.chunks = chunks;
                                      changed.parallelism.group.reset();
                                  },
                              .distance =
                                  doublings(double(own.chunks), double(chunks)) + (schedule == own.schedule ? 0 : 1)};
            if (schedule != own.schedule)
                option.changes.push_back(
                    {"/parallelism/schedule", "Schedule", name_of(own.schedule), name_of(schedule)});
            if (chunks != own.chunks)
                option.changes.push_back(
                    {"/parallelism/chunks", "Chunks", std::to_string(own.chunks), std::to_string(chunks)});
            setting.options.push_back(std::move(option));
        }
    }
    settings.add(std::move(setting));
}

void add_layout(SettingList &settings, const Plan &plan, const Constraints &constraints) {
    const std::int64_t site = plan.site_accelerators();
    const std::int64_t tensor_most =
        constraints.tensor_within_node ? plan.cluster.accelerators_per_node : max_ranks_of_a_layer;
    using enum ConfigurationField;
    settings.degree(
        micro_sequences, "/batch/micro_sequences", "Microbatch", [](Plan &p) { return &p.batch.micro_sequences; },
        up_to(divisors(plan.batch.global_sequences), max_ranks_of_a_layer));
    settings.degree(zero_stage, "/parallelism/zero_stage", "ZeRO stage",
                    [](Plan &p) { return &p.parallelism.zero_stage; }, {0, 1, 2, 3});
    settings.degree(
        tensor, "/parallelism/tensor", "Tensor", [](Plan &p) { return &p.parallelism.tensor; },
        up_to(divisors(site), tensor_most));
    settings.degree(
        pipeline, "/parallelism/pipeline", "Pipeline", [](Plan &p) { return &p.parallelism.pipeline; },
        up_to(divisors(site), plan.model.layer_count()));
    settings.degree(
        context, "/parallelism/context", "Context", [](Plan &p) { return &p.parallelism.context; },
        up_to(divisors(site), max_ranks_of_a_layer));
    if (const std::int64_t experts = routed_experts(plan.model); experts > 0)
        settings.degree(
            expert, "/parallelism/expert", "Expert", [](Plan &p) { return &p.parallelism.expert; }, divisors(experts));
    add_schedules(settings, plan, constraints);
}

std::string recompute_text(const Recompute &recompute) {
    if (recompute.mode == RecomputeMode::layers)
        return recompute.layers == 1 ? "first layer" : fmt::format("first {} layers", recompute.layers);
    return recompute_mode_names()[static_cast<std::size_t>(recompute.mode)];
}

/// Maximum number of evenly spaced values to try for the number of recomputed layers.
constexpr std::int64_t max_layer_counts = 12;

void add_recompute(SettingList &settings, const Plan &plan, const Constraints &constraints) {
    GoalSetting setting{.kind = ChangeKind::memory};
    const auto add = [&](const Recompute &recompute, double distance) {
        if (recompute == plan.recompute
            || !constraints.admits(ConfigurationField::recompute, static_cast<std::int64_t>(recompute.mode),
                                   static_cast<std::int64_t>(plan.recompute.mode)))
            return;
        setting.options.push_back({.changes = {{"/recompute/mode", "Recomputation", recompute_text(plan.recompute),
                                                recompute_text(recompute)}},
                                   .apply = [recompute](Plan &changed) { changed.recompute = recompute; },
                                   .distance = distance});
    };
    using enum RecomputeMode;
    for (const RecomputeMode mode : {none, selective, full})
        add({.mode = mode, .layers = 0, .modules = {}}, 1);
    const std::vector<std::int64_t> held = stage_layers(plan);
    const std::int64_t most = held.empty() ? 0 : *std::max_element(held.begin(), held.end());
    const std::int64_t apart = (most + max_layer_counts - 1) / max_layer_counts;
    for (std::int64_t count = apart; apart > 0 && count < most; count += apart)
        add({.mode = layers, .layers = count, .modules = {}}, static_cast<double>(count) / static_cast<double>(most));
    settings.add(std::move(setting));
}

void add_offload(SettingList &settings, const Plan &plan) {
    const auto offload = [&](const char *pointer, const char *title, double Offload::*field) {
        GoalSetting setting{.kind = ChangeKind::memory};
        for (const double value : {0.0, 0.25, 0.5, 0.75, 1.0})
            if (value != plan.offload.*field && (value == 0 || plan.cluster.accelerator.host_memory_bytes > 0))
                setting.options.push_back({.changes = {{pointer, title, text_of(plan.offload.*field, Quantity::share),
                                                        text_of(value, Quantity::share)}},
                                           .apply = [field, value](Plan &changed) { changed.offload.*field = value; },
                                           .distance = std::abs(value - plan.offload.*field)});
        settings.add(std::move(setting));
    };
    offload("/offload/optimizer", "Optimizer states in host memory", &Offload::optimizer);
    offload("/offload/activations", "Activations in host memory", &Offload::activations);
}

void add_formats(SettingList &settings, const Plan &plan, const Goal &goal) {
    const auto format = [&](const char *pointer, const char *title, DataType Precision::*field,
                            std::initializer_list<DataType> types) {
        GoalSetting setting{.kind = ChangeKind::precision};
        for (const DataType type : types)
            if (type != plan.precision.*field)
                setting.options.push_back({.changes = {{pointer, title, name_of(plan.precision.*field), name_of(type)}},
                                           .apply = [field, type](Plan &changed) { changed.precision.*field = type; }});
        settings.add(std::move(setting));
    };
    using enum DataType;
    // MFU in another format refers to another peak, so it cannot be compared with the goal.
    if (plan.precision.compute == bf16 && plan.cluster.accelerator.supports(fp8) && goal.figure != GoalFigure::mfu)
        format("/precision/compute", "Compute format", &Precision::compute, {fp8});
    if (plan.precision.gradients == fp32)
        format("/precision/gradients", "Gradients", &Precision::gradients, {bf16});
    if (plan.precision.moments == fp32 && plan.optimizer.kind == OptimizerKind::adamw)
        format("/precision/moments", "Adam states", &Precision::moments, {bf16});
}

/// Whether a kind of change can affect the figure, or help other changes to fit.
bool matters(ChangeKind kind, GoalFigure figure) {
    const bool of_step = figure == GoalFigure::step || figure == GoalFigure::mfu
        || figure == GoalFigure::tokens_per_second || figure == GoalFigure::headroom
        || figure == GoalFigure::headroom_share || figure == GoalFigure::fit;
    if (kind == ChangeKind::checkpoints)
        return !of_step && figure != GoalFigure::accelerators && figure != GoalFigure::utilisation;
    if (kind == ChangeKind::outer)
        return figure != GoalFigure::step && figure != GoalFigure::mfu && figure != GoalFigure::tokens_per_second
            && figure != GoalFigure::goodput && figure != GoalFigure::accelerators;
    return true;
}

} // namespace

double doublings(double from, double to) {
    return from > 0 && to > 0 ? std::abs(std::log2(to / from)) : 1;
}

const std::vector<std::string> &change_kind_names() {
    static const std::vector<std::string> names{"layout", "memory", "precision", "outer", "checkpoints", "hardware"};
    return names;
}

std::vector<GoalSetting> goal_settings(const Plan &plan, const Goal &goal, const std::vector<ChangeKind> &kinds,
                                       const Library &library) {
    const Constraints constraints = constraints_of(plan);
    SettingList settings(plan, constraints);
    const auto wanted = [&](ChangeKind kind) {
        return matters(kind, goal.figure) && std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
    };
    if (wanted(ChangeKind::layout))
        add_layout(settings, plan, constraints);
    if (wanted(ChangeKind::memory)) {
        add_recompute(settings, plan, constraints);
        add_offload(settings, plan);
    }
    if (wanted(ChangeKind::precision))
        add_formats(settings, plan, goal);
    std::vector<GoalSetting> others;
    if (wanted(ChangeKind::outer))
        for (GoalSetting &setting : outer_goal_settings(plan))
            others.push_back(std::move(setting));
    if (wanted(ChangeKind::checkpoints))
        others.push_back(checkpoint_setting(plan));
    if (wanted(ChangeKind::hardware))
        for (GoalSetting &setting : hardware_settings(plan, goal, library))
            others.push_back(std::move(setting));
    for (GoalSetting &setting : others)
        settings.add(std::move(setting));
    return settings.take();
}

} // namespace meshwright
