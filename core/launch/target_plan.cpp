// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/target_plan.h"

#include "evaluate/evaluate.h"
#include "input/diagnostic.h"
#include "launch/option_list.h"
#include "plan/plan_json.h"
#include "plan/runnable.h"
#include "plan/software_rules.h"
#include "plan/valid_values.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

namespace meshwright {

namespace {

const std::string &text_of_mode(RecomputeMode mode) {
    return recompute_mode_names()[static_cast<std::size_t>(mode)];
}

/// Name of a stack's software, without the parts and modes that its description adds.
std::string_view product_of(const Stack &stack) {
    const std::string_view text = stack.framework;
    return text.substr(0, std::min(text.find(" ("), text.find(" /")));
}

/// Pointers of the fields of a plan's objects whose values differ: "/parallelism/schedule".
std::vector<std::string> changed_fields(const nlohmann::ordered_json &before, const nlohmann::ordered_json &after) {
    const nlohmann::ordered_json nothing;
    std::vector<std::string> fields;
    for (const auto &[room, values] : after.items()) {
        if (!values.is_object() || !before.contains(room))
            continue;
        for (const auto &[key, value] : values.items())
            if (value != before[room].value(key, nothing))
                fields.push_back(fmt::format("/{}/{}", room, key));
        for (const auto &[key, value] : before[room].items())
            if (!values.contains(key))
                fields.push_back(fmt::format("/{}/{}", room, key));
    }
    return fields;
}

RunPrediction prediction_of(const Result &result) {
    return {.step_seconds = result.step.seconds,
            .tokens_per_second = result.step.tokens_per_second,
            .mfu = result.step.mfu,
            .headroom_bytes = result.verdict.headroom_bytes,
            .capacity_bytes = result.memory.capacity_bytes};
}

/// Replaces what the software cannot run, rule by rule.
class PlanFitter {
public:
    PlanFitter(const Plan &plan, Stack software, ModelOptions options)
        : m_original(plan)
        , m_options(options) {
        m_target.plan = plan;
        m_target.plan.stack = std::move(software);
    }

    TargetPlan fit(SiteScope sites) {
        if (m_plan.cluster.accelerator.architecture == "tpu") // all targets use kernels and collectives of GPUs
            m_target.lose(fmt::format("{} does not run on TPUs", m_plan.stack.name), "the same number of GPUs",
                          {"/cluster/accelerator"});
        if (sites == SiteScope::one)
            m_target.keep_one_site();
        own_layers();
        own_states();
        // A replacement may violate another rule: a new schedule may not support the interleaving groups.
        for (int round = 0; round < 8; ++round) {
            const Runnability found = runnability_of(m_plan);
            for (const NotRunnable &limit : found.limits)
                replace(limit);
            if (found.is_runnable())
                break;
        }
        settle_layers();
        sequence_shards();
        recomputation();
        model();
        if (product_of(m_original.stack) != product_of(m_plan.stack) || m_original.stack.year != m_plan.stack.year)
            m_target.lose(fmt::format("the plan's software is {}", m_original.stack.name), m_plan.stack.name,
                          {"/stack"});
        return std::move(m_target);
    }

private:
    Capabilities &can_run() { return m_plan.stack.can_run; }

    /// Sets the layers of each stage explicitly, as they were when the plan was evaluated.
    void own_layers() {
        if (m_plan.parallelism.pipeline > 1)
            m_plan.parallelism.layout = stage_layers(m_original);
        else
            m_plan.parallelism.layout.clear();
        m_plan.parallelism.layout_text.clear();
        if (m_plan.parallelism.pipeline == 1) { // without a pipeline there is no schedule
            m_plan.parallelism.schedule = Schedule::one_f_one_b;
            m_plan.parallelism.chunks = 1;
            m_plan.parallelism.group.reset();
        } else if (m_plan.parallelism.chunks == 1) {
            one_chunk();
        }
    }

    /// Interleaving needs at least two chunks per rank.
    void one_chunk() {
        Schedule &schedule = m_plan.parallelism.schedule;
        const Schedule interleaved = schedule;
        if (schedule == Schedule::interleaved || schedule == Schedule::interleaved_zb)
            schedule = Schedule::one_f_one_b;
        else if (schedule == Schedule::looped_bfs)
            schedule = Schedule::gpipe;
        else
            return;
        m_plan.parallelism.group.reset();
        m_target.lose(fmt::format("{} does not run with one chunk per rank", name_of(interleaved)), name_of(schedule),
                      {"/parallelism/schedule"});
    }

