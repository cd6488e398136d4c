// SPDX-License-Identifier: GPL-3.0-or-later
#include "advise/advice.h"

#include "advise/changes.h"
#include "advise/plan_hints.h"
#include "advise/software_changes.h"
#include "catalog/constants.h"
#include "cost/placement.h"
#include "evaluate/evaluate.h"
#include "pipeline/closed_forms.h"
#include "plan/outer_symmetry.h"
#include "plan/runnable.h"
#include "quantities/text.h"
#include "step/plan_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace meshwright {

namespace {

Sentence said(double value, Quantity quantity, const char *figure) {
    return {text_of(value, quantity), figure};
}
Sentence bytes(double bytes, const char *figure) {
    return said(bytes, Quantity::bytes, figure);
}
Sentence share_text(double share, const char *figure) {
    return said(share, Quantity::share, figure);
}

class Adviser {
public:
    Adviser(const Result &result, const std::stop_token &stop)
        : m_result(result)
        , m_plan(result.plan)
        , m_assumed(result.plan.assumptions)
        , m_stop(stop) { }

    std::vector<Diagnostic> run() {
        if (std::optional<Diagnostic> warning = software_warning(m_result, m_stop))
            m_found.push_back(std::move(*warning));
        memory();
        beyond_the_peak();
        host_memory();
        host_copies();
        formats();
        tensor_reach();
        bubble();
        uneven_stages();
        too_long();
        data_traffic();
        between_sites();
        failures();
        zero_without_effect();
        for (Diagnostic &hint : plan_hints(m_plan))
            m_found.push_back(std::move(hint));
        std::stable_sort(m_found.begin(), m_found.end(),
                         [](const Diagnostic &a, const Diagnostic &b) { return a.severity < b.severity; });
        return std::move(m_found);
    }

private:
    Diagnostic &add(Severity severity, std::string code, Sentence message, Sentence expected,
                    std::vector<std::string> fields) {
        m_found.push_back({.severity = severity,
                           .code = std::move(code),
                           .message = std::move(message),
                           .expected = std::move(expected),
                           .fields = std::move(fields),
                           .fixes = {}});
        return m_found.back();
    }

    std::vector<EvaluatedChange> evaluated(const std::vector<Change> &changes) {
        std::vector<EvaluatedChange> results;
        for (const Change &change : changes) {
            if (m_stop.stop_requested())
                break;
            if (!stays_runnable(m_plan, change.plan))
                continue;
            if (std::optional<EvaluatedChange> result = evaluate_change(change))
                results.push_back(std::move(*result));
        }
        return results;
    }

    static void offer(Diagnostic &diagnostic, const EvaluatedChange &change, std::string gain, std::string figure) {
        diagnostic.fixes.push_back({.title = change.change.title,
                                    .patch = change.change.patch,
                                    .gain = std::move(gain),
                                    .figure = std::move(figure)});
    }

    /// Offers the changes that save at least 0.1% of the step time, fastest first.
    void offer_faster(Diagnostic &diagnostic, const std::vector<Change> &changes, std::size_t most) {
        std::vector<EvaluatedChange> results = evaluated(changes);
        std::erase_if(results, [&](const EvaluatedChange &change) {
            return change.step_seconds > 0.999 * m_result.step.seconds || (m_result.verdict.fits && !change.fits);
        });
        std::stable_sort(results.begin(), results.end(), [](const EvaluatedChange &a, const EvaluatedChange &b) {
            return a.step_seconds < b.step_seconds;
        });
        for (std::size_t i = 0; i < std::min(most, results.size()); ++i)
            offer(diagnostic, results[i], time_gain(results[i], m_result), "step.seconds");
    }

    /// Efficiencies and assumptions that were set by hand can imply a rate above the hardware's peak.
    void beyond_the_peak() {
        const double hfu = m_result.step.hfu;
        if (hfu <= 1)
            return;
        add(Severity::warning, "beyond-the-peak",
            filled("hardware FLOPs utilization is {}: no step can exceed 100% of the peak",
                   share_text(hfu, "step.hfu")),
            "A stack efficiency or an assumption that was set by hand is too high", {"/stack", "/assumptions"});
    }

