// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/result_facts.h"

#include "figures/figure_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace meshwright {

namespace {

QString tr(const char *text) {
    return QCoreApplication::translate("ResultFacts", text);
}

/// A link with a higher load has no reserve for slow periods and is shown as a warning.
constexpr double heavyLoad = 0.9;

/// Formats a ratio as a percentage, or as a multiple if it is 1,000% or more.
QString multipleText(double share) {
    return share < 10 ? shareText(share) : tr("%1 ×").arg(plainText(share));
}

/// A fact that opens the derivation of `figure`, a path in the result's JSON.
Fact opening(const QString &figure, Fact fact) {
    fact.figure = figure;
    return fact;
}

ColourRole loadColour(double load) {
    return load > 1 ? ColourRole::Bad : load > heavyLoad ? ColourRole::Warn : ColourRole::Text;
}

} // namespace

std::vector<Fact> betweenSitesFacts(const Result &result) {
    if (!result.outer)
        return {};
    const OuterEstimate &outer = *result.outer;
    return {
        opening(QStringLiteral("outer.utilisation"),
                {tr("Compute utilization"), shareText(outer.utilisation),
                 outer.utilisation < heavyLoad ? ColourRole::Warn : ColourRole::Text,
                 tr("Fraction of time in which a site computes instead of waiting for links")}),
        opening(QStringLiteral("outer.round_seconds"),
                {tr("Round time"), figureText(outer.round_seconds, Quantity::seconds)}),
        opening(QStringLiteral("outer.stall_seconds_per_round"),
                {tr("Stall time per round"), figureText(outer.stall_seconds_per_round, Quantity::seconds)}),
        opening(QStringLiteral("outer.rounds"), {tr("Rounds"), countText(std::max(0.0, outer.rounds))}),
        opening(QStringLiteral("outer.uplink_load"),
                {tr("Uplink load per site"), shareText(outer.uplink_load), loadColour(outer.uplink_load)}),
        opening(QStringLiteral("outer.downlink_load"),
                {tr("Downlink load per site"), shareText(outer.downlink_load), loadColour(outer.downlink_load)}),
        opening(QStringLiteral("outer.up_bytes_per_round"),
                {tr("Upload per site and round"), figureText(outer.up_bytes_per_round, Quantity::bytes)}),
        opening(QStringLiteral("outer.down_bytes_per_round"),
                {tr("Download per site and round"), figureText(outer.down_bytes_per_round, Quantity::bytes)}),
        opening(QStringLiteral("outer.staleness_steps"),
                {tr("Staleness"), tr("%1 steps").arg(figureText(outer.staleness_steps, Quantity::number))}),
        opening(QStringLiteral("outer.loss_penalty_high"),
                {tr("Loss penalty"),
                 tr("+%1 … %2").arg(shareText(outer.loss_penalty_low), shareText(outer.loss_penalty_high)),
                 ColourRole::Text, tr("Loss increase over single-site training, estimated from published runs")}),
    };
}

std::vector<Fact> speedFacts(const Result &result) {
    const Step &step = result.step;
    return {
        opening(QStringLiteral("step.mfu"),
                {tr("MFU"), shareText(step.mfu), ColourRole::Text,
                 tr("Model FLOPs utilization: causal attention counted at half, LM head included")}),
        opening(QStringLiteral("step.hfu"),
                {tr("HFU"), shareText(step.hfu), ColourRole::Text,
                 tr("Hardware FLOPs utilization: MFU plus recomputation")}),
        opening(QStringLiteral("step.mfu_6nd"), {tr("MFU (6·N·D)"), shareText(step.mfu_6nd)}),
        opening(QStringLiteral("step.mfu_full_attention"),
                {tr("MFU (full attention)"), shareText(step.mfu_full_attention)}),
        opening(QStringLiteral("step.model_flops_per_second_per_accelerator"),
                {tr("Model FLOP/s per accelerator"),
                 figureText(step.model_flops_per_second_per_accelerator, Quantity::flops_per_second)}),
        opening(QStringLiteral("step.tokens_per_second"),
                {result.plan.cluster.sites > 1 ? tr("Tokens/s per site") : tr("Tokens/s"),
                 plainText(step.tokens_per_second)}),
        opening(QStringLiteral("step.tokens_per_second_per_accelerator"),
                {tr("Tokens/s per accelerator"), plainText(step.tokens_per_second_per_accelerator)}),
        {tr("Bottleneck"),
         QString::fromStdString(bottleneck_names()[static_cast<std::size_t>(result.verdict.bottleneck)])},
    };
}

