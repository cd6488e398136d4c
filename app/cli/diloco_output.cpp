// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/diloco_output.h"

#include "cli/text_table.h"
#include "outer/guards.h"
#include "outer/quality.h"
#include "outer/requirements.h"
#include "outer/wan_pipeline.h"
#include "quantities/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <utility>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

struct Figure {
    const char *key;
    const char *title;
    Quantity quantity;
    double OuterRun::*value;
};

const std::vector<Figure> &figures() {
    static const std::vector<Figure> all{
        {"utilisation", "compute utilization", Quantity::share, &OuterRun::utilisation},
        {"inner_seconds", "inner step time per round", Quantity::seconds, &OuterRun::inner_seconds},
        {"stall_seconds_per_round", "stall time per round", Quantity::seconds, &OuterRun::stall_seconds},
        {"round_seconds", "round time", Quantity::seconds, &OuterRun::round_seconds},
        {"up_bytes_per_round", "upload per site and round", Quantity::bytes, &OuterRun::up_bytes},
        {"down_bytes_per_round", "download per site and round", Quantity::bytes, &OuterRun::down_bytes},
        {"uplink_load", "uplink load", Quantity::share, &OuterRun::uplink_load},
        {"downlink_load", "downlink load", Quantity::share, &OuterRun::downlink_load},
        {"staleness_steps", "staleness, steps", Quantity::number, &OuterRun::staleness_steps},
        {"away_seconds_per_round", "offline time per round", Quantity::seconds, &OuterRun::away_seconds},
        {"goodput", "goodput", Quantity::share, &OuterRun::goodput}};
    return all;
}

Json percentilesJson(const Percentiles &values) {
    return {{"p10", values.p10}, {"p50", values.p50}, {"p90", values.p90}};
}
Json same(double value) {
    return percentilesJson({value, value, value});
}

