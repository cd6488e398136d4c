// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/training_advisor.h"

#include "catalog/weights.h"
#include "evaluate/evaluate.h"
#include "memory/memory_model.h"
#include "plan/valid_values.h"
#include "quantities/text.h"
#include "search/slider_steps.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace meshwright {

namespace {

using Json = nlohmann::ordered_json;
using Values = std::vector<std::int64_t>;

constexpr double small_model = 10e9;
constexpr double large_model = 100e9;
constexpr std::int64_t many_accelerators = 512;
constexpr std::int64_t very_many_accelerators = 1024;
constexpr std::int64_t long_sequence = 32768;
constexpr double short_memory = 0.5; ///< memory counts as scarce if fully sharded states take more than this fraction

/// Values that a class of configurations allows; an empty list allows all.
struct Kind {
    std::string name;
    Values tensor;
    Values pipeline;
    Values zero;
};

bool admits(const Values &values, std::int64_t value) {
    return values.empty() || std::find(values.begin(), values.end(), value) != values.end();
}

bool admits(const Kind &kind, const Plan &plan) {
    const Parallelism &p = plan.parallelism;
    return admits(kind.tensor, p.tensor) && admits(kind.pipeline, p.pipeline) && admits(kind.zero, p.zero_stage);
}

class Advisor {
public:
    Advisor(const Plan &plan, const Library &library, const std::stop_token &stop)
        : m_plan(plan)
        , m_library(library)
        , m_stop(stop)
        , m_result(evaluate(plan, Depth::numbers)) { }

    TrainingAdvice advice() {
        m_advice.step_seconds = m_result.step.seconds;
        m_advice.fits = m_result.verdict.fits;
        find_regime();
        m_advice.best = best_of({}, {});
        m_advice.steps.push_back(fit());
        m_advice.steps.push_back(batch());
        m_advice.steps.push_back(throughput());
        m_advice.comparison = comparison();
        m_advice.sliders = slider_steps(m_result, m_stop);
        m_advice.complete = !m_stop.stop_requested();
        return std::move(m_advice);
    }

private:
    /// Fastest fitting configuration of a class whose recomputation is one of `recomputes` (empty: any).
    std::optional<SearchEntry> best_of(const Kind &kind, const std::vector<const char *> &recomputes) const {
        Plan plan = m_plan;
        Json document = plan.constraints_json.empty() ? Json::object() : Json::parse(plan.constraints_json);
        Json &allowed = document["constraints"]["allowed"];
        const auto allow = [&](const char *field, const Values &values) {
            if (!values.empty())
                allowed[field] = values;
        };
        allow("tensor", kind.tensor);
        allow("pipeline", kind.pipeline);
        allow("zero_stage", kind.zero);
        if (!recomputes.empty())
            allowed["recompute"] = recomputes;
        if (allowed.is_null())
            document["constraints"].erase("allowed");
        plan.constraints_json = document.dump();
        SearchOptions options;
        options.wanted = {.top = 1, .pareto = false};
        options.stop = m_stop;
        const SearchResult found = search(plan, m_library, options);
        for (SearchEntry entry : found.results) {
            const bool keeps = recomputes.empty() || entry.plan.recompute.mode == RecomputeMode::none
                || entry.plan.recompute.mode == RecomputeMode::selective;
            if (admits(kind, entry.plan) && keeps) {
                entry.plan.constraints_json = m_plan.constraints_json;
                return entry;
            }
        }
        return std::nullopt;
    }

    void find_regime() {
        Regime &regime = m_advice.regime;
        regime.parameters = parameters_of(m_plan.model).total;
        regime.accelerators = m_plan.site_accelerators();
        regime.scale = regime.parameters < small_model ? ModelScale::small
            : regime.parameters <= large_model         ? ModelScale::medium
                                                       : ModelScale::large;
        const StateBytes state = state_bytes(m_plan);
        const double all = (state.weights + state.gradients + state.master + state.moments) * regime.parameters;
        const double room =
            m_plan.cluster.accelerator.memory_bytes * static_cast<double>(regime.accelerators) * short_memory;
        regime.poor = all > room || !best_of({}, {"none", "selective"});
    }

    /// Degrees from 2 to `most` that divide the accelerators of a site.
    Values split(std::int64_t most) const {
        Values values = divisors(m_advice.regime.accelerators);
        std::erase_if(values, [most](std::int64_t value) { return value < 2 || value > most; });
        return values;
    }