std::vector<Fact> pipelineFacts(const Result &result) {
    const Pipeline &pipeline = result.pipeline;
    std::vector<Fact> facts{
        {tr("Schedule"), QString::fromStdString(name_of(pipeline.schedule))},
        opening(QStringLiteral("microbatches"),
                {tr("Microbatches"), countText(static_cast<double>(result.plan.microbatches()))}),
        opening(QStringLiteral("pipeline.idle_of_all_ranks"),
                {tr("Idle, all ranks"), shareText(pipeline.idle_of_all_ranks), ColourRole::Text,
                 tr("Idle time of all ranks / (ranks × makespan), the sum of the causes below")}),
        opening(QStringLiteral("pipeline.idle_warm_up_and_drain"),
                {tr("Warm-up and drain"), shareText(pipeline.idle_warm_up_and_drain), ColourRole::Text,
                 tr("Idle before each rank's first backward pass and after its last forward pass")}),
        opening(QStringLiteral("pipeline.idle_imbalance"),
                {tr("Imbalance"), shareText(pipeline.idle_imbalance), ColourRole::Text,
                 tr("Idle between warm-up and drain while waiting for another rank: stages take different times")}),
        opening(QStringLiteral("pipeline.idle_waiting_for_sends"),
                {tr("Waiting for sends"), shareText(pipeline.idle_waiting_for_sends)}),
        opening(QStringLiteral("pipeline.bubble_of_ideal"),
                {tr("Bubble of ideal"), shareText(pipeline.bubble_of_ideal), ColourRole::Text,
                 tr("(makespan − busy time) / busy time, for the busiest rank")}),
        opening(QStringLiteral("pipeline.bubble_of_total"),
                {tr("Bubble of total"), shareText(pipeline.bubble_of_total), ColourRole::Text,
                 tr("(makespan − busy time) / makespan, for the busiest rank")}),
        opening(QStringLiteral("pipeline.makespan_seconds"),
                {tr("Makespan"), figureText(pipeline.makespan_seconds, Quantity::seconds)}),
        opening(QStringLiteral("pipeline.forward_seconds"),
                {tr("Forward"), figureText(pipeline.forward_seconds, Quantity::seconds)}),
        opening(QStringLiteral("pipeline.backward_seconds"),
                {tr("Backward"), figureText(pipeline.backward_seconds, Quantity::seconds)}),
    };
    if (!pipeline.in_flight.empty()) {
        const auto most = std::max_element(pipeline.in_flight.begin(), pipeline.in_flight.end());
        facts.push_back(opening(QStringLiteral("pipeline.in_flight.%1").arg(most - pipeline.in_flight.begin()),
                                {tr("Peak microbatches in flight"), countText(static_cast<double>(*most))}));
    }
    return facts;
}

