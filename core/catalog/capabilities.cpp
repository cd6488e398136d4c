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

constexpr std::int64_t largest_number = 16; ///< of a ZeRO stage or a multiple

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

/// Lists of formats take the catalogue's words; those of other lists belong to what a plan may say.
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
        reader.problem(field.key, "holds something else",
                       known.empty() ? "an array of words is expected"
                                     : "an array of " + listed(known) + " is expected");
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
        {"anything", &C::anything, "No software, but an upper bound: nothing is held against a plan."},
        {"tensor", &C::tensor, "Tensor parallelism."},
        {"sequence_parallel", &C::sequence_parallel,
         "Whether tensor-parallel ranks also shard the sequence between their layers: never, always, or by an option."},
        {"experts_need_sequence_parallel", &C::experts_need_sequence_parallel,
         "A mixture of experts with tensor parallelism needs sequence parallelism."},
        {"tensor_beyond_kv_heads", &C::tensor_beyond_kv_heads,
         "Key-value heads can be copied to more tensor-parallel ranks than there are of them."},
        {"context", &C::context, "Context parallelism."},
        {"context_multiple", &C::context_multiple,
         "With context parallelism the sequence is a multiple of this times the context degree."},
        {"expert", &C::expert, "Expert parallelism."},
        {"expert_with_context", &C::expert_with_context, "Expert and context parallelism in one run."},
        {"expert_tensor", &C::expert_tensor,
         "Tensor parallelism inside an expert: one rank, one or as many as tensor, or any number."},
        {"schedules", &C::schedules,
         "Pipeline schedules; an empty list means no pipeline parallelism. Chunks follow from the schedule."},
        {"layout", &C::layout,
         "Layers per virtual stage: equal, even (one more on the first where they do not divide), even with embedding "
         "or head counted as a layer (ends), or any number for each."},
        {"group", &C::group,
         "Microbatches that pass the chunks of an interleaved schedule together: as many as stages, rounds of equal "
         "size, or any number."},
        {"zero_stages", &C::zero_stages, "ZeRO stages without a pipeline."},
        {"zero_stages_with_pipeline", &C::zero_stages_with_pipeline, "ZeRO stages with a pipeline."},
        {"unsharded_with_others", &C::unsharded_with_others,
         "Replicas without sharding (ZeRO 0) together with tensor, context or pipeline parallelism."},
        {"shard_group_stages", &C::shard_group_stages,
         "ZeRO stages that can shard over a part of the data-parallel ranks and replicate over the rest (HSDP)."},
        {"recompute", &C::recompute, "Modes of recomputation."},
        {"recompute_modules", &C::recompute_modules, "Modules that can be recomputed one by one."},
        {"optimizer_offload", &C::optimizer_offload, "Share of the optimizer's states in host memory."},
        {"activation_offload", &C::activation_offload, "Share of the saved activations in host memory."},
        {"compute", &C::compute, "Compute formats."},
        {"gradients", &C::gradients, "Formats of the accumulated gradients."},
        {"master", &C::master, "Formats of the master weights; none: the optimizer works on the weights."},
        {"moments", &C::moments, "Formats of the optimizer's moments."},
        {"states_from_zero", &C::states_from_zero,
         "Offloading the optimizer, and master weights or moments that are not FP32, need at least this ZeRO stage."},
        {"placements", &C::placements,
         "Orders of the ranks, innermost first. The default order of a plan stands for the software's own."},
        {"outer", &C::outer, "Methods of an outer optimizer (DiLoCo) that come with the software."},
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