    void memory() {
        const Memory &memory = m_result.memory;
        const double headroom = m_result.verdict.headroom_bytes;
        const double tight = m_assumed[ConstantId::tight_headroom_share] * memory.capacity_bytes;
        if (headroom >= tight)
            return;
        const bool fits = m_result.verdict.fits;
        const Sentence capacity = bytes(memory.capacity_bytes, "memory.capacity_bytes");
        Diagnostic &found = fits
            ? add(Severity::warning, "tight",
                  filled("only {} of {} free on stage {}", bytes(headroom, "verdict.headroom_bytes"), capacity,
                         memory.peak_stage),
                  filled("Keep about {} free to allow for fragmentation",
                         share_text(tight / memory.capacity_bytes, "advice.tight_share")),
                  {"/recompute/mode", "/parallelism/zero_stage"})
            : add(Severity::error, "does-not-fit",
                  filled("stage {} needs {}, {} more than the {} available (operation at the peak: {})",
                         memory.peak_stage, bytes(memory.peak_bytes, "memory.peak_bytes"),
                         bytes(-headroom, "verdict.headroom_bytes"), capacity, memory.peak_operation),
                  "Recompute more activations, increase sharding or model parallelism, or use lower-precision formats",
                  {"/recompute/mode", "/parallelism/zero_stage", "/parallelism/tensor"});
        std::vector<Change> changes = memory_changes(m_plan);
        const std::vector<Change> layouts = layout_changes(m_plan);
        if (!fits)
            changes.insert(changes.end(), layouts.begin(), layouts.end());
        std::vector<EvaluatedChange> results = evaluated(changes);
        std::erase_if(results, [&](const EvaluatedChange &change) { return change.headroom_bytes <= headroom; });
        // Changes that fit come first, fastest first; then the changes that free the most memory.
        std::stable_sort(results.begin(), results.end(), [](const EvaluatedChange &a, const EvaluatedChange &b) {
            if (a.fits != b.fits)
                return a.fits;
            return a.fits ? a.step_seconds < b.step_seconds : a.headroom_bytes > b.headroom_bytes;
        });
        for (std::size_t i = 0; i < std::min<std::size_t>(3, results.size()); ++i)
            offer(found, results[i], memory_gain(results[i], m_result), "verdict.headroom_bytes");
    }

    void host_memory() {
        const double there = m_plan.cluster.accelerator.host_memory_bytes;
        if (m_result.memory.host_bytes <= 0 || m_result.memory.host_bytes <= there)
            return;
        add(Severity::warning, "host-memory",
            filled("offloading needs {} of host memory per accelerator, but only {} is specified",
                   bytes(m_result.memory.host_bytes, "memory.host_bytes"), bytes(there, "advice.host_memory_bytes")),
            "Offload less, or specify more host memory for the accelerator",
            {"/offload/optimizer", "/cluster/accelerator"});
    }

    void host_copies() {
        const double share = m_result.step.copies_seconds / m_result.step.seconds;
        if (share < 0.01)
            return;
        add(Severity::hint, "host-copies",
            filled("forward and backward passes wait for offloaded activations during {} of the step",
                   share_text(share, "advice.host_copies_share")),
            "Copies are hidden only if the host link is fast enough: offload fewer activations, or recompute them",
            {"/offload/activations", "/recompute/mode"});
    }

    void formats() {
        const DataType compute = m_plan.precision.compute;
        const Accelerator &accelerator = m_plan.cluster.accelerator;
        if (accelerator.supports(compute))
            return;
        const Change change = [&] {
            Plan changed = m_plan;
            changed.precision.compute = accelerator.supports(DataType::bf16) ? DataType::bf16 : DataType::fp16;
            return Change{.title = name_of(changed.precision.compute) + " compute",
                          .patch =
                              fmt::format(R"({{"precision":{{"compute":"{}"}}}})", name_of(changed.precision.compute)),
                          .plan = changed};
        }();
        Diagnostic &found =
            add(Severity::warning, "format-not-supported",
                fmt::format("{} has no {} matrix units; the peak of the closest supported format is used",
                            accelerator.name, name_of(compute)),
                "Choose a compute format that the accelerator supports", {"/precision/compute"});
        for (const EvaluatedChange &result : evaluated({change}))
            offer(found, result, time_gain(result, m_result), "step.seconds");
    }