    std::vector<Kind> kinds() const {
        const Regime &regime = m_advice.regime;
        const std::int64_t node = std::max<std::int64_t>(1, m_plan.cluster.accelerators_per_node);
        const Values tensor = split(node);
        Values within = tensor;
        within.insert(within.begin(), 1);
        const Values stages = split(std::max<std::int64_t>(2, m_plan.model.layer_count()));
        const Kind whole_node{"tensor over the whole node, pipeline, and data with ZeRO up to stage 2",
                              tensor.empty() ? Values{} : Values{tensor.back()},
                              stages,
                              {0, 1, 2}};
        const Kind three{"tensor, pipeline and data together", tensor, stages, {}};
        if (regime.accelerators >= very_many_accelerators)
            return {whole_node, three};
        const Kind sharded{"ZeRO-3 only", {1}, {1}, {3}};
        const Kind tensor_data{"tensor within a node, data for the rest", within, {1}, {}};
        if (regime.accelerators >= many_accelerators)
            return {{"data and tensor", tensor, {1}, {}}, {"data and pipeline", {1}, stages, {}}, three, sharded};
        if (regime.scale == ModelScale::small)
            return {{"data only", {1}, {1}, {}}, tensor_data};
        if (regime.scale == ModelScale::medium)
            return {{"tensor and pipeline", tensor, stages, {}}, tensor_data, sharded};
        return {three, tensor_data, sharded};
    }

    Sentence rule_of_fit() const {
        const Regime &regime = m_advice.regime;
        const Sentence size{text_of(regime.parameters, Quantity::parameters), "parameters.total"};
        const Sentence medium{"100B", "rule_medium"};
        Sentence rule;
        if (regime.accelerators >= very_many_accelerators)
            rule = fmt::format("{} accelerators (1,024 or more): tensor parallelism over the whole node, pipeline "
                               "parallelism, and data parallelism with ZeRO up to stage 2",
                               grouped(static_cast<double>(regime.accelerators)));
        else if (regime.accelerators >= many_accelerators)
            rule = fmt::format("{} accelerators (512 or more): data parallelism alone is limited by its communication, "
                               "so combine it with tensor or pipeline parallelism",
                               grouped(static_cast<double>(regime.accelerators)));
        else if (regime.scale == ModelScale::small)
            rule = filled("{} parameters (below {}): tensor or data parallelism alone is enough", size,
                          Sentence{"10B", "rule_small"});
        else if (regime.scale == ModelScale::medium)
            rule = filled("{} parameters (10 to {}): tensor and pipeline parallelism, tensor and data parallelism, or "
                          "ZeRO-3",
                          size, medium);
        else
            rule = filled("{} parameters (above {}): tensor, pipeline and data parallelism together", size, medium);
        return rule
            + (regime.poor ? ". Memory is short: use full recomputation and gradient accumulation"
                           : ". Memory is sufficient: full recomputation is not needed");
    }

    Attempt attempt_of(const Change &change) const { return evaluated_attempt(change, m_result); }

    /// Sorts attempts that fit by step time. Attempts that do not fit follow, sorted by headroom.
    static void sort(std::vector<Attempt> &attempts) {
        std::erase_if(attempts, [](const Attempt &attempt) { return !attempt.valid; });
        std::stable_sort(attempts.begin(), attempts.end(), [](const Attempt &a, const Attempt &b) {
            if (a.fits != b.fits)
                return a.fits;
            return a.fits ? a.step_seconds < b.step_seconds : a.headroom_bytes > b.headroom_bytes;
        });
    }

    AdvisorStep fit() const {
        AdvisorStep step{.id = "fit", .title = "Fit the model", .rule = rule_of_fit(), .finding = {}};
        const double headroom = m_result.verdict.headroom_bytes;
        step.finding = m_result.verdict.fits
            ? filled("The plan fits with {} free",
                     Sentence{text_of(headroom, Quantity::bytes), "verdict.headroom_bytes"})
            : filled("The plan needs {} more memory than is available",
                     Sentence{text_of(-headroom, Quantity::bytes), "verdict.headroom_bytes"});
        for (const Kind &kind : kinds())
            step.ways.push_back({kind.name, best_of(kind, {})});
        if (m_result.verdict.fits)
            return step;
        std::vector<Change> changes = memory_changes(m_plan);
        for (Change &change : layout_changes(m_plan))
            changes.push_back(std::move(change));
        for (const Change &change : changes)
            if (!m_stop.stop_requested())
                step.attempts.push_back(attempt_of(change));
        sort(step.attempts);
        constexpr std::size_t most = 4;
        step.attempts.resize(std::min(step.attempts.size(), most));
        return step;
    }

