// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/capabilities.h"

#include "catalog/precision.h"
#include "input/field_reader.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <type_traits>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::int64_t largest_number = 16; ///< upper limit of integers in a stack file, such as ZeRO stages

template <typename Enum>
const std::vector<std::string> &words_of_choice();

template <>
const std::vector<std::string> &words_of_choice<LayerSplit>() {
    static const std::vector<std::string> words{"equal", "even", "ends", "any"};
    return words;
}
template <>
const std::vector<std::string> &words_of_choice<SequenceSharding>() {
    static const std::vector<std::string> words{"never", "always", "choice"};
    return words;
}
template <>
const std::vector<std::string> &words_of_choice<ExpertSplit>() {
    static const std::vector<std::string> words{"one", "one-or-tensor", "any"};
    return words;
}
template <>
const std::vector<std::string> &words_of_choice<OffloadShare>() {
    static const std::vector<std::string> words{"none", "all", "any"};
    return words;
}
template <>
const std::vector<std::string> &words_of_choice<RoundSize>() {
    static const std::vector<std::string> words{"stages", "equal", "any"};
    return words;
}

using Place = CapabilityField::Place;
using C = Capabilities;

/// Lists of number formats use the catalog's names; the names in other lists are checked against plans
/// (unknown_word()).
bool lists_formats(const Place &place) {
    return place == Place(&C::compute) || place == Place(&C::gradients) || place == Place(&C::master)
        || place == Place(&C::moments);
}

void read_words(FieldReader &reader, const CapabilityField &field, C::Words &words) {
    const Json *found = reader.raw(field.key);
    if (found == nullptr)
        return;
    const std::vector<std::string> known = field.words();
    const bool good =
        found->is_array() && found->size() <= 100 && std::all_of(found->begin(), found->end(), [&](const Json &item) {
            return item.is_string()
                && (known.empty() || std::find(known.begin(), known.end(), item.get<std::string>()) != known.end());
        });
    if (good)
        words = found->get<std::vector<std::string>>();
    else
        reader.problem(field.key, "has an unknown entry",
                       known.empty() ? "expected an array of strings" : "expected an array of " + listed(known));
}

void read_place(FieldReader &reader, const CapabilityField &field, C &capabilities) {
    const std::string key(field.key);
    std::visit(
        [&](auto place) {
            auto &value = capabilities.*place;
            using Value = std::remove_reference_t<decltype(value)>;
            if constexpr (std::is_same_v<Value, bool>) {
                reader.boolean(key, value);
            } else if constexpr (std::is_same_v<Value, C::Words>) {
                read_words(reader, field, value);
            } else {
                typename Value::value_type read{};
                bool given = false;
                if constexpr (std::is_same_v<Value, std::optional<bool>>)
                    given = reader.boolean(key, read);
                else if constexpr (std::is_same_v<Value, std::optional<std::int64_t>>)
                    given = reader.count(key, read, 0, largest_number);
                else if constexpr (std::is_same_v<Value, C::Numbers>)
                    given = reader.counts(key, read, 0, largest_number);
                else
                    given = reader.choice(key, read, words_of_choice<typename Value::value_type>());
                if (given)
                    value = std::move(read);
            }
        },
        field.place);
}

} // namespace

bool Capabilities::is_known() const {
    return anything
        || std::any_of(capability_fields().begin(), capability_fields().end(),
                       [this](const CapabilityField &field) { return field.is_known(*this); });
}

std::vector<std::string> CapabilityField::words() const {
    return std::visit(
        [this](auto member) -> std::vector<std::string> {
            using Value = std::remove_reference_t<decltype(std::declval<C &>().*member)>;
            if constexpr (std::is_same_v<Value, C::Words>) {
                return lists_formats(place) ? data_type_names() : std::vector<std::string>{};
            } else if constexpr (!std::is_same_v<Value, bool>) {
                if constexpr (std::is_enum_v<typename Value::value_type>)
                    return words_of_choice<typename Value::value_type>();
            }
            return {};
        },
        place);
}

bool CapabilityField::is_known(const Capabilities &capabilities) const {
    return std::visit(
        [&](auto member) {
            const auto &value = capabilities.*member;
            if constexpr (std::is_same_v<decltype(value), const bool &>)
                return value;
            else
                return value.has_value();
        },
        place);
}

