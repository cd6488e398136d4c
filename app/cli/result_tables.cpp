// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/result_tables.h"

#include "cli/text_table.h"
#include "quantities/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

namespace meshwright {

using Json = nlohmann::ordered_json;
using Lines = std::vector<std::string>;

namespace {

/// Separates a message from what follows it: advice begins a new sentence, and "expected X" follows a semicolon.
std::string joint(const std::string &expected) {
    return std::isupper(static_cast<unsigned char>(expected.front())) != 0 ? ". " : "; ";
}

constexpr std::size_t labelColumns = 24;
constexpr std::size_t secondBlock = 50; ///< column in which the right-hand block begins

std::string bytes(double value) {
    return text_of(value, Quantity::bytes);
}

std::string seconds(double value) {
    return text_of(value, Quantity::seconds);
}

std::string percent(double value) {
    return text_of(value, Quantity::share);
}

std::string count(double value) {
    return text_of(value, Quantity::count);
}

void append(Lines &lines, const Lines &more) {
    lines.insert(lines.end(), more.begin(), more.end());
}

std::string fact(const std::string &label, const std::string &value) {
    return "  " + padded(label, labelColumns) + value;
}

// --- Plan and memory -------------------------------------------------------------------------------------------------

std::string clusterLine(const Plan &plan) {
    const Cluster &cluster = plan.cluster;
    const std::string accelerator =
        cluster.accelerator.name.empty() ? cluster.accelerator_id : cluster.accelerator.name;
    const std::string sites = cluster.sites > 1
        ? fmt::format("{} sites of {}", count(static_cast<double>(cluster.sites)),
                      count(static_cast<double>(cluster.site_accelerators())))
        : count(static_cast<double>(cluster.accelerators()));
    return fmt::format("{} x {}, {}", sites, accelerator, plan.stack.name.empty() ? plan.stack_id : plan.stack.name);
}

std::string modelLine(const Result &result) {
    const Model &model = result.plan.model;
    const Parameters &parameters = result.parameters;
    std::string text = fmt::format("{}, {} parameters", model.name.empty() ? result.plan.model_id : model.name,
                                   text_of(parameters.total, Quantity::parameters));
    if (parameters.active < 0.99 * parameters.total)
        text += fmt::format(", {} active", text_of(parameters.active, Quantity::parameters));
    return text + fmt::format(", {} layers", model.layer_count());
}

std::string layoutLine(const Plan &plan) {
    const Parallelism &parallelism = plan.parallelism;
    std::string text = fmt::format("tensor {}, ", parallelism.tensor);
    if (parallelism.context > 1)
        text += fmt::format("context {}, ", parallelism.context);
    text += fmt::format("pipeline {} ({}", parallelism.pipeline, name_of(parallelism.schedule));
    if (parallelism.chunks > 1)
        text += fmt::format(", {} chunks", parallelism.chunks);
    text += fmt::format("), data {}", parallelism.data);
    if (parallelism.expert > 1)
        text += fmt::format(", expert {}", parallelism.expert);
    if (parallelism.expert_tensor > 1)
        text += fmt::format(", expert TP {}", parallelism.expert_tensor);
    text += fmt::format(", ZeRO {}, recompute {}", parallelism.zero_stage,
                        recompute_mode_names()[static_cast<std::size_t>(plan.recompute.mode)]);
    return text;
}

std::string batchLine(const Plan &plan) {
    return fmt::format("{} x {} tokens per step, microbatch size {}, {} microbatches; {}, gradients {}, moments {}",
                       count(static_cast<double>(plan.batch.global_sequences)),
                       count(static_cast<double>(plan.batch.sequence_length)), plan.batch.micro_sequences,
                       count(static_cast<double>(plan.microbatches())), name_of(plan.precision.compute),
                       name_of(plan.precision.gradients), name_of(plan.precision.moments));
}

Lines headingLines(const Result &result) {
    const Verdict &verdict = result.verdict;
    Lines lines;
    if (!result.plan.name.empty())
        append(lines, wrapped(result.plan.name, pageColumns));
    for (const std::string &line :
         {clusterLine(result.plan), modelLine(result), layoutLine(result.plan), batchLine(result.plan)})
        for (const std::string &piece : wrapped(line, pageColumns - 2))
            lines.push_back("  " + piece);
    lines.emplace_back();
    const std::string capacity = bytes(result.memory.capacity_bytes);
    const std::string room = verdict.fits ? bytes(verdict.headroom_bytes) + " of " + capacity + " free"
                                          : bytes(-verdict.headroom_bytes) + " over " + capacity;
    lines.push_back(fmt::format("{}: {}, limited by {}", verdict.fits ? "FITS" : "DOES NOT FIT", room,
                                bottleneck_names()[static_cast<std::size_t>(verdict.bottleneck)]));
    for (const std::string &piece : wrapped(verdict.summary.text, pageColumns - 2))
        lines.push_back("  " + piece);
    return lines;
}

// --- Memory ----------------------------------------------------------------------------------------------------------

struct MemoryKind {
    const char *name;
    double StageMemory::*bytes;
};
constexpr std::array<MemoryKind, 8> memoryKinds{{{"weights", &StageMemory::weights_bytes},
                                                 {"gradients", &StageMemory::gradients_bytes},
                                                 {"optimizer", &StageMemory::optimizer_bytes},
                                                 {"activations", &StageMemory::activations_bytes},
                                                 {"logits", &StageMemory::logits_bytes},
                                                 {"buffers", &StageMemory::buffers_bytes},
                                                 {"outer", &StageMemory::outer_bytes},
                                                 {"runtime", &StageMemory::runtime_bytes}}};

Lines stageCells(const StageMemory &stage, const std::vector<MemoryKind> &kinds, double capacity) {
    Lines cells{fmt::format("{}", stage.layers)};
    for (const MemoryKind &kind : kinds)
        cells.push_back(fmt::format("{:.1f}", stage.*kind.bytes / 1e9));
    cells.push_back(fmt::format("{:.1f}", stage.total_bytes / 1e9));
    cells.push_back(fmt::format("{:.1f}", (capacity - stage.total_bytes) / 1e9));
    return cells;
}

/// Adjacent stages with the same cells share a row.
Lines memoryLines(const Memory &memory) {
    std::vector<MemoryKind> kinds;
    for (const MemoryKind &kind : memoryKinds)
        if (std::any_of(memory.stages.begin(), memory.stages.end(),
                        [&](const StageMemory &stage) { return stage.*kind.bytes >= 0.05e9; }))
            kinds.push_back(kind);
    std::vector<TextColumn> columns{{"stage"}, {"layers", Alignment::right}};
    for (const MemoryKind &kind : kinds)
        columns.push_back({kind.name, Alignment::right});
    columns.push_back({"total", Alignment::right});
    columns.push_back({"free", Alignment::right});
    TextTable table(columns);
    for (std::size_t first = 0; first < memory.stages.size();) {
        Lines cells = stageCells(memory.stages[first], kinds, memory.capacity_bytes);
        std::size_t end = first + 1;
        while (end < memory.stages.size() && stageCells(memory.stages[end], kinds, memory.capacity_bytes) == cells)
            ++end;
        cells.insert(cells.begin(), end == first + 1 ? fmt::format("{}", first) : fmt::format("{}-{}", first, end - 1));
        table.add(cells);
        first = end;
    }
    Lines lines{fmt::format("Memory per accelerator, GB; peak on stage {}{}", memory.peak_stage,
                            memory.peak_operation.empty() ? "" : " during " + memory.peak_operation)};
    for (const std::string &line : table.lines())
        lines.push_back("  " + line);
    if (memory.host_bytes > 0)
        lines.push_back(fmt::format("  and {} in host memory", bytes(memory.host_bytes)));
    return lines;
}

// --- Step ------------------------------------------------------------------------------------------------------------

std::string stepTermLabel(std::size_t term) {
    const std::string &name = step_term_names()[term];
    const auto which = static_cast<StepTerm>(term);
    const bool exposed = which == StepTerm::tensor || which == StepTerm::context || which == StepTerm::expert
        || which == StepTerm::pipeline || which == StepTerm::data;
    return exposed ? name + " (exposed)" : name;
}

Lines stepLines(const Step &step) {
    constexpr double barColumns = 40;
    Lines lines{fmt::format("Step time {} (80% interval {} to {}), {} tokens/s, MFU {}, HFU {}", seconds(step.seconds),
                            seconds(step.low_seconds), seconds(step.high_seconds),
                            count(std::round(step.tokens_per_second)), percent(step.mfu), percent(step.hfu))};
    for (std::size_t term = 0; term < step_term_count; ++term) {
        const double value = step.terms[term];
        if (value <= 0)
            continue;
        const double share = step.seconds > 0 ? value / step.seconds : 0;
        lines.push_back(fmt::format("  {}{:>9}  {:>6}  {}", padded(stepTermLabel(term), labelColumns), seconds(value),
                                    percent(share),
                                    std::string(static_cast<std::size_t>(std::lround(share * barColumns)), '#')));
    }
    lines.push_back(fmt::format("  {} per accelerator; MFU by 6ND {}, with full attention {}",
                                text_of(step.model_flops_per_second_per_accelerator, Quantity::flops_per_second),
                                percent(step.mfu_6nd), percent(step.mfu_full_attention)));
    return lines;
}

// --- Pipeline, run, cluster, sites -----------------------------------------------------------------------------------

std::string range(const std::vector<std::int64_t> &values) {
    if (values.empty())
        return "none";
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    return *low == *high ? fmt::format("{}", *low)
                         : fmt::format("{} (last) to {} (first)", values.back(), values.front());
}

Lines pipelineLines(const Result &result) {
    const Pipeline &pipeline = result.pipeline;
    Lines lines{"Pipeline, " + name_of(pipeline.schedule),
                fact("idle time, all ranks", percent(pipeline.idle_of_all_ranks)),
                fact("  warm-up and drain", percent(pipeline.idle_warm_up_and_drain)),
                fact("  imbalance", percent(pipeline.idle_imbalance)),
                fact("  waiting for sends", percent(pipeline.idle_waiting_for_sends)),
                fact("bubble / ideal time", percent(pipeline.bubble_of_ideal)),
                fact("bubble / total time", percent(pipeline.bubble_of_total)),
                fact("bubble / rank's span", percent(pipeline.bubble_of_span)),
                fact("makespan", seconds(pipeline.makespan_seconds)),
                fact("peak chunks in flight", range(pipeline.in_flight))};
    if (pipeline.closed_form_makespan_seconds)
        lines.push_back(fact("closed-form makespan", seconds(*pipeline.closed_form_makespan_seconds)));
    return lines;
}

Lines runLines(const Result &result) {
    const RunEstimate &run = result.run;
    return {fmt::format("Run, {} tokens", text_of(run.tokens, Quantity::tokens)),
            fact("duration", seconds(run.seconds)),
            fact("steps per site", count(run.steps)),
            fact("model FLOPs", text_of(result.flops.per_token * run.tokens, Quantity::flops)),
            fact("goodput", percent(run.goodput)),
            fact("expected failures",
                 text_of(run.expected_failures, run.expected_failures < 10 ? Quantity::number : Quantity::count)),
            fact("checkpoint", bytes(run.checkpoint_bytes) + " every " + seconds(run.checkpoint_interval_seconds)),
            fact("accelerator-hours", count(run.accelerator_hours)),
            fact("rental cost", text_of(run.rental_dollars, Quantity::dollars)),
            fact("energy",
                 text_of(run.energy_joules, Quantity::joules) + ", " + text_of(run.energy_dollars, Quantity::dollars))};
}

Lines clusterLines(const ClusterEstimate &cluster) {
    return {"Cluster in H100-equivalents",
            fact("accelerators", count(cluster.accelerators)),
            fact("per node", fmt::format("{:.2f}", cluster.node_h100_equivalents)),
            fact("per site", fmt::format("{:.2f}", cluster.site_h100_equivalents)),
            fact("total", count(cluster.total_h100_equivalents)),
            fact("threshold", fmt::format("{:g}", cluster.threshold_h100_equivalents)),
            fact("node / threshold", percent(cluster.node_share_of_threshold)),
            fact("site / threshold", percent(cluster.site_share_of_threshold))};
}

Lines outerLines(const OuterEstimate &outer) {
    return {
        "Outer loop",
        fact("compute utilization", percent(outer.utilisation)),
        fact("round time", seconds(outer.round_seconds)),
        fact("stall time per round", seconds(outer.stall_seconds_per_round)),
        fact("rounds", count(outer.rounds)),
        fact("data sent per round", bytes(outer.up_bytes_per_round) + ", load " + percent(outer.uplink_load)),
        fact("data received per round", bytes(outer.down_bytes_per_round) + ", load " + percent(outer.downlink_load)),
        fact("staleness, steps", text_of(outer.staleness_steps, Quantity::number)),
        fact("loss penalty", percent(outer.loss_penalty_low) + " to " + percent(outer.loss_penalty_high))};
}

/// Formats published figures: "17.6 s", "8,431,000", "54.2"; days and rates have no unit.
std::string publishedText(double value, Quantity quantity) {
    return text_of(value, quantity == Quantity::number && value >= 1000 ? Quantity::count : quantity);
}

Lines publishedLines(const Result &result) {
    TextTable table({{"Published figures"},
                     {"published", Alignment::right},
                     {"predicted", Alignment::right},
                     {"difference", Alignment::right},
                     {"80% interval"}});
    for (const PublishedComparison &figure : result.published)
        table.add({figure.title, publishedText(figure.value, figure.quantity),
                   publishedText(figure.predicted, figure.quantity), signed_percent_text(figure.difference()),
                   !figure.inside()       ? "none"
                       : *figure.inside() ? "inside"
                                          : "outside"});
    Lines lines = table.lines();
    const PublishedRun &published = result.plan.published;
    std::string text = published.plan_changed ? "The plan differs from the published run. " : "";
    text += published.note + (published.note.empty() || published.source.empty() ? "" : " ")
        + (published.source.empty() ? "" : "Source: " + published.source);
    for (const std::string &piece : wrapped(text, pageColumns - 2))
        lines.push_back("  " + piece);
    return lines;
}

Lines evidenceLines(const std::vector<SimilarRun> &runs) {
    constexpr std::size_t listed = 5;
    constexpr std::size_t widest = 30;
    TextTable table({{"Nearest measured runs"},
                     {"measured", Alignment::right},
                     {"predicted", Alignment::right},
                     {"error", Alignment::right},
                     {"distance", Alignment::right},
                     {"source"}});
    const auto shortened = [](const std::string &text) {
        return text.size() > widest ? text.substr(0, widest - 3) + "..." : text;
    };
    for (std::size_t i = 0; i < std::min(listed, runs.size()); ++i) {
        const SimilarRun &run = runs[i];
        table.add({shortened(run.model.empty() ? run.id : run.model), seconds(run.measured_seconds),
                   seconds(run.predicted_seconds), signed_percent_text(run.error()),
                   fmt::format("{:.2f}", run.distance), shortened(run.source)});
    }
    return table.lines();
}

// --- Diagnostics -----------------------------------------------------------------------------------------------------

void flatten(const Json &patch, const std::string &path, Lines &assignments) {
    for (const auto &item : patch.items()) {
        const std::string field = path.empty() ? item.key() : path + "." + item.key();
        if (item.value().is_object() && !item.value().empty()) {
            flatten(item.value(), field, assignments);
        } else {
            const std::string assignment =
                field + "=" + (item.value().is_string() ? item.value().get<std::string>() : item.value().dump());
            const bool plain =
                assignment.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                             "_-+=.,:/%")
                == std::string::npos;
            assignments.push_back("--set " + (plain ? assignment : "'" + assignment + "'"));
        }
    }
}

Lines diagnosticLines(const std::vector<Diagnostic> &diagnostics) {
    static constexpr std::array<const char *, 3> severities{"error", "warning", "hint"};
    constexpr std::size_t indent = 11;
    const std::string margin(indent, ' ');
    Lines lines{"Problems and hints"};
    for (const Diagnostic &diagnostic : diagnostics) {
        std::string label = "  " + padded(severities[static_cast<std::size_t>(diagnostic.severity)], indent - 2);
        const std::string text = diagnostic.message.text
            + (diagnostic.expected.text.empty() ? "" : joint(diagnostic.expected.text) + diagnostic.expected.text)
            + (diagnostic.code.empty() ? "" : " [" + diagnostic.code + "]");
        for (const std::string &piece : wrapped(text, pageColumns - indent)) {
            lines.push_back(label + piece);
            label = margin;
        }
        for (const Fix &fix : diagnostic.fixes) {
            std::string what = "try " + fix.title + (fix.gain.empty() ? "" : ", " + fix.gain);
            const std::string options = asOptions(fix);
            what += options.empty() ? "" : ": " + options;
            std::string lead = margin;
            for (const std::string &piece : wrapped(what, pageColumns - indent - 4)) {
                lines.push_back(lead + piece);
                lead = margin + "    ";
            }
        }
    }
    return lines;
}

} // namespace

