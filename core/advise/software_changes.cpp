// SPDX-License-Identifier: GPL-3.0-or-later
#include "advise/software_changes.h"

#include "plan/plan_json.h"
#include "plan/runnable.h"
#include "plan/software_rules.h"
#include "plan/valid_values.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>

namespace meshwright {

namespace {

using Json = nlohmann::ordered_json;

class LimitFixes {
public:
    LimitFixes(const Plan &plan, SoftwareLimit limit)
        : m_plan(plan)
        , m_known(plan.stack.can_run) {
        switch (limit) {
        case SoftwareLimit::tensor:
            degrees(1, plan.parallelism.pipeline);
            break;
        case SoftwareLimit::sequence_parallel:
            sequence();
            break;
        case SoftwareLimit::kv_heads:
            degrees(min_kv_heads(plan.model), plan.parallelism.pipeline);
            break;
        case SoftwareLimit::context:
            context();
            break;
        case SoftwareLimit::expert:
            experts();
            break;
        case SoftwareLimit::expert_tensor:
            expert_tensor();
            break;
        case SoftwareLimit::schedule:
            schedule();
            break;
        case SoftwareLimit::group:
            group();
            break;
        case SoftwareLimit::layout:
            layers();
            break;
        case SoftwareLimit::zero_stage:
            zero_stage();
            break;
        case SoftwareLimit::shard_group:
            shard_group();
            break;
        case SoftwareLimit::recompute:
            recompute();
            break;
        default:
            settings(limit);
        }
    }

    std::vector<Change> take() { return std::move(m_changes); }

private:
    void add(std::string title, const Json &patch, Plan plan, int fields = 1) {
        m_changes.push_back(
            {.title = std::move(title), .patch = patch.dump(), .plan = std::move(plan), .fields = fields});
    }

    void degrees(std::int64_t tensor, std::int64_t pipeline) {
        if (std::optional<Change> change = with_degrees(m_plan, tensor, pipeline))
            m_changes.push_back(std::move(*change));
    }

    void sequence() {
        Plan changed = m_plan;
        const bool on = !m_plan.parallelism.sequence_parallel;
        changed.parallelism.sequence_parallel = on;
        add(on ? "sequence parallelism" : "no sequence parallelism", {{"parallelism", {{"sequence_parallel", on}}}},
            std::move(changed));
    }

    void context() {
        Plan changed = m_plan;
        changed.parallelism.data *= changed.parallelism.context;
        changed.parallelism.context = 1;
        add("context 1",
            {{"parallelism", {{"context", 1}, {"data", nullptr}}},
             {"batch", {{"global_sequences", m_plan.batch.global_sequences}}}},
            std::move(changed));
    }

    void experts() {
        Plan changed = m_plan;
        changed.parallelism.expert = 1;
        add("expert 1", {{"parallelism", {{"expert", 1}}}}, std::move(changed));
        if (m_known.expert.value_or(true))
            context();
    }

    void expert_tensor() {
        std::vector<std::int64_t> degrees{1};
        if (m_known.expert_tensor == ExpertSplit::one_or_tensor)
            degrees.push_back(m_plan.parallelism.tensor);
        for (const std::int64_t degree : degrees) {
            Plan changed = m_plan;
            changed.parallelism.expert_tensor = degree;
            add(fmt::format("expert TP {}", degree), {{"parallelism", {{"expert_tensor", degree}}}},
                std::move(changed));
        }
    }

    /// Every schedule that the software supports, with the plan's number of chunks if the schedule accepts any number.
    void schedule() {
        const std::vector<std::string> &names = schedule_names();
        for (const std::string &name : *m_known.schedules) {
            const auto found = std::find(names.begin(), names.end(), name);
            if (found != names.end())
                with_schedule(static_cast<Schedule>(found - names.begin()));
        }
        if (m_known.schedules->empty())
            degrees(m_plan.parallelism.tensor, 1);
    }