/// JSON has no infinity; it is written as null.
Json finite(double value) {
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json guardsJson(const OuterGuards &guards) {
    Json json{{"utilisation", guards.utilisation},
              {"utilisation_bound", guards.utilisation_bound},
              {"up_seconds", guards.up_seconds},
              {"down_seconds", guards.down_seconds},
              {"lag_seconds", guards.lag_seconds},
              {"least_overlap_steps", guards.least_overlap_steps},
              {"least_inner_steps", guards.least_inner_steps}};
    for (const NeededRate &needed : guards.needed)
        json["needed"].push_back(
            {{"utilisation", needed.utilisation}, {"bits_per_second", finite(needed.bits_per_second)}});
    json["limit"] = guards.limit.text;
    json["disagreement"] = guards.disagreement.text;
    return json;
}

Json band(const LossPenalty &values) {
    return {{"low", values.low}, {"high", values.high}};
}

Json qualityJson(const OuterQuality &quality) {
    return {{"loss_penalty", band(quality.penalty)},
            {"source", quality.penalty_source},
            {"outside_evidence", texts_of(quality.outside_evidence)},
            {"warnings", quality.warnings},
            {"outer_learning_rate",
             {{"value", quality.outer_learning_rate.value},
              {"low", quality.outer_learning_rate.low},
              {"high", quality.outer_learning_rate.high},
              {"source", quality.outer_learning_rate.source}}},
            {"batch_tokens", quality.batch_tokens},
            {"effective_flops_share_power_law", band(quality.effective_by_power_law)},
            {"effective_flops_share_parametric_law", band(quality.effective_by_parametric_law)}};
}

Json upkeepJson(const OuterRequirements &upkeep) {
    return {{"aggregator_memory_bytes", upkeep.aggregator_memory_bytes},
            {"full_links_bits_per_second", upkeep.aggregator_bits_per_second},
            {"mean_ingress_bits_per_second", upkeep.mean_ingress_bits_per_second},
            {"mean_egress_bits_per_second", upkeep.mean_egress_bits_per_second},
            {"egress_bytes", upkeep.egress_bytes},
            {"egress_dollars", upkeep.egress_dollars},
            {"first_weights_seconds", upkeep.first_weights_seconds},
            {"rejoin_seconds", upkeep.rejoin_seconds},
            {"site_state_bytes", upkeep.site_state_bytes},
            {"host_bytes_per_second", upkeep.host_bytes_per_second},
            {"availability", upkeep.availability},
            {"quorum_probability", upkeep.quorum_probability},
            {"availability_for_quorum", upkeep.availability_for_quorum}};
}

Json updatesJson(const OuterRun &run) {
    const UpdateCounts &updates = run.updates;
    Json json{{"sent", updates.sent},          {"on_time", updates.on_time}, {"late", updates.late},
              {"dropped", updates.dropped},    {"voided", updates.voided},   {"lost", updates.lost},
              {"in_flight", updates.in_flight}};
    std::size_t last = run.late_rounds.size();
    while (last > 0 && run.late_rounds[last - 1] == 0)
        --last;
    json["by_rounds_late"] =
        std::vector<double>(run.late_rounds.begin(), run.late_rounds.begin() + static_cast<std::ptrdiff_t>(last));
    return json;
}

Json pipelineJson(const WanPipeline &pipeline) {
    return {{"utilisation", pipeline.utilisation},
            {"needed_bits_per_second", finite(pipeline.needed_bits_per_second)},
            {"sent_bytes", pipeline.sent_bytes},
            {"seconds", pipeline.seconds},
            {"parameters", pipeline.parameters}};
}

struct DilocoEstimates {
    OuterGuards guards;
    OuterQuality quality;
    OuterRequirements upkeep;
    WanPipeline pipeline;
};

DilocoEstimates estimatesOf(const DilocoAnswer &answer) {
    const Result &result = *answer.result;
    const OuterRun &first = answer.runs.runs.front();
    return {outer_guards(result.plan, answer.parameters, answer.step_seconds, &first),
            outer_quality(result.plan, answer.parameters, result.flops.per_token * result.run.tokens),
            outer_requirements(result.plan, answer.parameters, answer.step_seconds,
                               answer.runs.of(&OuterRun::round_seconds).p50, result.outer->rounds),
            wan_pipeline(result.plan, result.parameters.active, result.parameters.total,
                         result.flops.per_step / result.step.seconds)};
}

std::string columns(const std::string &title, const std::string &value) {
    return "  " + padded(title, 34) + value;
}

std::vector<std::string> estimateLines(const DilocoEstimates &estimates) {
    const auto seconds = [](double value) { return text_of(value, Quantity::seconds); };
    const auto rate = [](double value) { return text_of(value, Quantity::bits_per_second); };
    const auto share = [](double value) { return text_of(value, Quantity::share); };
    const OuterGuards &guards = estimates.guards;
    const OuterRequirements &upkeep = estimates.upkeep;
    std::vector<std::string> lines{
        "",
        "Closed-form estimate",
        columns("compute utilization", share(guards.utilisation) + ", link limit " + share(guards.utilisation_bound)),
        columns("fragment round-trip time", seconds(guards.lag_seconds)),
        columns("minimum overlap, steps", text_of(guards.least_overlap_steps, Quantity::count)),
        columns("minimum inner steps per round", text_of(guards.least_inner_steps, Quantity::count))};
    std::string title = "bottleneck";
    for (const std::string &line : wrapped(guards.limit.text, pageColumns - columns(title, {}).size()))
        lines.push_back(columns(std::exchange(title, {}), line));
    for (const NeededRate &needed : guards.needed)
        lines.push_back(
            columns("link rate for " + share(needed.utilisation) + " utilization", rate(needed.bits_per_second)));
    if (!guards.disagreement.empty())
        for (const std::string &line : wrapped(guards.disagreement.text, pageColumns - 2))
            lines.push_back("  " + line);
    const std::vector<std::string> rest{
        "",
        "Other requirements",
        columns("memory per aggregator", text_of(upkeep.aggregator_memory_bytes, Quantity::bytes)),
        columns("aggregators: mean ingress, egress",
                rate(upkeep.mean_ingress_bits_per_second) + ", " + rate(upkeep.mean_egress_bits_per_second)),
        columns("aggregators: peak rate",
                rate(upkeep.aggregator_bits_per_second) + " per direction, if all links are saturated"),
        columns("cloud egress volume of the run",
                text_of(upkeep.egress_bytes, Quantity::bytes) + ", "
                    + text_of(upkeep.egress_dollars, Quantity::dollars)),
        columns("initial weight download", seconds(upkeep.first_weights_seconds)),
        columns("time for a site to rejoin", seconds(upkeep.rejoin_seconds)),
        columns("outer state per site", text_of(upkeep.site_state_bytes, Quantity::bytes)),
        columns("quorum probability",
                share(upkeep.quorum_probability) + "; 99% requires each site to be up "
                    + share(upkeep.availability_for_quorum) + " of the time")};
    lines.insert(lines.end(), rest.begin(), rest.end());
    const WanPipeline &pipeline = estimates.pipeline;
    const std::vector<std::string> instead{
        "",
        "Alternative: one pipeline, one stage per site (after SWARM, arXiv 2301.11913)",
        columns("maximum compute utilization", share(pipeline.utilisation)),
        columns("link rate for 90% utilization",
                std::isfinite(pipeline.needed_bits_per_second) ? rate(pipeline.needed_bits_per_second)
                                                               : "no rate is sufficient"),
        columns("activations per step, each way",
                text_of(pipeline.sent_bytes, Quantity::bytes) + ", " + seconds(pipeline.seconds)),
        columns("parameters per site", text_of(pipeline.parameters, Quantity::parameters))};
    lines.insert(lines.end(), instead.begin(), instead.end());
    return lines;
}

std::vector<std::string> qualityLines(const OuterQuality &quality) {
    if (quality.penalty_source.empty())
        return {};
    const auto range = [](const LossPenalty &values) {
        return text_of(values.low, Quantity::share) + " to " + text_of(values.high, Quantity::share);
    };
    std::vector<std::string> lines{
        "",
        "Model quality",
        columns("loss penalty", range(quality.penalty)),
        columns("effective compute", range(quality.effective_by_power_law) + " under a power law,"),
        columns("", range(quality.effective_by_parametric_law) + " under a law with irreducible loss"),
        columns("optimal batch per site",
                text_of(quality.batch_tokens, Quantity::tokens) + " tokens, extrapolated from smaller scales"),
        columns("outer learning rate",
                fmt::format("{:g}, {:g} to {:g}", quality.outer_learning_rate.value, quality.outer_learning_rate.low,
                            quality.outer_learning_rate.high))};
    const auto add = [&](const std::string &head, const std::vector<std::string> &texts) {
        for (const std::string &text : texts) {
            std::string lead = "  " + head;
            for (const std::string &line : wrapped(text, pageColumns - lead.size())) {
                lines.push_back(lead + line);
                lead = std::string(lead.size(), ' ');
            }
        }
    };
    add("beyond published results: ", texts_of(quality.outside_evidence));
    add("warning: ", quality.warnings);
    return lines;
}

} // namespace

