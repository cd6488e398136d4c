// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace meshwright {

class FieldReader;

/// How freely a pipeline's layers can be distributed over its virtual stages.
enum class LayerSplit {
    equal, ///< every stage has the same number
    even, ///< one more on the first stages where they do not divide
    ends, ///< even, with the embedding or the head counted as a layer
    any ///< a number for each stage
};
/// Whether tensor-parallel ranks shard the sequence as well.
enum class SequenceSharding { off, on, choice };
/// Degrees of tensor parallelism inside an expert.
enum class ExpertSplit { one, one_or_tensor, any };
/// How much of something can be kept in host memory.
enum class OffloadShare { nothing, everything, any };
/// Microbatches that pass the chunks of an interleaved schedule together.
enum class RoundSize {
    stages, ///< as many as there are stages, which divide the microbatches
    equal, ///< rounds of one size, at least as many as there are stages (torch.distributed.pipelining)
    any ///< an option
};

/// What training software can run. Each field that is set is known from an option or a source file, which the stack's
/// `sources` name under "can_run.FIELD"; one that is not set is not known, and is held against no plan.
struct Capabilities {
    using Words = std::optional<std::vector<std::string>>;
    using Numbers = std::optional<std::vector<std::int64_t>>;

    bool anything = false; ///< no software: nothing is held against a plan
    std::optional<bool> tensor; ///< tensor parallelism
    std::optional<SequenceSharding> sequence_parallel;
    std::optional<bool> experts_need_sequence_parallel; ///< mixture of experts on tensor-parallel ranks
    std::optional<bool> tensor_beyond_kv_heads; ///< copies key-value heads to more ranks than there are
    std::optional<bool> context; ///< context parallelism
    std::optional<std::int64_t> context_multiple; ///< this times the context degree divides the sequence
    std::optional<bool> expert; ///< expert parallelism
    std::optional<bool> expert_with_context; ///< both above 1
    std::optional<ExpertSplit> expert_tensor;
    Words schedules; ///< names of pipeline schedules; none: no pipeline parallelism
    std::optional<LayerSplit> layout;
    std::optional<RoundSize> group;
    Numbers zero_stages; ///< without a pipeline
    Numbers zero_stages_with_pipeline;
    std::optional<bool> unsharded_with_others; ///< ZeRO 0 on several ranks beside tensor, context or pipeline
    Numbers shard_group_stages; ///< ZeRO stages that can shard over fewer than all ranks (HSDP)
    Words recompute; ///< modes
    Words recompute_modules;
    std::optional<OffloadShare> optimizer_offload;
    std::optional<OffloadShare> activation_offload;
    Words compute; ///< formats
    Words gradients;
    Words master;
    Words moments;
    std::optional<std::int64_t> states_from_zero; ///< offloading, and states that are not FP32, need this ZeRO stage
    Words placements; ///< orders of dimensions, innermost first: "tensor-context-expert-data-pipeline"
    Words outer; ///< methods of an outer optimizer that come with it

    /// Whether anything is known of it.
    bool is_known() const;
    bool operator==(const Capabilities &) const = default;
};

/// One field of what can be run, from which readers, writers, the schema and pages are made.
struct CapabilityField {
    using Place =
        std::variant<bool Capabilities::*, std::optional<bool> Capabilities::*,
                     std::optional<std::int64_t> Capabilities::*, Capabilities::Words Capabilities::*,
                     Capabilities::Numbers Capabilities::*, std::optional<LayerSplit> Capabilities::*,
                     std::optional<SequenceSharding> Capabilities::*, std::optional<ExpertSplit> Capabilities::*,
                     std::optional<OffloadShare> Capabilities::*, std::optional<RoundSize> Capabilities::*>;

    std::string_view key; ///< as its JSON spells it
    Place place;
    std::string_view meaning; ///< a sentence

    /// The words that the field may hold; empty for a yes or no, a number, or words that are not the catalogue's.
    std::vector<std::string> words() const;
    bool is_known(const Capabilities &capabilities) const;
};

/// All of them, as the JSON orders them.
const std::vector<CapabilityField> &capability_fields();

/// Reads the object that `reader` stands on; every problem goes to the reader.
void read_fields(FieldReader &reader, Capabilities &capabilities);
/// The fields that are known.
nlohmann::ordered_json to_json(const Capabilities &capabilities);

/// Whether a list that is known leaves a value out.
template <typename Values, typename Value>
bool leaves_out(const std::optional<Values> &values, const Value &value) {
    if (!values)
        return false;
    for (const auto &one : *values)
        if (one == value)
            return false;
    return true;
}

} // namespace meshwright