    /// With a single rank, states are not sharded, and any stage counts as runnable; stage 1 still selects the
    /// optimizer that can shard them.
    void own_states() {
        Parallelism &parallelism = m_plan.parallelism;
        if (parallelism.data * parallelism.context > 1)
            return;
        parallelism.shard_group.reset();
        const auto &stages = parallelism.pipeline > 1 ? can_run().zero_stages_with_pipeline : can_run().zero_stages;
        if (parallelism.zero_stage <= 1 || !leaves_out(stages, parallelism.zero_stage))
            return;
        m_target.lose(fmt::format("{} does not support ZeRO {}, which shards nothing on a single data-parallel rank",
                                  m_plan.stack.name, parallelism.zero_stage),
                      "ZeRO 1", {"/parallelism/zero_stage"});
        parallelism.zero_stage = 1;
    }

    /// Removes a pipeline layout that the software's own rule would produce.
    void settle_layers() {
        Plan even = m_plan;
        even.parallelism.layout.clear();
        const std::vector<std::int64_t> own = stage_layers(even);
        if (m_plan.parallelism.layout == own)
            m_plan.parallelism.layout.clear();
    }

    /// Only XLA pads sequences that are not divisible into their shards.
    void sequence_shards() {
        Parallelism &parallelism = m_plan.parallelism;
        const std::int64_t shards = parallelism.context * parallelism.tensor;
        if (!parallelism.sequence_parallel || m_plan.stack.pads_uneven_shards
            || m_plan.batch.sequence_length % shards == 0)
            return;
        parallelism.sequence_parallel = false;
        m_target.lose(fmt::format("a sequence of {} tokens is not divisible into {} shards",
                                  m_plan.batch.sequence_length, shards),
                      "sequence parallelism is off", {"/parallelism/sequence_parallel"});
    }

    [[noreturn]] static void refuse(const NotRunnable &limit) {
        throw InputError(limit.fields.front(), limit.reason,
                         limit.expected.empty() ? "expected a different configuration" : limit.expected);
    }

    /// Records a lost setting with the plan fields that its replacement has changed. If an earlier replacement already
    /// changed them, the fields that the violated rule names are recorded.
    void lose(const NotRunnable &limit, const std::string &instead) {
        const std::vector<std::string> changed = changed_fields(to_json(m_before), to_json(m_plan));
        m_target.lose(limit.reason, instead, changed.empty() ? limit.fields : changed);
    }

    void replace(const NotRunnable &limit) {
        m_before = m_plan;
        Parallelism &parallelism = m_plan.parallelism;
        switch (limit.limit) {
        case SoftwareLimit::tensor:
        case SoftwareLimit::kv_heads:
        case SoftwareLimit::context:
        case SoftwareLimit::expert:
            refuse(limit);
        case SoftwareLimit::sequence_parallel:
            parallelism.sequence_parallel = !parallelism.sequence_parallel;
            lose(limit, fmt::format("sequence parallelism is {}", parallelism.sequence_parallel ? "on" : "off"));
            break;
        case SoftwareLimit::expert_tensor:
            parallelism.expert_tensor = 1;
            lose(limit, "expert TP 1");
            break;
        case SoftwareLimit::schedule:
            if (can_run().schedules->empty())
                refuse(limit);
            schedule(limit);
            break;
        case SoftwareLimit::group:
            group(limit);
            break;
        case SoftwareLimit::layout:
            parallelism.layout.clear();
            lose(limit, "the target's own rule for splitting the layers");
            break;
        case SoftwareLimit::zero_stage:
            zero_stage(limit);
            break;
        case SoftwareLimit::shard_group:
            parallelism.shard_group.reset();
            lose(limit, "states are sharded across all data-parallel ranks");
            break;
        case SoftwareLimit::recompute:
            recompute(limit);
            break;
        case SoftwareLimit::optimizer_offload:
            offload(limit, m_plan.offload.optimizer, can_run().optimizer_offload);
            break;
        case SoftwareLimit::activation_offload:
            offload(limit, m_plan.offload.activations, can_run().activation_offload);
            break;
        case SoftwareLimit::compute:
        case SoftwareLimit::gradients:
        case SoftwareLimit::master:
        case SoftwareLimit::moments:
            format(limit);
            break;
        case SoftwareLimit::placement:
            placement(limit);
            break;
        }
    }