    AdvisorStep batch() const {
        const Batch &batch = m_plan.batch;
        const std::int64_t microbatches = m_plan.microbatches();
        const double tokens = static_cast<double>(batch.global_sequences) * static_cast<double>(batch.sequence_length);
        AdvisorStep step{.id = "batch", .title = "Reach the batch size", .rule = {}, .finding = {}};
        const bool is_long = batch.sequence_length >= long_sequence;
        step.rule = is_long ? fmt::format("Sequences of {} tokens: context parallelism splits them; data parallelism "
                                          "and gradient accumulation provide the batch size",
                                          grouped(static_cast<double>(batch.sequence_length)))
                            : std::string("Data parallelism first, then gradient accumulation");
        step.finding = fmt::format("{} tokens per step: data {} \u00d7 microbatch {} \u00d7 {} accumulation steps",
                                   text_of(tokens, Quantity::tokens), m_plan.parallelism.data, batch.micro_sequences,
                                   microbatches);
        constexpr std::int64_t enough = 4; // with this many microbatches per stage, the bubble is below 25%
        if (m_plan.parallelism.pipeline > 1 && microbatches < enough * m_plan.parallelism.pipeline)
            step.finding += fmt::format("; fewer than {} microbatches per stage leave a large bubble", enough);
        else if (microbatches == 1)
            step.finding += "; more data parallelism would need a larger batch";
        for (const std::int64_t micro : {2 * batch.micro_sequences, batch.micro_sequences / 2})
            if (micro >= 1 && !m_stop.stop_requested())
                step.attempts.push_back(attempt_of(with_micro(m_plan, micro)));
        if (is_long)
            if (const std::optional<Change> change = with_slider(m_plan, "context", 2 * m_plan.parallelism.context))
                step.attempts.push_back(attempt_of(*change));
        std::erase_if(step.attempts, [](const Attempt &attempt) { return !attempt.valid; });
        return step;
    }

    AdvisorStep throughput() const {
        const Parallelism &p = m_plan.parallelism;
        AdvisorStep step{.id = "throughput",
                         .title = "Raise throughput",
                         .rule = "One change at a time: more tensor parallelism up to the node size, then ZeRO-3, then "
                                 "pipeline instead of data parallelism, then different microbatch sizes",
                         .finding = {}};
        step.finding =
            filled("{} per step, MFU {}", Sentence{text_of(m_result.step.seconds, Quantity::seconds), "step.seconds"},
                   Sentence{text_of(m_result.step.mfu, Quantity::share), "step.mfu"});
        std::vector<Change> changes;
        const auto add = [&](std::optional<Change> change) {
            if (change)
                changes.push_back(std::move(*change));
        };
        if (2 * p.tensor <= m_plan.cluster.accelerators_per_node)
            add(with_degrees(m_plan, 2 * p.tensor, p.pipeline));
        if (p.zero_stage < 3)
            add(with_zero_stage(m_plan, 3));
        add(with_degrees(m_plan, p.tensor, 2 * p.pipeline));
        add(with_micro(m_plan, 2 * m_plan.batch.micro_sequences));
        if (m_plan.batch.micro_sequences > 1)
            add(with_micro(m_plan, m_plan.batch.micro_sequences / 2));
        for (const Change &change : changes)
            if (!m_stop.stop_requested())
                step.attempts.push_back(attempt_of(change));
        std::erase_if(step.attempts, [](const Attempt &attempt) { return !attempt.valid; });
        return step;
    }

    const AdvisorOption *best_way() const {
        const AdvisorOption *best = nullptr;
        for (const AdvisorOption &way : m_advice.steps.front().ways)
            if (way.best && (best == nullptr || way.best->step_seconds < best->best->step_seconds))
                best = &way;
        return best;
    }

    static std::string layout_text(const Plan &plan) {
        const Parallelism &p = plan.parallelism;
        std::string text = fmt::format("tensor {}, pipeline {}, data {}", p.tensor, p.pipeline, p.data);
        if (p.context > 1)
            text += fmt::format(", context {}", p.context);
        if (p.expert > 1)
            text += fmt::format(", expert {}", p.expert);
        return text + fmt::format(", ZeRO {}", p.zero_stage);
    }