std::vector<Fact> runFacts(const Result &result) {
    const RunEstimate &run = result.run;
    return {
        opening(QStringLiteral("run.tokens"), {tr("Tokens"), figureText(run.tokens, Quantity::tokens)}),
        opening(
            QStringLiteral("run.steps"),
            {result.plan.cluster.sites > 1 ? tr("Steps per site") : tr("Steps"), countText(std::max(0.0, run.steps))}),
        opening(QStringLiteral("run.accelerator_hours"), {tr("Accelerator-hours"), plainText(run.accelerator_hours)}),
        opening(QStringLiteral("run.rental_dollars"),
                {tr("Rental cost"), figureText(run.rental_dollars, Quantity::dollars)}),
        opening(QStringLiteral("run.energy_joules"), {tr("Energy"), figureText(run.energy_joules, Quantity::joules)}),
        opening(QStringLiteral("run.energy_dollars"),
                {tr("Energy cost"), figureText(run.energy_dollars, Quantity::dollars)}),
        opening(QStringLiteral("run.goodput"), {tr("Goodput"), shareText(run.goodput)}),
        opening(QStringLiteral("run.expected_failures"), {tr("Expected failures"), plainText(run.expected_failures)}),
        opening(QStringLiteral("run.checkpoint_bytes"),
                {tr("Checkpoint"), figureText(run.checkpoint_bytes, Quantity::bytes)}),
        opening(QStringLiteral("run.checkpoint_interval_seconds"),
                {tr("Checkpoint every"), figureText(run.checkpoint_interval_seconds, Quantity::seconds)}),
    };
}

std::vector<Fact> clusterFacts(const Result &result) {
    const ClusterEstimate &cluster = result.cluster;
    const double threshold = cluster.threshold_h100_equivalents;
    const auto line = [&](const QString &name, const QString &figure, double equivalents) {
        const QString value = threshold > 0
            ? tr("%1 · %2").arg(plainText(equivalents), multipleText(equivalents / threshold))
            : plainText(equivalents);
        return Fact{name, value, ColourRole::Text, tr("H100-equivalents, and their fraction of the threshold"), figure};
    };
    return {
        line(tr("Node"), QStringLiteral("cluster.node_h100_equivalents"), cluster.node_h100_equivalents),
        line(tr("Site"), QStringLiteral("cluster.site_h100_equivalents"), cluster.site_h100_equivalents),
        line(tr("Fleet"), QStringLiteral("cluster.total_h100_equivalents"), cluster.total_h100_equivalents),
        opening(
            QStringLiteral("cluster.threshold_h100_equivalents"),
            {tr("Threshold"), plainText(threshold), ColourRole::Text, QString::fromStdString(cluster.definition.text)}),
    };
}

std::vector<Fact> parameterFacts(const Result &result) {
    const Parameters &parameters = result.parameters;
    struct Part {
        QString name;
        double count;
        const char *key; ///< last key of the path to the figure in the result
    };
    std::vector<Part> parts{{tr("Attention and mixers"), parameters.mixer, "mixer"},
                            {tr("Feed-forward"), parameters.feed_forward, "feed_forward"},
                            {tr("Routed experts"), parameters.routed_experts, "routed_experts"},
                            {tr("Shared experts"), parameters.shared_experts, "shared_experts"},
                            {tr("Routers"), parameters.routers, "routers"},
                            {tr("Embedding and head"), parameters.embedding, "embedding"},
                            {tr("Norms"), parameters.norms, "norms"},
                            {tr("Position embeddings"), parameters.positions, "positions"},
                            {tr("Other"), parameters.other, "other"}};
    std::stable_sort(parts.begin(), parts.end(), [](const Part &a, const Part &b) { return a.count > b.count; });
    std::vector<Fact> facts;
    for (const Part &part : parts) {
        if (part.count > 0)
            facts.push_back(opening(QStringLiteral("parameters.") + QLatin1String(part.key),
                                    {part.name, figureText(part.count, Quantity::parameters)}));
    }
    facts.push_back(
        opening(QStringLiteral("parameters.total"), {tr("Total"), figureText(parameters.total, Quantity::parameters)}));
    if (parameters.active < parameters.total)
        facts.push_back(opening(QStringLiteral("parameters.active"),
                                {tr("Active per token"), figureText(parameters.active, Quantity::parameters)}));
    if (parameters.mtp > 0)
        facts.push_back(
            opening(QStringLiteral("parameters.mtp"),
                    {tr("MTP modules (not in the total)"), figureText(parameters.mtp, Quantity::parameters)}));
    return facts;
}

} // namespace meshwright