const std::vector<CapabilityField> &capability_fields() {
    static const std::vector<CapabilityField> fields{
        {"anything", &C::anything, "An idealized upper bound instead of real software: every plan is allowed."},
        {"tensor", &C::tensor, "Tensor parallelism."},
        {"sequence_parallel", &C::sequence_parallel,
         "Sequence parallelism with tensor parallelism: never, always, or optional (choice)."},
        {"experts_need_sequence_parallel", &C::experts_need_sequence_parallel,
         "Mixture-of-experts models with tensor parallelism need sequence parallelism."},
        {"tensor_beyond_kv_heads", &C::tensor_beyond_kv_heads,
         "KV heads can be replicated if there are more tensor-parallel ranks than KV heads."},
        {"context", &C::context, "Context parallelism."},
        {"context_multiple", &C::context_multiple,
         "With context parallelism, the sequence length must be a multiple of this number times the context degree."},
        {"context_with_others", &C::context_with_others,
         "Context parallelism combined with tensor or pipeline parallelism."},
        {"expert", &C::expert, "Expert parallelism."},
        {"expert_with_context", &C::expert_with_context, "Expert and context parallelism combined."},
        {"expert_tensor", &C::expert_tensor,
         "Degrees of expert tensor parallelism: only 1 (one), 1 or the tensor degree (one-or-tensor), or any "
         "degree (any)."},
        {"schedules", &C::schedules,
         "Pipeline schedules; an empty list means no pipeline parallelism. The schedule determines whether ranks have "
         "several chunks."},
        {"layout", &C::layout,
         "Layers per virtual stage: equal, even (one more layer on the first stages if not divisible), even with "
         "embedding "
         "or LM head counted as a layer (ends), or any."},
        {"group", &C::group,
         "Microbatches per interleaving group: the number of stages, any number that gives rounds of equal size, or "
         "any number."},
        {"zero_stages", &C::zero_stages, "ZeRO stages without pipeline parallelism."},
        {"zero_stages_with_pipeline", &C::zero_stages_with_pipeline, "ZeRO stages with pipeline parallelism."},
        {"unsharded_with_others", &C::unsharded_with_others,
         "Unsharded replicas (ZeRO 0) combined with tensor, context or pipeline parallelism."},
        {"shard_group_stages", &C::shard_group_stages,
         "ZeRO stages that support hybrid sharding (HSDP): shard within a group of data-parallel ranks, replicate "
         "between groups."},
        {"recompute", &C::recompute, "Recomputation modes."},
        {"recompute_modules", &C::recompute_modules, "Modules that can be recomputed individually."},
        {"optimizer_offload", &C::optimizer_offload,
         "Fraction of the optimizer states that can be offloaded to host memory."},
        {"activation_offload", &C::activation_offload,
         "Fraction of the saved activations that can be offloaded to host memory."},
        {"compute", &C::compute, "Number formats of GEMMs."},
        {"gradients", &C::gradients, "Number formats of the accumulated gradients."},
        {"master", &C::master,
         "Number formats of the master weights; none: the optimizer updates the weights directly."},
        {"moments", &C::moments, "Number formats of the optimizer's moments."},
        {"states_from_zero", &C::states_from_zero,
         "Minimum ZeRO stage for optimizer offloading and for master weights or moments that are not FP32."},
        {"placements", &C::placements,
         "Rank orders, innermost first. A plan's default placement means the software's own order."},
        {"outer", &C::outer, "Outer optimizer methods (DiLoCo) that the software includes."},
    };
    return fields;
}

void read_fields(FieldReader &reader, Capabilities &capabilities) {
    for (const CapabilityField &field : capability_fields())
        read_place(reader, field, capabilities);
}

Json to_json(const Capabilities &capabilities) {
    Json json = Json::object();
    for (const CapabilityField &field : capability_fields()) {
        if (!field.is_known(capabilities))
            continue;
        std::visit(
            [&](auto member) {
                const auto &value = capabilities.*member;
                using Value = std::remove_cvref_t<decltype(value)>;
                Json &place = json[std::string(field.key)];
                if constexpr (std::is_same_v<Value, bool>)
                    place = value;
                else if constexpr (std::is_enum_v<typename Value::value_type>)
                    place = field.words()[static_cast<std::size_t>(*value)];
                else
                    place = *value;
            },
            field.place);
    }
    return json;
}

} // namespace meshwright