std::string asOptions(const Fix &fix) {
    constexpr std::size_t longest = 240;
    const Json patch = Json::parse(fix.patch, nullptr, false);
    Lines assignments;
    if (patch.is_object())
        flatten(patch, "", assignments);
    const std::string options = fmt::format("{}", fmt::join(assignments, " "));
    return options.size() <= longest ? options : std::string();
}

std::string resultText(const Result &result) {
    Lines lines = headingLines(result);
    const auto section = [&](const Lines &more) {
        lines.emplace_back();
        append(lines, more);
    };
    section(memoryLines(result.memory));
    section(stepLines(result.step));
    Lines left = pipelineLines(result);
    left.emplace_back();
    append(left, clusterLines(result.cluster));
    Lines right = runLines(result);
    if (result.outer) {
        right.emplace_back();
        append(right, outerLines(*result.outer));
    }
    section(beside(left, right, secondBlock));
    if (!result.cluster.definition.empty())
        for (const std::string &piece : wrapped("Threshold: " + result.cluster.definition.text, pageColumns - 2))
            lines.push_back("  " + piece);
    if (!result.published.empty())
        section(publishedLines(result));
    if (!result.evidence.empty())
        section(evidenceLines(result.evidence));
    if (!result.diagnostics.empty())
        section(diagnosticLines(result.diagnostics));
    return joined(lines);
}

} // namespace meshwright
