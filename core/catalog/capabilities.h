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

/// How freely layers can be distributed over virtual stages.
enum class LayerSplit {
    equal, ///< every stage has the same number of layers
    even, ///< as equal as possible; the first stages get one more layer if the number of layers is not divisible
    ends, ///< equal, with the embedding or the LM head counted as a layer
    any
};
/// Whether sequence parallelism is used with tensor parallelism.
enum class SequenceSharding { off, on, choice };
/// Allowed degrees of expert tensor parallelism.
enum class ExpertSplit { one, one_or_tensor, any };
/// Allowed fractions of optimizer states, or of activations, that are offloaded to host memory.
enum class OffloadShare { nothing, everything, any };
/// Allowed microbatches per interleaving group.
enum class RoundSize {
    stages, ///< the number of stages, which must divide the microbatches
    equal, ///< groups of equal size, each at least the number of stages (torch.distributed.pipelining)
    any ///< any number, set by an option
};

/// Features that a training stack can run. For each field, the key "can_run.FIELD" of the stack's `sources` names the
/// option or file. An unset field is unknown: no plan is rejected because of it.
struct Capabilities {
    using Words = std::optional<std::vector<std::string>>;
    using Numbers = std::optional<std::vector<std::int64_t>>;

    bool anything = false; ///< idealized stack: every plan is allowed
    std::optional<bool> tensor;
    std::optional<SequenceSharding> sequence_parallel;
    /// Whether tensor parallelism of a mixture-of-experts model requires sequence parallelism.
    std::optional<bool> experts_need_sequence_parallel;
    /// Whether the tensor degree may exceed the number of KV heads, which are then replicated.
    std::optional<bool> tensor_beyond_kv_heads;
    std::optional<bool> context;
    /// The product of this number and the context degree must divide the sequence length.
    std::optional<std::int64_t> context_multiple;
    std::optional<bool> context_with_others; ///< whether CP can be combined with TP or PP; unset means it can
    std::optional<bool> expert;
    std::optional<bool> expert_with_context;
    std::optional<ExpertSplit> expert_tensor;
    Words schedules; ///< names of pipeline schedules; empty if there is no pipeline parallelism
    std::optional<LayerSplit> layout;
    std::optional<RoundSize> group;
    Numbers zero_stages; ///< ZeRO stages that the software runs without pipeline parallelism
    Numbers zero_stages_with_pipeline;
    std::optional<bool> unsharded_with_others; ///< whether DDP (ZeRO 0) can be combined with TP, CP or PP
    Numbers shard_group_stages; ///< ZeRO stages that can shard across a group of ranks (HSDP)
    Words recompute;
    Words recompute_modules;
    std::optional<OffloadShare> optimizer_offload;
    std::optional<OffloadShare> activation_offload;
    Words compute;
    Words gradients;
    Words master;
    Words moments;
    std::optional<std::int64_t>
        states_from_zero; ///< minimum ZeRO stage for offloading and for states that are not FP32
    Words placements; ///< allowed orders of dimensions, innermost first: "tensor-context-expert-data-pipeline"
    Words outer;

    bool is_known() const;
    bool operator==(const Capabilities &) const = default;
};

/// Description of one field of Capabilities. Readers, writers, the schema and the window use it.
struct CapabilityField {
    using Place =
        std::variant<bool Capabilities::*, std::optional<bool> Capabilities::*,
                     std::optional<std::int64_t> Capabilities::*, Capabilities::Words Capabilities::*,
                     Capabilities::Numbers Capabilities::*, std::optional<LayerSplit> Capabilities::*,
                     std::optional<SequenceSharding> Capabilities::*, std::optional<ExpertSplit> Capabilities::*,
                     std::optional<OffloadShare> Capabilities::*, std::optional<RoundSize> Capabilities::*>;

    std::string_view key;
    Place place;
    std::string_view meaning; ///< a sentence or noun phrase, also used as the schema's description

    /// Allowed words; empty for booleans, numbers, and names that the catalog does not define.
    std::vector<std::string> words() const;
    bool is_known(const Capabilities &capabilities) const;
};

/// All fields, in the order of the JSON.
const std::vector<CapabilityField> &capability_fields();

/// Reads the fields of the reader's object and reports every problem to the reader.
void read_fields(FieldReader &reader, Capabilities &capabilities);
nlohmann::ordered_json to_json(const Capabilities &capabilities);

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
