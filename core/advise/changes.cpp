// SPDX-License-Identifier: GPL-3.0-or-later
#include "advise/changes.h"

#include "cost/placement.h"
#include "evaluate/evaluate.h"
#include "plan/plan_json.h"
#include "plan/valid_values.h"
#include "quantities/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

using Json = nlohmann::ordered_json;

Change change_of(std::string title, const Json &patch, Plan plan, int fields = 1) {
    return {.title = std::move(title), .patch = patch.dump(), .plan = std::move(plan), .fields = fields};
}

Change with_format(const Plan &plan, const char *key, const char *label, DataType Precision::*field, DataType type) {
    Plan changed = plan;
    changed.precision.*field = type;
    return change_of(fmt::format("{} in {}", label, name_of(type)), Json{{"precision", {{key, name_of(type)}}}},
                     std::move(changed));
}

std::string signed_text(double value, Quantity quantity) {
    return (value < 0 ? "\u2212" : "+") + text_of(std::abs(value), quantity);
}

} // namespace

std::optional<Change> with_degrees(const Plan &plan, std::int64_t tensor, std::int64_t pipeline) {
    const std::int64_t model_ranks = tensor * plan.parallelism.context * pipeline;
    if (tensor < 1 || pipeline < 1 || model_ranks > plan.site_accelerators()
        || plan.site_accelerators() % model_ranks != 0)
        return std::nullopt;
    Plan changed = plan;
    Json patch{{"parallelism", Json::object()}};
    std::string title;
    int fields = 0;
    const auto set = [&](const char *name, std::int64_t &field, std::int64_t value) {
        if (field == value)
            return;
        field = value;
        patch["parallelism"][name] = value;
        title += fmt::format("{}{} {}", title.empty() ? "" : ", ", name, value);
        ++fields;
    };
    set("tensor", changed.parallelism.tensor, tensor);
    set("pipeline", changed.parallelism.pipeline, pipeline);
    changed.parallelism.data = plan.site_accelerators() / model_ranks;
    patch["parallelism"]["data"] = nullptr;
    if (!changed.parallelism.layout.empty()) {
        changed.parallelism.layout.clear();
        changed.parallelism.layout_text.clear();
        patch["parallelism"]["layout"] = nullptr;
    }
    // Without these fields in the patch, their values would be derived from the new degrees.
    patch["batch"]["global_sequences"] = plan.batch.global_sequences;
    if (plan.parallelism.tensor == 1 || tensor == 1)
        changed.parallelism.sequence_parallel = tensor > 1;
    patch["parallelism"]["sequence_parallel"] = changed.parallelism.sequence_parallel;
    return change_of(title, patch, std::move(changed), fields);
}

Change with_micro(const Plan &plan, std::int64_t micro) {
    Plan changed = plan;
    changed.batch.micro_sequences = micro;
    const Json patch{{"batch", {{"micro_sequences", micro}, {"global_sequences", plan.batch.global_sequences}}}};
    return change_of(fmt::format("microbatch size {}", micro), patch, std::move(changed));
}

Change with_recompute(const Plan &plan, RecomputeMode mode) {
    Plan changed = plan;
    changed.recompute = {.mode = mode, .layers = 0, .modules = {}};
    const std::string &name = recompute_mode_names()[static_cast<std::size_t>(mode)];
    return change_of(fmt::format("{} recomputation", name), Json{{"recompute", {{"mode", name}}}}, std::move(changed));
}

Change with_zero_stage(const Plan &plan, std::int64_t stage) {
    Plan changed = plan;
    changed.parallelism.zero_stage = stage;
    return change_of(fmt::format("ZeRO {}", stage), Json{{"parallelism", {{"zero_stage", stage}}}}, std::move(changed));
}

Change with_chunks(const Plan &plan, std::int64_t chunks) {
    const Schedule schedule = chunks > 1 ? Schedule::interleaved : Schedule::one_f_one_b;
    Plan changed = plan;
    changed.parallelism.chunks = chunks;
    changed.parallelism.schedule = schedule;
    return change_of(fmt::format("{} chunks", chunks),
                     Json{{"parallelism", {{"chunks", chunks}, {"schedule", name_of(schedule)}}}}, std::move(changed),
                     2);
}