    void with_schedule(Schedule schedule) {
        const ChunkCount rule = definition_of(schedule).chunks;
        std::vector<std::int64_t> counts{rule == ChunkCount::one ? 1 : 2};
        if (rule == ChunkCount::any && m_plan.layer_chunks() > 2)
            counts.push_back(m_plan.layer_chunks());
        for (const std::int64_t chunks : counts) {
            Plan changed = m_plan;
            Parallelism &parallelism = changed.parallelism;
            Json patch{{"schedule", name_of(schedule)}, {"chunks", chunks}};
            parallelism.schedule = schedule;
            parallelism.chunks = chunks;
            if (!parallelism.layout.empty() && changed.virtual_stages() != m_plan.virtual_stages()) {
                parallelism.layout.clear();
                parallelism.layout_text.clear();
                patch["layout"] = nullptr;
            }
            if (parallelism.group) {
                parallelism.group.reset();
                patch["group"] = nullptr;
            }
            add(chunks > 1 ? fmt::format("{}, {} chunks", name_of(schedule), chunks) : name_of(schedule),
                {{"parallelism", std::move(patch)}}, std::move(changed), 2);
        }
    }

    void group() {
        if (m_plan.parallelism.group) {
            Plan changed = m_plan;
            changed.parallelism.group.reset();
            add("default group size", {{"parallelism", {{"group", nullptr}}}}, std::move(changed));
        }
        if (!leaves_out(m_known.schedules, name_of(Schedule::one_f_one_b)))
            with_schedule(Schedule::one_f_one_b);
    }

    void layers() {
        if (!m_plan.parallelism.layout.empty()) {
            Plan changed = m_plan;
            changed.parallelism.layout.clear();
            changed.parallelism.layout_text.clear();
            add("even pipeline layout", {{"parallelism", {{"layout", nullptr}}}}, std::move(changed));
        }
        if (m_plan.layer_chunks() > 1)
            for (const std::int64_t chunks : chunk_stops(m_plan)) {
                Plan changed = m_plan;
                changed.parallelism.chunks = chunks;
                if (chunks > 1 && chunks != m_plan.parallelism.chunks)
                    add(fmt::format("{} chunks", chunks), {{"parallelism", {{"chunks", chunks}}}}, std::move(changed));
            }
        for (const std::int64_t pipeline : valid_pipeline(m_plan, 4))
            degrees(m_plan.parallelism.tensor, pipeline);
    }

    void zero_stage() {
        const std::int64_t present = m_plan.parallelism.zero_stage;
        std::vector<std::int64_t> stages{0, 1, 2, 3};
        std::stable_sort(stages.begin(), stages.end(),
                         [&](std::int64_t a, std::int64_t b) { return std::abs(a - present) < std::abs(b - present); });
        for (const std::int64_t stage : stages)
            if (runs_zero_stage(m_known, sharding_case_of(m_plan), stage))
                m_changes.push_back(with_zero_stage(m_plan, stage));
    }

    void shard_group() {
        Plan changed = m_plan;
        changed.parallelism.shard_group.reset();
        add("shard over all ranks", {{"parallelism", {{"shard_group", nullptr}}}}, std::move(changed));
    }

    void recompute() {
        for (const RecomputeMode mode : {RecomputeMode::selective, RecomputeMode::full, RecomputeMode::none})
            if (runs_recompute(m_known, mode) && mode != m_plan.recompute.mode) {
                Change change = with_recompute(m_plan, mode);
                Json patch = Json::parse(change.patch);
                patch["recompute"]["layers"] = patch["recompute"]["modules"] = nullptr;
                change.patch = patch.dump();
                m_changes.push_back(std::move(change));
            }
    }