    /// Replaces the schedule with a supported one that has the same number of chunks, or else with 1F1B.
    void schedule(const NotRunnable &limit) {
        Parallelism &parallelism = m_plan.parallelism;
        const bool slices = definition_of(parallelism.schedule).cuts_sequences;
        const bool v_shape = definition_of(parallelism.schedule).placement == StagePlacement::v_shape;
        if (slices)
            parallelism.chunks = 1;
        std::vector<Schedule> candidates;
        if (parallelism.chunks > 1 && v_shape)
            candidates.push_back(Schedule::zb_v);
        if (parallelism.chunks > 1)
            candidates.push_back(Schedule::interleaved);
        for (const Schedule candidate : candidates) {
            Plan with = m_plan;
            with.parallelism.schedule = candidate;
            with.parallelism.group.reset();
            if (runs_schedule(can_run(), candidate, parallelism.pipeline) && schedule_problems(with).empty()) {
                parallelism.schedule = candidate;
                parallelism.group.reset();
                lose(limit, fmt::format("{} with {} chunks", name_of(candidate), parallelism.chunks));
                return;
            }
        }
        if (!slices && parallelism.chunks > 1)
            parallelism.layout.clear();
        parallelism.chunks = 1;
        parallelism.group.reset();
        parallelism.schedule = Schedule::one_f_one_b;
        if (!runs_schedule(can_run(), parallelism.schedule, parallelism.pipeline))
            refuse(limit);
        lose(limit, "1f1b");
    }

    void group(const NotRunnable &limit) {
        if (m_plan.parallelism.group) {
            m_plan.parallelism.group.reset();
            lose(limit, "its default group size");
            return;
        }
        m_plan.parallelism.schedule = Schedule::one_f_one_b;
        m_plan.parallelism.chunks = 1;
        m_plan.parallelism.layout.clear();
        lose(limit, "1f1b without chunks");
    }

    /// Replaces the ZeRO stage with the next higher supported stage, which needs no more memory, or else with the next
    /// lower supported stage.
    void zero_stage(const NotRunnable &limit) {
        const ShardingCase given = sharding_case_of(m_plan);
        const std::int64_t wanted = m_plan.parallelism.zero_stage;
        for (const std::int64_t step : {1, -1})
            for (std::int64_t stage = wanted + step; stage >= 0 && stage <= 3; stage += step)
                if (runs_zero_stage(can_run(), given, stage)) {
                    m_plan.parallelism.zero_stage = stage;
                    lose(limit, fmt::format("ZeRO {}", stage));
                    return;
                }
        m_plan.offload.optimizer = 0; // no supported stage can offload the plan's states
        m_plan.precision.master = DataType::fp32;
        m_plan.precision.moments = DataType::fp32;
        lose(limit, "master weights and moments in fp32, on the accelerator");
    }

    /// Replaces the recomputation mode with one that recomputes at least as much: "selective" or "full".
    void recompute(const NotRunnable &limit) {
        Recompute &recompute = m_plan.recompute;
        if (recompute.mode == RecomputeMode::modules && runs_recompute(can_run(), RecomputeMode::modules)) {
            std::erase_if(recompute.modules,
                          [&](const std::string &module) { return leaves_out(can_run().recompute_modules, module); });
            lose(limit, "these modules are not recomputed");
            return;
        }
        const auto has = [&](const char *module) {
            return std::find(recompute.modules.begin(), recompute.modules.end(), module) != recompute.modules.end();
        };
        const bool attention_only = recompute.mode == RecomputeMode::modules && has("core_attn");
        std::vector<RecomputeMode> order{RecomputeMode::full, RecomputeMode::selective, RecomputeMode::none};
        if (attention_only || recompute.mode == RecomputeMode::modules)
            order = {RecomputeMode::selective, RecomputeMode::full, RecomputeMode::none};
        for (const RecomputeMode mode : order)
            if (mode != recompute.mode && (mode == RecomputeMode::none || runs_recompute(can_run(), mode))) {
                recompute = {.mode = mode};
                lose(limit, mode == RecomputeMode::none ? std::string("nothing is recomputed") : text_of_mode(mode));
                return;
            }
    }

    void offload(const NotRunnable &limit, double &share, const std::optional<OffloadShare> &known) {
        share = known == OffloadShare::everything ? 1 : 0;
        lose(limit, share > 0 ? "all are offloaded" : "nothing is offloaded");
    }

