// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/figure_text.h"
#include "report/report_sections.h"

#include <string>

namespace meshwright {
namespace {

QString text(const std::string &utf8) {
    return shownName(QString::fromStdString(utf8));
}

QString number(std::int64_t value) {
    return countText(static_cast<double>(value));
}

QString times(std::int64_t first, std::int64_t second) {
    return number(first) + QStringLiteral(" \u00d7 ") + number(second);
}

FactGroup clusterGroup(const Plan &plan) {
    const Cluster &cluster = plan.cluster;
    const Accelerator &accelerator = cluster.accelerator;
    FactGroup group{QStringLiteral("Cluster"), {}};
    group.facts.push_back(
        {QStringLiteral("accelerator"), text(accelerator.name.empty() ? cluster.accelerator_id : accelerator.name)});
    if (cluster.sites > 1)
        group.facts.push_back(
            {QStringLiteral("sites \u00d7 accelerators"), times(cluster.sites, cluster.site_accelerators())});
    group.facts.push_back({QStringLiteral("accelerators"), number(cluster.accelerators())});
    for (const Tier &tier : cluster.tiers)
        group.facts.push_back({text(tier.name) + QStringLiteral(", groups of ") + number(tier.accelerators),
                               figureText(tier.bandwidth_bytes_per_second, Quantity::bytes_per_second)});
    for (const Tier &tier : cluster.tiers)
        if (!tier.bus_bandwidth.empty() && cluster.health == NetworkHealth::measured)
            group.facts.push_back({text(tier.name) + QStringLiteral(", bus bandwidths"),
                                   QStringLiteral("%1 measured").arg(tier.bus_bandwidth.size())});
    if (cluster.wan && cluster.sites > 1)
        group.facts.push_back({QStringLiteral("uplink, downlink"),
                               figureText(cluster.wan->uplink_bits_per_second, Quantity::bits_per_second)
                                   + QStringLiteral(", ")
                                   + figureText(cluster.wan->downlink_bits_per_second, Quantity::bits_per_second)});
    group.facts.push_back(
        {QStringLiteral("network"), text(network_health_names()[static_cast<size_t>(cluster.health)])});
    group.facts.push_back(
        {QStringLiteral("software"), text(plan.stack.name.empty() ? plan.stack_id : plan.stack.name)});
    return group;
}

FactGroup modelGroup(const Result &result) {
    const Plan &plan = result.plan;
    FactGroup group{QStringLiteral("Model and batch"), {}};
    group.facts.push_back({QStringLiteral("model"), text(plan.model.name.empty() ? plan.model_id : plan.model.name)});
    group.facts.push_back(factOf("parameters.total", QStringLiteral("parameters"),
                                 figureText(result.parameters.total, Quantity::parameters)));
    if (result.parameters.active < 0.99 * result.parameters.total)
        group.facts.push_back(factOf("parameters.active", QStringLiteral("active per token"),
                                     figureText(result.parameters.active, Quantity::parameters)));
    group.facts.push_back(
        {QStringLiteral("layers \u00d7 hidden size"), times(plan.model.layer_count(), plan.model.hidden)});
    group.facts.push_back(
        {QStringLiteral("batch \u00d7 sequence"), times(plan.batch.global_sequences, plan.batch.sequence_length)});
    group.facts.push_back(
        {QStringLiteral("microbatches \u00d7 size"), times(plan.microbatches(), plan.batch.micro_sequences)});
    group.facts.push_back(
        {QStringLiteral("compute, weights"),
         text(name_of(plan.precision.compute)) + QStringLiteral(", ") + text(name_of(plan.precision.weights))});
    group.facts.push_back(
        {QStringLiteral("gradients, Adam states"),
         text(name_of(plan.precision.gradients)) + QStringLiteral(", ") + text(name_of(plan.precision.moments))});
    return group;
}

QString wireText(const Wire &wire) {
    QString words = QString::number(wire.bits) + QStringLiteral(" bits");
    if (wire.density < 1)
        words += QStringLiteral(", density ") + figureText(wire.density, Quantity::share);
    return words;
}

FactGroup configurationGroup(const Plan &plan) {
    const Parallelism &parallelism = plan.parallelism;
    FactGroup group{QStringLiteral("Configuration"), {}};
    group.facts.push_back(
        {QStringLiteral("TP \u00d7 PP \u00d7 DP"),
         times(parallelism.tensor, parallelism.pipeline) + QStringLiteral(" \u00d7 ") + number(parallelism.data)});
    if (parallelism.context > 1)
        group.facts.push_back({QStringLiteral("CP"), number(parallelism.context)});
    if (parallelism.expert > 1 || parallelism.expert_tensor > 1)
        group.facts.push_back(
            {QStringLiteral("EP \u00d7 expert TP"), times(parallelism.expert, parallelism.expert_tensor)});
    QString schedule = text(name_of(parallelism.schedule));
    if (parallelism.chunks > 1)
        schedule += QStringLiteral(", ") + number(parallelism.chunks) + QStringLiteral(" chunks");
    group.facts.push_back({QStringLiteral("schedule"), schedule});
    group.facts.push_back({QStringLiteral("ZeRO stage"), number(parallelism.zero_stage)});
    group.facts.push_back(
        {QStringLiteral("recomputation"), text(recompute_mode_names()[static_cast<size_t>(plan.recompute.mode)])});
    group.facts.push_back(
        {QStringLiteral("optimizer"), text(optimizer_names()[static_cast<size_t>(plan.optimizer.kind)])});
    if (plan.outer.method != OuterMethod::none) {
        group.facts.push_back(
            {QStringLiteral("outer method"), text(outer_method_names()[static_cast<size_t>(plan.outer.method)])});
        group.facts.push_back({QStringLiteral("H, fragments, overlap"),
                               number(plan.outer.inner_steps) + QStringLiteral(", ") + number(plan.outer.fragments)
                                   + QStringLiteral(", ") + number(plan.outer.overlap_steps)});
        group.facts.push_back({QStringLiteral("uplink format"), wireText(plan.outer.up)});
        group.facts.push_back({QStringLiteral("downlink format"), wireText(plan.outer.down)});
    }
    return group;
}

} // namespace

ReportFact factOf(const char *figure, const QString &name, const QString &value) {
    return {name, said(value, figure)};
}

FactGroup runGroup(const Result &result) {
    const RunEstimate &run = result.run;
    const Quantity failures = run.expected_failures < 10 ? Quantity::number : Quantity::count;
    return {
        QStringLiteral("Run"),
        {factOf("run.tokens", QStringLiteral("tokens"), figureText(run.tokens, Quantity::tokens)),
         factOf("run.steps", QStringLiteral("steps per site"), countText(run.steps)),
         factOf("run.flops", QStringLiteral("compute"),
                figureText(result.flops.per_token * run.tokens, Quantity::flops)),
         factOf("run.goodput", QStringLiteral("goodput"), shareText(run.goodput)),
         factOf("run.expected_failures", QStringLiteral("expected failures"),
                figureText(run.expected_failures, failures)),
         factOf("run.checkpoint_bytes", QStringLiteral("checkpoint size"),
                figureText(run.checkpoint_bytes, Quantity::bytes)),
         factOf("run.checkpoint_interval_seconds", QStringLiteral("checkpoint interval"),
                figureText(run.checkpoint_interval_seconds, Quantity::seconds)),
         factOf("run.accelerator_hours", QStringLiteral("accelerator-hours"), countText(run.accelerator_hours)),
         factOf("run.rental_dollars", QStringLiteral("rental cost"), figureText(run.rental_dollars, Quantity::dollars)),
         factOf("run.energy_joules", QStringLiteral("energy"), figureText(run.energy_joules, Quantity::joules)),
         factOf("run.energy_dollars", QStringLiteral("energy cost"),
                figureText(run.energy_dollars, Quantity::dollars))}};
}

FactGroup speedGroup(const Result &result) {
    const Step &step = result.step;
    return {
        QStringLiteral("Throughput"),
        {factOf("step.tokens_per_second", QStringLiteral("tokens/s per site"), countText(step.tokens_per_second)),
         factOf("step.tokens_per_second_per_accelerator", QStringLiteral("tokens/s per accelerator"),
                countText(step.tokens_per_second_per_accelerator)),
         factOf("step.model_flops_per_second_per_accelerator", QStringLiteral("per accelerator"),
                figureText(step.model_flops_per_second_per_accelerator, Quantity::flops_per_second)),
         {QStringLiteral("MFU, HFU"),
          filled(QStringLiteral("%1, %2"), said(shareText(step.mfu), "step.mfu"),
                 said(shareText(step.hfu), "step.hfu"))},
         factOf("step.mfu_6nd", QStringLiteral("MFU by 6ND"), shareText(step.mfu_6nd)),
         factOf("step.mfu_full_attention", QStringLiteral("MFU, full attention"), shareText(step.mfu_full_attention))}};
}

FactGroup idleGroup(const Result &result) {
    const Pipeline &pipeline = result.pipeline;
    FactGroup group{
        QStringLiteral("Pipeline idle time"),
        {factOf("pipeline.idle_of_all_ranks", QStringLiteral("idle time, all ranks"),
                shareText(pipeline.idle_of_all_ranks)),
         factOf("pipeline.idle_warm_up_and_drain", QStringLiteral("warm-up and drain"),
                shareText(pipeline.idle_warm_up_and_drain)),
         factOf("pipeline.idle_imbalance", QStringLiteral("imbalance"), shareText(pipeline.idle_imbalance)),
         factOf("pipeline.idle_waiting_for_sends", QStringLiteral("waiting for sends"),
                shareText(pipeline.idle_waiting_for_sends)),
         factOf("pipeline.bubble_of_ideal", QStringLiteral("bubble of ideal"), shareText(pipeline.bubble_of_ideal)),
         factOf("pipeline.bubble_of_total", QStringLiteral("bubble of total"), shareText(pipeline.bubble_of_total)),
         factOf("pipeline.bubble_of_span", QStringLiteral("bubble of span"), shareText(pipeline.bubble_of_span))}};
    if (!pipeline.in_flight.empty())
        group.facts.push_back(
            {QStringLiteral("peak chunks in flight, first and last rank"),
             filled(QStringLiteral("%1, %2"), said(number(pipeline.in_flight.front()), "pipeline.in_flight.0"),
                    said(number(pipeline.in_flight.back()),
                         QStringLiteral("pipeline.in_flight.%1").arg(pipeline.in_flight.size() - 1)))});
    return group;
}

FactGroup outerGroup(const OuterEstimate &outer) {
    return {QStringLiteral("Multi-site training"),
            {factOf("outer.utilisation", QStringLiteral("compute utilization"), shareText(outer.utilisation)),
             factOf("outer.round_seconds", QStringLiteral("round time"),
                    figureText(outer.round_seconds, Quantity::seconds)),
             factOf("outer.stall_seconds_per_round", QStringLiteral("stall time per round"),
                    figureText(outer.stall_seconds_per_round, Quantity::seconds)),
             factOf("outer.rounds", QStringLiteral("rounds"), countText(outer.rounds)),
             factOf("outer.up_bytes_per_round", QStringLiteral("sent per site and round"),
                    figureText(outer.up_bytes_per_round, Quantity::bytes)),
             factOf("outer.down_bytes_per_round", QStringLiteral("received per site and round"),
                    figureText(outer.down_bytes_per_round, Quantity::bytes)),
             {QStringLiteral("uplink, downlink load"),
              filled(QStringLiteral("%1, %2"), said(shareText(outer.uplink_load), "outer.uplink_load"),
                     said(shareText(outer.downlink_load), "outer.downlink_load"))},
             {QStringLiteral("loss penalty"),
              filled(QStringLiteral("%1 to %2"), said(shareText(outer.loss_penalty_low), "outer.loss_penalty_low"),
                     said(shareText(outer.loss_penalty_high), "outer.loss_penalty_high"))}}};
}

FactGroup thresholdGroup(const Result &result) {
    const ClusterEstimate &cluster = result.cluster;
    const auto equivalents = [](double value) {
        return value < 1000 ? QString::number(value, 'f', 2) : countText(value);
    };
    return {QStringLiteral("H100-equivalents"),
            {{QStringLiteral("per node, per site, total"),
              filled(QStringLiteral("%1, %2, %3"),
                     said(equivalents(cluster.node_h100_equivalents), "cluster.node_h100_equivalents"),
                     said(equivalents(cluster.site_h100_equivalents), "cluster.site_h100_equivalents"),
                     said(equivalents(cluster.total_h100_equivalents), "cluster.total_h100_equivalents"))},
             factOf("cluster.threshold_h100_equivalents", QStringLiteral("threshold"),
                    QString::number(cluster.threshold_h100_equivalents)),
             factOf("cluster.node_share_of_threshold", QStringLiteral("node / threshold"),
                    shareText(cluster.node_share_of_threshold)),
             factOf("cluster.site_share_of_threshold", QStringLiteral("site / threshold"),
                    shareText(cluster.site_share_of_threshold))}};
}

FactsPart planFacts(const Result &result) {
    return {{{clusterGroup(result.plan)}, {modelGroup(result)}, {configurationGroup(result.plan)}}};
}

} // namespace meshwright