    /// Resets all unsupported number formats, offloading and placement options to their defaults at once.
    void settings(SoftwareLimit limit) {
        Plan changed = m_plan;
        make_settings_runnable(changed);
        const Json before = to_json(m_plan);
        const Json after = to_json(changed);
        const auto replace = [&](const char *object, const char *key) {
            const Json was = before.at(object).value(key, Json());
            const Json is = after.at(object).value(key, Json());
            if (was == is)
                return;
            Plan one = m_plan;
            if (limit == SoftwareLimit::placement)
                one.parallelism.placement = changed.parallelism.placement;
            one.precision = limit == SoftwareLimit::placement ? one.precision : changed.precision;
            one.offload = limit == SoftwareLimit::placement ? one.offload : changed.offload;
            const std::string text = is.is_string() ? is.get<std::string>() : is.dump();
            if (limit == SoftwareLimit::placement)
                add("default rank order", {{object, {{key, nullptr}}}}, std::move(one));
            else if (m_changes.empty())
                add(fmt::format("{} {}", key, text), {{object, {{key, is}}}}, std::move(one));
            else
                join(fmt::format("{} {}", key, text), object, key, is);
        };
        if (limit == SoftwareLimit::placement) {
            replace("parallelism", "placement");
            return;
        }
        for (const char *key : {"compute", "gradients", "master", "moments"})
            replace("precision", key);
        for (const char *key : {"optimizer", "activations"})
            replace("offload", key);
    }

    void join(const std::string &title, const char *object, const char *key, const Json &value) {
        Change &change = m_changes.back();
        Json patch = Json::parse(change.patch);
        patch[object][key] = value;
        change.patch = patch.dump();
        change.title += ", " + title;
        ++change.fields;
    }

    const Plan &m_plan;
    const Capabilities &m_known;
    std::vector<Change> m_changes;
};

/// Changes the plan until its software can run it. For each limit that the plan violates, the first available change is
/// applied.
std::optional<Change> made_runnable(Change change) {
    constexpr int most = 8; // maximum number of limits to remove
    for (int round = 0; round < most; ++round) {
        const std::optional<NotRunnable> limit = cannot_run(change.plan);
        if (!limit)
            return check_plan(change.plan).empty() ? std::optional(std::move(change)) : std::nullopt;
        std::vector<Change> next = LimitFixes(change.plan, limit->limit).take();
        if (next.empty())
            return std::nullopt;
        change = combined(change, next.front());
    }
    return std::nullopt;
}

} // namespace

std::vector<Change> software_changes(const Plan &plan) {
    const std::optional<NotRunnable> limit = cannot_run(plan);
    std::vector<Change> changes;
    if (!limit)
        return changes;
    for (Change &first : LimitFixes(plan, limit->limit).take())
        if (std::optional<Change> change = made_runnable(std::move(first)); change
            && std::none_of(changes.begin(), changes.end(),
                            [&](const Change &other) { return other.plan == change->plan; }))
            changes.push_back(std::move(*change));
    return changes;
}

std::optional<Diagnostic> software_warning(const Result &result, const std::stop_token &stop) {
    const Runnability runnability = runnability_of(result.plan);
    if (runnability.is_runnable())
        return std::nullopt;
    constexpr std::size_t offered = 3;
    Diagnostic warning{.severity = Severity::warning,
                       .code = "software-cannot-run",
                       .message = {},
                       .expected = {},
                       .fields = {},
                       .fixes = {}};
    for (const NotRunnable &limit : runnability.limits) {
        warning.message += (warning.message.text.empty() ? "" : "; ") + limit.reason;
        if (!limit.expected.empty())
            warning.expected += (warning.expected.text.empty() ? "" : "; ") + limit.expected;
        if (!limit.source.empty())
            warning.expected += fmt::format(" ({})", limit.source);
        for (const std::string &field : limit.fields)
            if (std::find(warning.fields.begin(), warning.fields.end(), field) == warning.fields.end())
                warning.fields.push_back(field);
    }
    std::vector<EvaluatedChange> found;
    for (const Change &change : software_changes(result.plan)) {
        if (stop.stop_requested())
            break;
        if (std::optional<EvaluatedChange> one = evaluate_change(change))
            found.push_back(std::move(*one));
    }
    std::stable_sort(found.begin(), found.end(), [](const EvaluatedChange &a, const EvaluatedChange &b) {
        if (a.fits != b.fits)
            return a.fits;
        return a.fits ? a.step_seconds < b.step_seconds : a.headroom_bytes > b.headroom_bytes;
    });
    found.resize(std::min(found.size(), offered));
    for (const EvaluatedChange &one : found)
        warning.fixes.push_back({.title = one.change.title,
                                 .patch = one.change.patch,
                                 .gain = time_gain(one, result),
                                 .figure = "step.seconds"});
    return warning;
}

} // namespace meshwright