    void tensor_reach() {
        const Groups groups = groups_of(m_plan);
        const Network network(m_plan.cluster, m_assumed);
        const std::size_t tier = network.widest_tier(groups.tensor);
        const double share = m_result.step.term(StepTerm::tensor) / m_result.step.seconds;
        if (groups.tensor.members == 1 || tier == 0 || share < 0.02)
            return;
        const Tier &inner = m_plan.cluster.tiers.front();
        Diagnostic &found = add(
            Severity::warning, "tensor-leaves-inner-tier",
            filled("{}-way tensor parallelism extends beyond the {} tier ({} accelerators): {} of the step is exposed "
                   "tensor-parallel communication over {} at {}",
                   field(m_plan.parallelism.tensor, "/parallelism/tensor"), inner.name,
                   field(inner.accelerators, "/cluster/tiers"), share_text(share, "advice.tensor_share"),
                   m_plan.cluster.tiers[tier].name,
                   Sentence{text_of(m_plan.cluster.tiers[tier].bandwidth_bytes_per_second, Quantity::bytes_per_second),
                            FieldPointer("/cluster/tiers")}),
            fmt::format("Up to {}-way tensor parallelism stays inside the {} tier", inner.accelerators, inner.name),
            {"/parallelism/tensor"});
        offer_faster(found, layout_changes(m_plan), 2);
    }

    void bubble() {
        const double share = m_result.pipeline.bubble_of_total;
        if (share < 0.1)
            return;
        Diagnostic &found = add(Severity::warning, "bubble",
                                filled("{} of the pipeline's time is bubble: {} stages with {} microbatches",
                                       share_text(share, "pipeline.bubble_of_total"),
                                       field(m_plan.parallelism.pipeline, "/parallelism/pipeline"),
                                       Sentence{std::to_string(m_plan.microbatches()), "advice.microbatches"}),
                                "Use more microbatches, more chunks per rank (interleaving) or fewer stages",
                                {"/parallelism/pipeline", "/parallelism/chunks"});
        std::vector<Change> changes = layout_changes(m_plan);
        for (const std::int64_t chunks : {2, 4, 8})
            if (m_plan.layer_chunks() < chunks && m_plan.parallelism.layout.empty())
                changes.push_back(with_chunks(m_plan, chunks));
        offer_faster(found, changes, 2);
    }

    /// Rebalances layers per stage so that no stage is the bottleneck. Reported only if it makes the step faster.
    void uneven_stages() {
        if (m_plan.parallelism.pipeline <= 1)
            return;
        const PlannedLayout layout = best_layout(m_plan);
        const double saved = 1 - layout.slowest_seconds / layout.present_seconds;
        if (saved < 0.01)
            return;
        Diagnostic &found = add(Severity::hint, "uneven-stages",
                                filled("the slowest of {} stages takes {} longer than with a balanced pipeline layout",
                                       field(m_plan.virtual_stages(), "/parallelism/pipeline"),
                                       share_text(1 / (1 - saved) - 1, "advice.uneven_share")),
                                "Assign fewer layers to the stages with the embedding and the LM head",
                                {"/parallelism/layout", "/parallelism/pipeline"});
        Change change{.title = "balanced pipeline layout",
                      .patch = fmt::format(R"({{"parallelism":{{"layout":"{}"}}}})", layout.text),
                      .plan = m_plan};
        change.plan.parallelism.layout = layout.layers;
        change.plan.parallelism.layout_text = layout.text;
        offer_faster(found, {change}, 1);
        if (found.fixes.empty())
            m_found.pop_back();
    }

