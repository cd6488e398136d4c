// SPDX-License-Identifier: GPL-3.0-or-later
#include "narrative/paragraph.h"

#include "narrative/memory_paragraphs.h"
#include "narrative/wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace meshwright {

namespace {

constexpr double negligible_share = 0.01; ///< terms below this fraction of the step are not named

struct TermWords {
    std::string_view name;
    std::string_view remedy; ///< what makes the term smaller
};
/// Indexed by StepTerm.
constexpr std::array<TermWords, step_term_count> term_words{{
    {"compute", ""},
    {"recomputation", "Saving more activations instead of recomputing them would shorten it, at the price of memory."},
    {"the pipeline bubble", "More microbatches per step or fewer stages would shrink it."},
    {"exposed tensor-parallel communication",
     "A lower tensor-parallel degree would shrink it, at the price of memory."},
    {"exposed context-parallel communication",
     "A lower context-parallel degree would shrink it, at the price of memory."},
    {"exposed expert-parallel communication",
     "Smaller expert-parallel groups, or overlapping their all-to-all with compute, would shrink it."},
    {"exposed sends between stages", "Fewer stages, or overlapping the sends with compute, would shrink it."},
    {"exposed data-parallel communication", "With a larger batch, it would be a smaller fraction of the step."},
    {"the optimizer step", "A higher ZeRO stage gives each rank fewer parameters to update."},
}};

std::string step_paragraph(const Result &result) {
    const Step &step = result.step;
    const double tokens = static_cast<double>(result.plan.batch.global_sequences)
        * static_cast<double>(result.plan.batch.sequence_length);
    std::vector<std::size_t> others;
    for (std::size_t i = 1; i < step_term_count; ++i)
        if (step.terms[i] >= negligible_share * step.seconds)
            others.push_back(i);
    std::stable_sort(others.begin(), others.end(),
                     [&](std::size_t a, std::size_t b) { return step.terms[a] > step.terms[b]; });
    std::string text = fmt::format(
        "One optimizer step trains on {} tokens{} and takes {}, of which {} ({}) is compute.",
        text_of(tokens, Quantity::tokens), result.plan.cluster.sites > 1 ? " per site" : "", duration(step.seconds),
        duration(step.term(StepTerm::compute)), percent_text(step.term(StepTerm::compute) / step.seconds));
    if (others.empty())
        return text + " Nothing else takes more than 1% of the step. More " + accelerators_of(result.plan)
            + ", a smaller batch, or kernels closer to peak throughput would shorten the step.";
    std::vector<std::string> named;
    for (const std::size_t i : others)
        named.push_back(fmt::format("{} ({})", term_words[i].name, duration(step.terms[i])));
    text += fmt::format(" The rest is mainly {}. The terms add up to the step time because only communication that "
                        "does not overlap with compute is counted.",
                        enumeration_of(named));
    const TermWords &largest = term_words[others.front()];
    return text + fmt::format(" The largest after compute is {}. {}", largest.name, largest.remedy);
}

std::string mfu_paragraph(const Derivation &figure, const Result &result) {
    const Derivation *const peak = figure.find("peak");
    if (peak == nullptr || !(result.step.mfu > 0))
        return {};
    const Step &step = result.step;
    const double ideal = step.mfu * step.seconds;
    const double compute = step.term(StepTerm::compute);
    std::string text = fmt::format(
        "The model needs {} per step. {} {} at their peak of {} would finish in {}; the step takes {}, so the model "
        "FLOPs utilization is {}.",
        text_of(result.flops.per_step, Quantity::flops), grouped(static_cast<double>(result.plan.site_accelerators())),
        accelerators_of(result.plan), text_of(peak->value, Quantity::flops_per_second), duration(ideal),
        duration(step.seconds), percent_text(step.mfu));
    text += fmt::format(" During the {} of compute they reach {} of the peak; the other {} ({} of the step) is "
                        "communication, the pipeline bubble and other overhead, which lowers utilization further.",
                        duration(compute), percent_text(ideal / compute), duration(step.seconds - compute),
                        percent_text(1 - compute / step.seconds));
    if (step.hfu > step.mfu)
        text += fmt::format(" Recomputed operations do not count as useful; with them, utilization is {} (HFU).",
                            percent_text(step.hfu));
    return text;
}

std::string bubble_paragraph(const Result &result) {
    const Plan &plan = result.plan;
    if (plan.parallelism.pipeline == 1)
        return "The model is not split into pipeline stages, so there is no pipeline to fill and drain, and no bubble.";
    const double stages = static_cast<double>(plan.parallelism.pipeline);
    const double microbatches = static_cast<double>(plan.microbatches());
    const double bubble = result.step.term(StepTerm::bubble);
    std::string text = fmt::format(
        "{} stages work on {} microbatches per step with the {} schedule. They cannot all be busy all the time: the "
        "pipeline fills and drains, and stages wait for each other. This adds {} to the step ({}).",
        grouped(stages), grouped(microbatches), definition_of(plan.parallelism.schedule).title, duration(bubble),
        percent_text(bubble / result.step.seconds));
    text += fmt::format(" For comparison, the bubble of 1F1B with equal stages is (p - 1) / m = {} of the ideal time",
                        percent_text((stages - 1) / microbatches));
    const double chunks = static_cast<double>(plan.layer_chunks());
    text += chunks > 1 && definition_of(plan.parallelism.schedule).placement == StagePlacement::looped
        ? fmt::format(", and that of interleaved 1F1B is (p - 1) / (m v) = {}.",
                      percent_text((stages - 1) / (microbatches * chunks)))
        : ".";
    if (const Pipeline &pipeline = result.pipeline; pipeline.idle_of_all_ranks > 0)
        text += fmt::format(" Averaged over the ranks, {} of the time is idle: {} while the pipeline fills and drains, "
                            "{} waiting for other stages, and {} waiting for sends.",
                            percent_text(pipeline.idle_of_all_ranks), percent_text(pipeline.idle_warm_up_and_drain),
                            percent_text(pipeline.idle_imbalance), percent_text(pipeline.idle_waiting_for_sends));
    return text + " More microbatches per step or fewer stages would shrink the bubble.";
}

std::string tensor_paragraph(const Result &result) {
    const Parallelism &parallelism = result.plan.parallelism;
    if (parallelism.tensor == 1)
        return "The tensor-parallel degree is 1: every layer runs on one rank, which has nothing to exchange.";
    const double seconds = result.step.term(StepTerm::tensor);
    std::string text = fmt::format(
        "The weight matrices of every layer are split across {} ranks, which exchange activations {} in each forward "
        "and backward pass. The part that does not overlap with compute takes {} per step ({}).",
        parallelism.tensor, parallelism.sequence_parallel ? "by all-gather and reduce-scatter" : "by all-reduce",
        duration(seconds), percent_text(seconds / result.step.seconds));
    if (parallelism.placement.front() == Dimension::tensor)
        text += parallelism.tensor <= result.plan.cluster.accelerators_per_node
            ? " Each group lies within one node, so this traffic does not use the network between nodes."
            : " Each group spans several nodes, so this traffic uses the slower network between nodes.";
    return text + " A lower degree would need less communication, but more memory on each rank.";
}

std::string data_paragraph(const Result &result) {
    const Parallelism &parallelism = result.plan.parallelism;
    const std::int64_t ranks = parallelism.data * parallelism.context;
    if (ranks == 1)
        return "There is one data-parallel rank, so there are no gradients to average.";
    const double seconds = result.step.term(StepTerm::data);
    std::string text = fmt::format(
        "Each of {} data-parallel ranks trains on its own part of the batch, so their gradients are averaged "
        "before the optimizer step.",
        grouped(static_cast<double>(ranks)));
    if (parallelism.zero_stage >= 3)
        text += " With ZeRO-3, the weights are also gathered before they are used.";
    else if (parallelism.zero_stage > 0)
        text +=
            fmt::format(" With ZeRO-{}, the updated weights are then gathered from the ranks.", parallelism.zero_stage);
    return text
        + fmt::format(
               " The part that does not overlap with compute takes {} per step ({}). With a larger batch, it would "
               "be a smaller fraction of the step; a faster network or gradients in a smaller format would shorten it.",
               duration(seconds), percent_text(seconds / result.step.seconds));
}

std::string run_paragraph(const Result &result) {
    const RunFactors factors = run_factors(result);
    const RunEstimate &run = result.run;
    std::string text = fmt::format("{} tokens take {} {} of {} each, which is {} without failures.",
                                   text_of(run.tokens, Quantity::tokens), rounded_count(factors.times),
                                   result.outer ? "outer rounds" : "optimizer steps", duration(factors.seconds_each),
                                   duration(factors.training_seconds()));
    if (run.goodput < 1)
        text += fmt::format(" Failures and checkpoints add {}, since goodput is {}; the whole run takes {}.",
                            duration(run.seconds - factors.training_seconds()), percent_text(run.goodput),
                            duration(run.seconds));
    if (result.outer && result.outer->stall_seconds_per_round > 0)
        return text
            + fmt::format(
                   " Of each round, {} is compute and {} is stalled, waiting for updates from other sites; faster "
                   "links, fewer bytes per update or more inner steps would reduce the stalls.",
                   duration(result.outer->inner_seconds), duration(result.outer->stall_seconds_per_round));
    return text + " Fewer tokens or a shorter step shorten the run in proportion.";
}

std::string cost_paragraph(const Result &result) {
    const RunEstimate &run = result.run;
    const double price = result.plan.run.rental_dollars_per_accelerator_hour;
    if (!(price > 0))
        return "The plan gives no rental price, so the cost is 0.";
    const std::string noun = accelerators_of(result.plan);
    return fmt::format(
        "{} {} for {} are {} accelerator-hours. At {} each, they cost {}. With more {}, the run would be "
        "shorter, but it would cost less only if each of them did more useful work per hour, through a higher MFU "
        "or higher goodput{}.",
        grouped(result.cluster.accelerators), noun, duration(run.seconds), rounded_count(run.accelerator_hours),
        text_of(price, Quantity::dollars_per_hour), text_of(run.rental_dollars, Quantity::dollars), noun,
        result.outer ? ", or fewer stalls between sites" : "");
}

std::string goodput_paragraph(const Derivation &figure, const Result &result) {
    const auto input = [&](const char *name) {
        const Derivation *const found = figure.find(name);
        return found != nullptr ? found->value : 0;
    };
    const double interval = input("interval_seconds");
    const double mtbf = input("mtbf_seconds");
    if (!(interval > 0) || !(mtbf > 0))
        return {};
    return fmt::format("Training makes progress {} of the time. A failure stops the {} {}{} every {} on average, so {} "
                       "failures are expected "
                       "during this run. Relative to the training time, writing a checkpoint every {} costs {}, "
                       "repeating the steps since the last "
                       "checkpoint costs {}, and recovering for {} after each failure costs {}. Faster or asynchronous "
                       "checkpoints and "
                       "a faster recovery would raise goodput; with more {}, failures are more frequent.",
                       percent_text(result.run.goodput), grouped(static_cast<double>(result.plan.site_accelerators())),
                       accelerators_of(result.plan), result.plan.cluster.sites > 1 ? " of a site" : "", duration(mtbf),
                       text_of(result.run.expected_failures, Quantity::number), duration(interval),
                       percent_text(input("write_seconds") / interval, 2), percent_text(interval / (2 * mtbf), 2),
                       duration(input("recovery_seconds")), percent_text(input("recovery_seconds") / mtbf, 2),
                       accelerators_of(result.plan));
}

std::string outer_paragraph(const Result &result) {
    if (!result.outer)
        return {};
    const OuterEstimate &outer = *result.outer;
    const bool is_stalled = outer.stall_seconds_per_round > 0;
    std::string text =
        fmt::format("In each outer round, a site trains for {} ({} inner steps of {} each){}",
                    duration(outer.inner_seconds), result.plan.outer.inner_steps, duration(inner_step_seconds(result)),
                    is_stalled ? fmt::format(" and waits {} for updates. A round takes {}, and the site "
                                             "computes for {} of it.",
                                             duration(outer.stall_seconds_per_round), duration(outer.round_seconds),
                                             percent_text(outer.utilisation))
                               : fmt::format(", and never waits, because updates travel while it computes: "
                                             "utilization is {}.",
                                             percent_text(outer.utilisation)));
    text += fmt::format(" It sends {} and receives {} per round, which keeps its uplink busy {} of the time and its "
                        "downlink {}.",
                        text_of(outer.up_bytes_per_round, Quantity::bytes),
                        text_of(outer.down_bytes_per_round, Quantity::bytes), percent_text(outer.uplink_load),
                        percent_text(outer.downlink_load));
    if (!is_stalled)
        return text;
    return text + " More inner steps per round, fewer bits per value or a faster link would shorten the wait.";
}

} // namespace

std::string paragraph_about(const Derivation &figure, const Result &result) {
    const std::string_view name = figure.name;
    if (name == "step_seconds")
        return step_paragraph(result);
    if (name == "step_mfu")
        return mfu_paragraph(figure, result);
    if (name == "step_bubble_seconds")
        return bubble_paragraph(result);
    if (name == "step_tensor_exposed_seconds")
        return tensor_paragraph(result);
    if (name == "step_data_exposed_seconds")
        return data_paragraph(result);
    if (name == "run_seconds" || name == "run_days")
        return run_paragraph(result);
    if (name == "run_rental_dollars")
        return cost_paragraph(result);
    if (name == "run_goodput")
        return goodput_paragraph(figure, result);
    if (name == "outer_utilisation" || name == "outer_stall_seconds_per_round" || name == "outer_round_seconds")
        return outer_paragraph(result);
    return memory_paragraph(figure, result);
}

} // namespace meshwright