    void format(const NotRunnable &limit) {
        // Offloading and placement have separate rules.
        const Offload offload = m_plan.offload;
        const std::vector<Dimension> placement = m_plan.parallelism.placement;
        make_settings_runnable(m_plan);
        m_plan.offload = offload;
        m_plan.parallelism.placement = placement;
        const auto now = [&](SoftwareLimit which) {
            switch (which) {
            case SoftwareLimit::compute:
                return m_plan.precision.compute;
            case SoftwareLimit::gradients:
                return m_plan.precision.gradients;
            case SoftwareLimit::master:
                return m_plan.precision.master;
            default:
                return m_plan.precision.moments;
            }
        };
        lose(limit, name_of(now(limit.limit)));
    }

    void placement(const NotRunnable &limit) {
        m_plan.parallelism.placement = Parallelism{}.placement;
        lose(limit, "its own rank order, which run.sbatch maps to the plan's order");
    }

    void recomputation() {
        Recompute &recompute = m_plan.recompute;
        if (recompute.mode == RecomputeMode::modules && recompute.modules.empty())
            recompute = {};
        if (recompute.mode != RecomputeMode::modules)
            recompute.modules.clear();
        if (recompute.mode != RecomputeMode::layers)
            recompute.layers = Recompute{}.layers;
        if (recompute.mode == RecomputeMode::modules && recompute.modules == std::vector<std::string>{"core_attn"}
            && !m_plan.stack.selective_by_operation)
            recompute = {.mode = RecomputeMode::selective};
        if (recompute.mode == RecomputeMode::selective
            && m_original.stack.selective_by_operation != m_plan.stack.selective_by_operation)
            m_target.lose(
                m_original.stack.selective_by_operation
                    ? "selective recomputation in the plan's software saves the results of GEMMs and attention"
                    : "selective recomputation in the plan's software covers only the attention core",
                m_plan.stack.selective_by_operation
                    ? "the results of GEMMs and attention are saved, everything else is recomputed"
                    : "only the attention core is recomputed",
                {"/recompute/mode"});
    }

    void model() {
        const bool has_all_options = m_options == ModelOptions::megatron_core;
        std::optional<DescribedHybrid> hybrid = has_all_options ? hybrid_of(m_plan.model) : std::nullopt;
        if (hybrid)
            m_target.hybrid = std::move(hybrid->layers);
        DescribedModel described = hybrid ? std::move(hybrid->parts) : shape_of(m_plan.model);
        m_target.shape = std::move(described.shape);
        if (!has_all_options && std::exchange(m_target.shape.expert_latent, 0) > 0)
            described.missing.emplace_back("a down projection before the experts");
        for (const std::string &part : described.missing)
            m_target.lose(fmt::format("no option describes {}", part), "the most similar standard layers", {"/model"});
    }

    const Plan &m_original;
    ModelOptions m_options;
    Plan m_before; ///< the plan before the current replacement
    TargetPlan m_target;
    Plan &m_plan = m_target.plan;
};

} // namespace

void TargetPlan::predict(const Result &planned) {
    if (lost.empty()) {
        prediction = prediction_of(planned);
        return;
    }
    Plan run = plan;
    OptionList derived({}); // the file states every size, so that nothing is assumed
    std::optional<Model> written = names_preset ? std::nullopt
        : hybrid                                ? hybrid_model_of(*hybrid, shape, run.model.name, derived)
                                                : model_of(shape, run.model.name, derived);
    if (written)
        run.model = std::move(*written);
    if (run.parallelism.pipeline > 1 && run.parallelism.layout.empty())
        run.parallelism.layout = stage_layers(run); // the software's own rule may leave stages without layers
    try {
        prediction = prediction_of(evaluate(run, Depth::executed));
    } catch (const InputError &) {
        prediction.reset();
    }
}

TargetPlan target_plan(const Plan &plan, Stack software, ModelOptions options, SiteScope sites) {
    return PlanFitter(plan, std::move(software), options).fit(sites);
}

SiteNodes nodes_of(const Plan &plan) {
    const std::int64_t all = plan.site_accelerators();
    const std::int64_t node = std::clamp<std::int64_t>(plan.cluster.accelerators_per_node, 1, all);
    const std::int64_t per_node = all % node == 0 ? node : std::gcd(all, node);
    return {.nodes = all / per_node, .per_node = per_node};
}

} // namespace meshwright