    /// The terms of a step that differ most between two plans, such as "tensor 1.2 s less".
    static Sentence why(const Plan &rule, const Plan &found) {
        const Result from = evaluate(rule, Depth::numbers);
        const Result to = evaluate(found, Depth::numbers);
        std::vector<std::pair<double, std::size_t>> changes;
        for (std::size_t term = 0; term < step_term_count; ++term)
            changes.emplace_back(to.step.terms[term] - from.step.terms[term], term);
        std::stable_sort(changes.begin(), changes.end(),
                         [](const auto &a, const auto &b) { return std::abs(a.first) > std::abs(b.first); });
        Sentence text;
        constexpr std::size_t most = 3;
        constexpr double worth_saying = 0.004;
        for (std::size_t i = 0; i < most; ++i)
            if (std::abs(changes[i].first) > worth_saying * from.step.seconds) {
                const std::string name(step_term_names()[changes[i].second]);
                const Sentence size{text_of(std::abs(changes[i].first), Quantity::seconds), name};
                text +=
                    filled("{}{} {} {}", text.empty() ? "" : ", ", name, size, changes[i].first < 0 ? "less" : "more");
            }
        return text;
    }

    Sentence comparison() {
        if (!m_advice.best)
            return "No configuration fits on these accelerators";
        const AdvisorOption *const way = best_way();
        const std::string found = layout_text(m_advice.best->plan);
        if (way != nullptr)
            m_advice.best_by_rules = way->best;
        if (way == nullptr)
            return fmt::format("None of the suggested configurations fits; the search found {}", found);
        constexpr double same = 0.001;
        if (way->best->step_seconds <= (1 + same) * m_advice.best->step_seconds)
            return fmt::format("The search agrees with the rule \"{}\": {}", way->name, layout_text(way->best->plan));
        const std::string gain = text_of(1 - m_advice.best->step_seconds / way->best->step_seconds, Quantity::share);
        const Sentence reasons = why(way->best->plan, m_advice.best->plan);
        return filled(
            "The search found {}, {} faster than the best configuration that the rules suggest (\"{}\": {}){}{}", found,
            Sentence{gain, "gain"}, way->name, layout_text(way->best->plan), reasons.empty() ? "" : ": ", reasons);
    }

    const Plan &m_plan;
    const Library &m_library;
    std::stop_token m_stop;
    Result m_result;
    TrainingAdvice m_advice;
};

Json entry_json(const std::optional<SearchEntry> &entry) {
    return entry ? to_json(*entry) : Json();
}

Json attempt_json(const Attempt &attempt) {
    return {{"title", attempt.title},
            {"patch", attempt.patch.empty() ? Json() : Json::parse(attempt.patch)},
            {"fits", attempt.fits},
            {"step_seconds", attempt.step_seconds},
            {"headroom_bytes", attempt.headroom_bytes},
            {"gain", attempt.gain}};
}

} // namespace

TrainingAdvice training_advice(const Plan &plan, const Library &library, const std::stop_token &stop) {
    return Advisor(plan, library, stop).advice();
}

Json to_json(const TrainingAdvice &advice) {
    constexpr std::array scales{"below-10b", "10b-to-100b", "above-100b"};
    Json json{{"regime",
               {{"parameters", advice.regime.parameters},
                {"accelerators", advice.regime.accelerators},
                {"scale", scales.at(static_cast<std::size_t>(advice.regime.scale))},
                {"memory_is_short", advice.regime.poor}}},
              {"step_seconds", advice.step_seconds},
              {"fits", advice.fits},
              {"steps", Json::array()},
              {"best", entry_json(advice.best)},
              {"comparison", advice.comparison.text},
              {"sliders", Json::array()},
              {"complete", advice.complete}};
    for (const AdvisorStep &step : advice.steps) {
        Json item{{"id", step.id},          {"title", step.title},
                  {"rule", step.rule.text}, {"finding", step.finding.text},
                  {"ways", Json::array()},  {"attempts", Json::array()}};
        for (const AdvisorOption &way : step.ways)
            item["ways"].push_back({{"name", way.name}, {"best", entry_json(way.best)}});
        for (const Attempt &attempt : step.attempts)
            item["attempts"].push_back(attempt_json(attempt));
        json["steps"].push_back(std::move(item));
    }
    for (const SliderStep &slider : advice.sliders)
        json["sliders"].push_back({{"field", slider.field},
                                   {"from", slider.from},
                                   {"to", slider.to},
                                   {"attempt", attempt_json(slider.attempt)}});
    return json;
}

} // namespace meshwright