    /// Warns if the pipeline has so many stages that not even a few rounds of its schedule can be simulated.
    void too_long() {
        if (!m_result.memory.executed)
            add(Severity::warning, "pipeline-not-executed",
                filled("a pipeline of {} stages is too long to simulate: step time and memory are estimated as if "
                       "every stage were average",
                       field(m_plan.virtual_stages(), "/parallelism/pipeline")),
                "Use fewer stages or a smaller interleaving group", {"/parallelism/pipeline", "/parallelism/chunks"});
    }

    void data_traffic() {
        const double share = m_result.step.term(StepTerm::data) / m_result.step.seconds;
        if (share < 0.1)
            return;
        Diagnostic &found =
            add(Severity::warning, "data-traffic",
                filled("{} of the step is exposed data-parallel communication", share_text(share, "advice.data_share")),
                "Use a larger batch or fewer data-parallel ranks, so that there is more compute between reductions",
                {"/batch/global_sequences", "/parallelism/data"});
        std::vector<Change> changes = layout_changes(m_plan);
        for (std::int64_t stage = 1; stage < m_plan.parallelism.zero_stage; ++stage)
            changes.push_back(with_zero_stage(m_plan, stage));
        offer_faster(found, changes, 2);
    }

    /// Without other ranks, ZeRO shards nothing, but may still change what is stored: FSDP has no weights besides the
    /// master weights. Reported only if ZeRO 0 gives the same figures.
    void zero_without_effect() {
        if (m_plan.parallelism.zero_stage == 0 || has_shards(m_plan))
            return;
        for (const EvaluatedChange &change : evaluated({with_zero_stage(m_plan, 0)})) {
            if (change.step_seconds != m_result.step.seconds
                || change.headroom_bytes != m_result.verdict.headroom_bytes)
                continue;
            offer(add(Severity::hint, "zero-without-effect",
                      "ZeRO has no effect: there are no other ranks to shard across", "", {"/parallelism/zero_stage"}),
                  change, "same step time and memory", {});
        }
    }

    /// Changes to the outer loop that shorten the simulated run by at least 1%, shortest run first. Of changes with the
    /// same run time (to 0.1%), only the first is listed.
    std::vector<EvaluatedChange> outer_results(const std::vector<Change> &changes, Depth depth) const {
        constexpr double less = 0.99, same = 1e-3;
        std::vector<EvaluatedChange> results;
        for (const Change &change : changes) {
            if (m_stop.stop_requested())
                break;
            std::optional<EvaluatedChange> result = evaluate_outer_change(change, depth);
            if (!result || result->run_seconds > less * m_result.run.seconds)
                continue;
            const bool known = std::any_of(results.begin(), results.end(), [&](const EvaluatedChange &earlier) {
                return std::abs(result->run_seconds / earlier.run_seconds - 1) < same;
            });
            if (!known)
                results.push_back(std::move(*result));
        }
        std::stable_sort(results.begin(), results.end(), [](const EvaluatedChange &a, const EvaluatedChange &b) {
            return a.run_seconds < b.run_seconds;
        });
        return results;
    }

    std::vector<EvaluatedChange> shorter_runs() const {
        std::vector<Change> changes = outer_changes(m_plan);
        if (is_slow_to_follow(m_plan)) // dozens of simulations of thousands of sites would take too long
            return {};
        if (!are_alike(m_plan)) { // a short simulation of each change selects those worth a full one
            constexpr std::size_t promising = 4;
            changes.clear();
            for (EvaluatedChange &brief : outer_results(outer_changes(m_plan), Depth::comparison))
                if (changes.size() < promising)
                    changes.push_back(std::move(brief.change));
        }
        return outer_results(changes, Depth::numbers);
    }

