// SPDX-License-Identifier: GPL-3.0-or-later
#include "narrative/memory_paragraphs.h"

#include "narrative/wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <vector>

namespace meshwright {

namespace {

std::string bytes_text(double bytes) {
    return text_of(bytes, Quantity::bytes);
}

/// A number with at most one decimal.
std::string short_number(double number) {
    const std::string text = fmt::format("{:.1f}", number);
    return text.ends_with(".0") ? text.substr(0, text.size() - 2) : text;
}

std::string subject(const Result &result, const StageMemory &stage) {
    return result.memory.stages.size() > 1 ? fmt::format("Each rank of stage {}", stage.stage) : "Each rank";
}

std::string activations_remedy(const Plan &plan) {
    std::string remedy;
    if (plan.recompute.mode != RecomputeMode::full)
        remedy += "recompute more of them, ";
    if (plan.batch.micro_sequences > 1)
        remedy += "use smaller microbatches, ";
    return remedy + (remedy.empty() ? "" : "or ") + "raise the tensor- or context-parallel degree";
}

/// Changes to the plan that shrink weights, gradients or optimizer states. @param zero_stage  the lowest ZeRO stage
/// that shards them
std::string states_remedy(const Plan &plan, std::int64_t zero_stage) {
    const std::string split = fmt::format("use more pipeline stages or a higher tensor-{}parallel degree",
                                          plan.parallelism.expert > 1 ? " or expert-" : "");
    return plan.parallelism.zero_stage < zero_stage && plan.parallelism.data > 1
        ? fmt::format("{}, or ZeRO-{}, which shards them across the data-parallel ranks", split, zero_stage)
        : split;
}

bool is_sharded(const Plan &plan, std::int64_t zero_stage) {
    return plan.parallelism.zero_stage >= zero_stage && plan.parallelism.data * plan.parallelism.context > 1;
}

std::string total_paragraph(const Result &result, const StageMemory &stage, bool is_fullest) {
    struct Part {
        double bytes;
        std::string_view name;
        std::string remedy;
    };
    constexpr std::size_t named_parts = 3;
    constexpr double smallest_named = 0.01; ///< parts below this fraction of the total are not named
    const Plan &plan = result.plan;
    std::vector<Part> parts{
        {stage.weights_bytes, "weights", states_remedy(plan, 3)},
        {stage.gradients_bytes, "gradients", states_remedy(plan, 2)},
        {stage.optimizer_bytes, "optimizer states", states_remedy(plan, 1)},
        {stage.activations_bytes, "activations", activations_remedy(plan)},
        {stage.logits_bytes, "logits", "use smaller microbatches or a higher tensor-parallel degree"},
        {stage.buffers_bytes, "buffers", ""},
        {stage.outer_bytes, "outer optimizer states", ""},
        {stage.runtime_bytes, "the CUDA context and NCCL buffers", ""},
    };
    std::stable_sort(parts.begin(), parts.end(), [](const Part &a, const Part &b) { return a.bytes > b.bytes; });
    std::vector<std::string> largest;
    for (const Part &part : parts)
        if (largest.size() < named_parts && part.bytes >= smallest_named * stage.total_bytes)
            largest.push_back(fmt::format("{} take {} ({})", part.name, bytes_text(part.bytes),
                                          percent_text(part.bytes / stage.total_bytes)));
    const std::string rank = singular_accelerator(plan);
    const double headroom = result.memory.capacity_bytes - stage.total_bytes;
    std::string text = result.memory.stages.size() == 1
        ? fmt::format("Each {} needs {} at its peak.", rank, bytes_text(stage.total_bytes))
        : fmt::format("Stage {} needs {}{} per {} at its peak.", stage.stage, is_fullest ? "the most memory: " : "",
                      bytes_text(stage.total_bytes), rank);
    text += headroom >= 0
        ? fmt::format(" Of the {} that a training process can use, {} stays free.",
                      bytes_text(result.memory.capacity_bytes), bytes_text(headroom))
        : fmt::format(" A training process can use only {}, so the plan does not fit: it is {} short.",
                      bytes_text(result.memory.capacity_bytes), bytes_text(-headroom));
    text += fmt::format(" At the peak, {}.", enumeration_of(largest));
    if (!parts.front().remedy.empty())
        text += fmt::format(" To shrink the {}, {}.", parts.front().name, parts.front().remedy);
    return text;
}

std::string_view recomputation_text(RecomputeMode mode) {
    switch (mode) {
    case RecomputeMode::none:
        return "nothing is recomputed";
    case RecomputeMode::full:
        return "only the inputs of layers are saved, because all layers are recomputed";
    case RecomputeMode::selective:
        return "the attention core is recomputed instead of saved";
    case RecomputeMode::layers:
        return "some layers are recomputed instead of saved";
    case RecomputeMode::modules:
        break;
    }
    return "some modules are recomputed instead of saved";
}

std::string activations_paragraph(const Derivation &figure, const Result &result, const StageMemory &stage) {
    const Derivation *const saved = figure.find("saved_bytes");
    const Derivation *const parts = figure.find("parts");
    const Derivation *const in_flight = figure.find("in_flight");
    if (saved == nullptr || parts == nullptr || in_flight == nullptr || !(figure.value > 0))
        return {};
    const Plan &plan = result.plan;
    const double microbatches = in_flight->value / parts->value;
    const double tokens = static_cast<double>(plan.batch.micro_sequences * plan.batch.sequence_length)
        / static_cast<double>(plan.parallelism.context);
    std::string text = "The activations of a microbatch are saved from its forward pass until its backward pass.";
    if (plan.parallelism.pipeline == 1)
        text += " Without pipeline stages, one microbatch at a time is in flight.";
    else
        text += fmt::format(" When memory peaks, stage {} holds the activations of {} {}, because the {} schedule runs "
                            "its forward passes that far ahead of its backward passes.",
                            stage.stage, short_number(microbatches),
                            short_number(microbatches) == "1" ? "microbatch" : "microbatches",
                            definition_of(plan.parallelism.schedule).title);
    text +=
        fmt::format(" A microbatch saves {} on this rank: {} layers, with {} per token and layer on "
                    "average; {}.",
                    bytes_text(saved->value), stage.layers,
                    bytes_text(saved->value / tokens / static_cast<double>(std::max<std::int64_t>(stage.layers, 1))),
                    recomputation_text(plan.recompute.mode));
    if (const Derivation *const slack = figure.find("slack"); slack != nullptr)
        text += fmt::format(" With {} for masks, statistics and alignment, the total is {}.",
                            signed_percent_text(slack->value - 1), bytes_text(figure.value));
    return text
        + fmt::format(" To shrink the activations, {}; more data parallelism does not change them.",
                      activations_remedy(plan));
}

/// "2 bytes per parameter", with the reason for so few bytes if ZeRO shards them.
std::string per_parameter(const Result &result, const StageMemory &stage, double bytes, std::int64_t zero_stage) {
    const std::string each =
        fmt::format("{:.3g} bytes per parameter", stage.parameters > 0 ? bytes / stage.parameters : 0);
    return is_sharded(result.plan, zero_stage)
        ? fmt::format("{}, because ZeRO-{} shards them across the data-parallel ranks", each,
                      result.plan.parallelism.zero_stage)
        : each;
}

std::string weights_paragraph(const Result &result, const StageMemory &stage) {
    if (stage.weights_bytes == 0)
        return fmt::format(
            "{} computes with {} parameters but stores no weights: it gathers those of each layer from the "
            "shards of the master weights, which are among the optimizer states.",
            subject(result, stage), text_of(stage.parameters, Quantity::parameters));
    return fmt::format(
        "{} computes with {} parameters and stores {} of weights for them: {}. To shrink the weights, {}.",
        subject(result, stage), text_of(stage.parameters, Quantity::parameters), bytes_text(stage.weights_bytes),
        per_parameter(result, stage, stage.weights_bytes, 3), states_remedy(result.plan, 3));
}

std::string gradients_paragraph(const Result &result, const StageMemory &stage) {
    return fmt::format(
        "{} accumulates the gradients of {} parameters over the microbatches of a step. They take {}: {}. "
        "To shrink them, {}.",
        subject(result, stage), text_of(stage.parameters, Quantity::parameters), bytes_text(stage.gradients_bytes),
        per_parameter(result, stage, stage.gradients_bytes, 2), states_remedy(result.plan, 2));
}

std::string optimizer_paragraph(const Result &result, const StageMemory &stage) {
    const Plan &plan = result.plan;
    std::string text =
        fmt::format("{} keeps {} of optimizer states for its {} parameters: {} of master weights and {} "
                    "of moments. That is {}.",
                    subject(result, stage), bytes_text(stage.optimizer_bytes),
                    text_of(stage.parameters, Quantity::parameters), bytes_text(stage.master_bytes),
                    bytes_text(stage.moments_bytes), per_parameter(result, stage, stage.optimizer_bytes, 1));
    if (plan.offload.optimizer > 0)
        text += fmt::format(" {} of the states are in host memory instead.", percent_text(plan.offload.optimizer));
    return text + fmt::format(" To shrink the optimizer states, {}.", states_remedy(plan, 1));
}

} // namespace

std::string memory_paragraph(const Derivation &figure, const Result &result) {
    const std::vector<StageMemory> &stages = result.memory.stages;
    std::string_view name = figure.name;
    const auto peak = static_cast<std::size_t>(result.memory.peak_stage);
    if (name == "memory_peak_bytes" || name == "verdict_headroom_bytes")
        return peak < stages.size() ? total_paragraph(result, stages[peak], true) : std::string();
    constexpr std::string_view beginning = "memory_stages_";
    if (!name.starts_with(beginning))
        return {};
    name.remove_prefix(beginning.size());
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), index);
    if (error != std::errc() || index >= stages.size())
        return {};
    name.remove_prefix(static_cast<std::size_t>(end - name.data()));
    const StageMemory &stage = stages[index];
    if (name == "_total_bytes")
        return total_paragraph(result, stage, false);
    if (name == "_activations_bytes")
        return activations_paragraph(figure, result, stage);
    if (name == "_weights_bytes")
        return weights_paragraph(result, stage);
    if (name == "_gradients_bytes")
        return gradients_paragraph(result, stage);
    if (name == "_optimizer_bytes")
        return optimizer_paragraph(result, stage);
    return {};
}

} // namespace meshwright