std::vector<Change> memory_changes(const Plan &plan) {
    std::vector<Change> changes;
    if (plan.recompute.mode == RecomputeMode::none && plan.stack.attention == AttentionKernel::unfused)
        changes.push_back(with_recompute(plan, RecomputeMode::selective));
    if (plan.recompute.mode != RecomputeMode::full)
        changes.push_back(with_recompute(plan, RecomputeMode::full));
    if (has_shards(plan))
        for (std::int64_t stage = plan.parallelism.zero_stage + 1; stage <= 3; ++stage)
            changes.push_back(with_zero_stage(plan, stage));
    if (plan.precision.gradients == DataType::fp32)
        changes.push_back(with_format(plan, "gradients", "gradients", &Precision::gradients, DataType::bf16));
    if (plan.precision.moments == DataType::fp32 && plan.optimizer.kind == OptimizerKind::adamw)
        changes.push_back(with_format(plan, "moments", "Adam states", &Precision::moments, DataType::bf16));
    if (plan.batch.micro_sequences > 1)
        changes.push_back(with_micro(plan, 1));
    if (plan.offload.optimizer < 1 && plan.cluster.accelerator.host_memory_bytes > 0) {
        Plan changed = plan;
        changed.offload.optimizer = 1;
        changes.push_back(change_of("optimizer states in host memory", Json{{"offload", {{"optimizer", 1}}}}, changed));
    }
    return changes;
}

std::vector<Change> layout_changes(const Plan &plan) {
    const std::int64_t t = plan.parallelism.tensor;
    const std::int64_t p = plan.parallelism.pipeline;
    std::vector<Change> changes;
    const auto add = [&](std::int64_t tensor, std::int64_t pipeline) {
        if (std::optional<Change> change = with_degrees(plan, tensor, pipeline))
            changes.push_back(std::move(*change));
    };
    add(2 * t, p);
    add(t, 2 * p);
    if (t % 2 == 0) {
        add(t / 2, p);
        add(t / 2, 2 * p);
    }
    if (p % 2 == 0) {
        add(t, p / 2);
        add(2 * t, p / 2);
    }
    return changes;
}

std::vector<Change> outer_changes(const Plan &plan) {
    std::vector<Change> changes;
    const Outer &outer = plan.outer;
    if (outer.method == OuterMethod::none)
        return changes;
    const auto add = [&](std::string title, const Json &patch, auto &&edit) {
        Plan changed = plan;
        edit(changed.outer);
        changes.push_back(change_of(std::move(title), Json{{"outer", patch}}, std::move(changed)));
    };
    if (outer.method != OuterMethod::data_parallel) {
        add(fmt::format("{} inner steps", 2 * outer.inner_steps), Json{{"inner_steps", 2 * outer.inner_steps}},
            [](Outer &o) { o.inner_steps *= 2; });
        for (const std::int64_t overlap : {outer.overlap_steps + 1, outer.overlap_steps + 4, outer.overlap_steps + 9})
            add(fmt::format("overlap {} steps", overlap), Json{{"overlap_steps", overlap}},
                [overlap](Outer &o) { o.overlap_steps = overlap; });
        if (outer.method == OuterMethod::streaming_diloco)
            add(fmt::format("{} fragments", 2 * outer.fragments), Json{{"fragments", 2 * outer.fragments}},
                [](Outer &o) { o.fragments *= 2; });
        if (outer.down.density == 1 && outer.up.density < 1)
            add(fmt::format("download {} of the values", exact_text(outer.up.density, Quantity::share)),
                Json{{"down", {{"density", outer.up.density}, {"index", "bitmap"}}}}, [&](Outer &o) {
                    o.down.density = outer.up.density;
                    o.down.index = IndexEncoding::bitmap;
                });
    }
    return changes;
}

Change combined(const Change &first, const Change &second) {
    // The second patch wins. Members are copied one by one, because merge_patch() would erase the members that the
    // second patch sets to null.
    Json patch = Json::parse(first.patch);
    const Json later = Json::parse(second.patch);
    for (const auto &object : later.items())
        for (const auto &field : object.value().items())
            patch[object.key()][field.key()] = field.value();
    return {.title = first.title + ", " + second.title,
            .patch = patch.dump(),
            .plan = second.plan,
            .fields = first.fields + second.fields};
}

std::optional<EvaluatedChange> evaluate_change(const Change &change) {
    if (!check_plan(change.plan).empty())
        return std::nullopt;
    const Result result = evaluate(change.plan, Depth::executed);
    return EvaluatedChange{.change = change,
                           .fits = result.verdict.fits,
                           .step_seconds = result.step.seconds,
                           .headroom_bytes = result.verdict.headroom_bytes};
}

std::optional<EvaluatedChange> evaluate_outer_change(const Change &change, Depth depth) {
    if (!check_plan(change.plan).empty())
        return std::nullopt;
    const Result result = evaluate(change.plan, depth);
    return EvaluatedChange{.change = change,
                           .fits = result.verdict.fits,
                           .step_seconds = result.step.seconds,
                           .run_seconds = result.run.seconds,
                           .headroom_bytes = result.verdict.headroom_bytes};
}

std::string time_gain(const EvaluatedChange &change, const Result &result) {
    return signed_text(change.step_seconds - result.step.seconds, Quantity::seconds);
}

std::string memory_gain(const EvaluatedChange &change, const Result &result) {
    return signed_text(change.headroom_bytes - result.verdict.headroom_bytes, Quantity::bytes);
}

} // namespace meshwright