    void between_sites() {
        if (!m_result.outer)
            return;
        const OuterEstimate &outer = *m_result.outer;
        if (outer.utilisation < 0.95) {
            Diagnostic &found =
                add(Severity::warning, "wan-stalls",
                    filled("sites compute for {} of the time and stall for {} in every {} round",
                           share_text(outer.utilisation, "outer.utilisation"),
                           said(outer.stall_seconds_per_round, Quantity::seconds, "outer.stall_seconds_per_round"),
                           said(outer.round_seconds, Quantity::seconds, "outer.round_seconds")),
                    "Send fewer bytes per round, or allow more time for the transfer",
                    {"/outer/overlap_steps", "/outer/inner_steps", "/outer/down/density"});
            const std::vector<EvaluatedChange> results = shorter_runs();
            for (std::size_t i = 0; i < std::min<std::size_t>(3, results.size()); ++i)
                offer(found, results[i],
                      "\u2212" + text_of(m_result.run.seconds - results[i].run_seconds, Quantity::seconds),
                      "run.seconds");
        }
        wire();
    }

    void wire() {
        const Outer &outer = m_plan.outer;
        for (const auto &[name, wire] : {std::pair{"up", outer.up}, std::pair{"down", outer.down}})
            if (wire.density < 1 && wire.index == IndexEncoding::none) {
                Diagnostic &found = add(Severity::warning, "no-index",
                                        filled("{} of the values are {}loaded without an index of their positions: a "
                                               "bitmap adds one bit per parameter",
                                               Sentence{text_of(wire.density, Quantity::share),
                                                        FieldPointer(fmt::format("/outer/{}/density", name))},
                                               name),
                                        "Choose an index encoding", {fmt::format("/outer/{}/index", name)});
                found.fixes.push_back({.title = "bitmap index",
                                       .patch = fmt::format(R"({{"outer":{{"{}":{{"index":"bitmap"}}}}}})", name),
                                       .gain = "+1 bit per parameter",
                                       .figure = fmt::format("outer.{}_bytes_per_round", name)});
            }
        if (outer.up.density < 1 && !outer.error_feedback)
            add(Severity::warning, "no-error-feedback",
                "without error feedback, sparse updates discard the values that are not sent (Streaming DiLoCo, figure "
                "11)",
                "Accumulate the values that were not sent and add them to the next update", {"/outer/error_feedback"})
                .fixes.push_back({.title = "error feedback",
                                  .patch = R"({"outer":{"error_feedback":true}})",
                                  .gain = "+4 bytes per parameter",
                                  .figure = m_plan.offload.outer && m_plan.cluster.accelerator.host_memory_bytes > 0
                                      ? "memory.host_bytes"
                                      : "memory.peak_bytes"});
        const bool diloco = outer.method == OuterMethod::diloco || outer.method == OuterMethod::streaming_diloco;
        constexpr double largest_published = 10e9; // Charles et al. 2025 checked their laws up to 10B parameters
        if (diloco && (m_plan.cluster.sites > 8 || m_result.parameters.total > largest_published))
            add(Severity::hint, "outside-evidence",
                filled("the loss penalty of {} to {} is an extrapolation: published DiLoCo runs have at most 8 "
                       "replicas and 10^10 parameters",
                       share_text(m_result.outer->loss_penalty_low, "outer.loss_penalty_low"),
                       share_text(m_result.outer->loss_penalty_high, "outer.loss_penalty_high")),
                "", {"/cluster/sites", "/outer/inner_steps"});
    }

    void failures() {
        if (m_result.run.goodput >= 0.9)
            return;
        add(Severity::warning, "goodput",
            filled("goodput is {} after failures and checkpoints: about {} failures expected during the run",
                   share_text(m_result.run.goodput, "run.goodput"),
                   said(m_result.run.expected_failures, Quantity::count, "run.expected_failures")),
            "Faster checkpoints or faster recovery would recover most of the lost time",
            {"/faults/checkpoint_bandwidth_bytes_per_second", "/faults/recovery_seconds"});
    }

    const Result &m_result;
    const Plan &m_plan;
    Assumptions m_assumed;
    const std::stop_token &m_stop;
    std::vector<Diagnostic> m_found;
};

} // namespace

std::vector<Diagnostic> advise(const Result &result, const std::stop_token &stop) {
    return Adviser(result, stop).run();
}

} // namespace meshwright