Json dilocoJson(const DilocoAnswer &answer) {
    const OuterEstimate &evaluated = *answer.result->outer;
    Json json = Json::object();
    for (const Figure &figure : figures())
        json[figure.key] = percentilesJson(answer.runs.of(figure.value));
    json["rounds"] = same(evaluated.rounds);
    json["loss_penalty_low"] = same(evaluated.loss_penalty_low);
    json["loss_penalty_high"] = same(evaluated.loss_penalty_high);
    json["runs"] = answer.runs.runs.size();
    json["seed"] = answer.seed;
    json["step_seconds"] = answer.step_seconds;
    json["settled"] = answer.runs.runs.front().settled;
    json["updates"] = updatesJson(answer.runs.runs.front());
    const DilocoEstimates estimates = estimatesOf(answer);
    json["guards"] = guardsJson(estimates.guards);
    json["quality"] = qualityJson(estimates.quality);
    json["upkeep"] = upkeepJson(estimates.upkeep);
    json["one_pipeline_instead"] = pipelineJson(estimates.pipeline);
    return json;
}

std::string dilocoText(const DilocoAnswer &answer) {
    const Result &result = *answer.result;
    const OuterRun &first = answer.runs.runs.front();
    std::vector<std::string> lines{fmt::format("{}: {} sites, {} inner steps of {}, {} fragments, tau = {}",
                                               result.plan.name, result.plan.cluster.sites,
                                               result.plan.outer.inner_steps,
                                               text_of(answer.step_seconds, Quantity::seconds),
                                               result.plan.outer.fragments, result.plan.outer.overlap_steps),
                                   ""};
    TextTable table({{"simulated"}, {"p10", Alignment::right}, {"p50", Alignment::right}, {"p90", Alignment::right}});
    for (const Figure &figure : figures()) {
        const Percentiles values = answer.runs.of(figure.value);
        const auto text = [&](double value) { return text_of(value, figure.quantity); };
        table.add({std::string("  ") + figure.title, text(values.p10), text(values.p50), text(values.p90)});
    }
    for (const std::string &line : table.lines())
        lines.push_back(line);
    lines.push_back(fmt::format("  {} run{}, seed {}", answer.runs.runs.size(), answer.runs.runs.size() == 1 ? "" : "s",
                                answer.seed));
    if (!first.settled)
        lines.emplace_back(
            "  queues were still growing when the measurement began; the closed-form estimate is more accurate");
    const UpdateCounts &updates = first.updates;
    lines.push_back(
        fmt::format("  {:.0f} updates: {:.0f} on time, {:.0f} late, {:.0f} dropped, {:.0f} without quorum, {:.0f} lost",
                    updates.sent, updates.on_time, updates.late, updates.dropped, updates.voided, updates.lost));
    const DilocoEstimates estimates = estimatesOf(answer);
    for (const std::vector<std::string> &more : {estimateLines(estimates), qualityLines(estimates.quality)})
        lines.insert(lines.end(), more.begin(), more.end());
    return joined(lines);
}

} // namespace meshwright
