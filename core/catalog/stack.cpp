// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/stack.h"

#include "catalog/json_values.h"
#include "input/field_reader.h"

#include <nlohmann/json.hpp>

#include <array>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

/// One number of a stack: its key in the JSON, where it is kept and what it may be.
struct StackNumber {
    const char *key;
    double Stack::*place;
    Range range;
};

constexpr Range factor_range{0.01, 100};
constexpr Range host_range{0, 10}; ///< seconds; a launch that takes longer is a hang
constexpr Range bytes_range{0, 1e15};

constexpr std::array time_numbers{
    StackNumber{"matrix_efficiency_factor", &Stack::matrix_efficiency_factor, factor_range},
    StackNumber{"memory_traffic_factor", &Stack::memory_traffic_factor, factor_range},
    StackNumber{"norm_traffic_factor", &Stack::norm_traffic_factor, factor_range},
    StackNumber{"logits_traffic_bytes", &Stack::logits_traffic_bytes, {0, 1000}},
    StackNumber{"host_seconds_per_layer", &Stack::host_seconds_per_layer, host_range},
    StackNumber{"host_seconds_per_expert_layer", &Stack::host_seconds_per_expert_layer, host_range},
    StackNumber{"routing_wait_seconds", &Stack::routing_wait_seconds, host_range},
    StackNumber{"graph_share", &Stack::graph_share, share},
    StackNumber{"tensor_overlap", &Stack::tensor_overlap, share},
    StackNumber{"expert_overlap", &Stack::expert_overlap, share},
    StackNumber{"bucket_bytes", &Stack::bucket_bytes, {1, 1e15}},
    StackNumber{"data_exposed_share", &Stack::data_exposed_share, share},
    StackNumber{"sharded_exposed_share", &Stack::sharded_exposed_share, share},
    StackNumber{"selective_multiplies", &Stack::selective_multiplies, share},
    StackNumber{"recompute_early_stop", &Stack::recompute_early_stop, share},
    StackNumber{"step_seconds", &Stack::step_seconds, {0, 3600}},
};

constexpr std::array memory_numbers{
    StackNumber{"update_bytes_per_parameter", &Stack::update_bytes_per_parameter, {0, 100}},
    StackNumber{"logits_kept_bytes", &Stack::logits_kept_bytes, {0, 100}},
    StackNumber{"activation_factor", &Stack::activation_factor, factor_range},
    StackNumber{"allocator_reserve_factor", &Stack::allocator_reserve_factor, {1, 10}},
    StackNumber{"context_bytes", &Stack::context_bytes, bytes_range},
    StackNumber{"communicator_bytes", &Stack::communicator_bytes, bytes_range},
};

template <std::size_t Count>
void read_numbers(FieldReader &reader, Stack &stack, const std::array<StackNumber, Count> &numbers) {
    for (const StackNumber &number : numbers)
        reader.number(number.key, stack.*number.place, number.range);
}

template <std::size_t Count>
void write_numbers(Json &json, const Stack &stack, const std::array<StackNumber, Count> &numbers) {
    for (const StackNumber &number : numbers)
        json[number.key] = number_to_json(stack.*number.place);
}

} // namespace

const std::vector<std::string> &attention_kernel_names() {
    static const std::vector<std::string> names{"unfused", "flash-1", "flash-2", "flash-3"};
    return names;
}

double Stack::*stack_number(std::string_view key) {
    for (const StackNumber &number : time_numbers)
        if (number.key == key)
            return number.place;
    for (const StackNumber &number : memory_numbers)
        if (number.key == key)
            return number.place;
    return nullptr;
}

void read_fields(FieldReader &reader, Stack &stack) {
    read_schema(reader, "meshwright.stack/1");
    reader.text("id", stack.id);
    stack.name = stack.id;
    reader.text("name", stack.name);
    reader.text("framework", stack.framework);
    reader.count("year", stack.year, 1900, 2200);
    reader.choice("attention", stack.attention, attention_kernel_names());
    read_numbers(reader, stack, time_numbers);
    reader.boolean("dropout", stack.dropout);
    reader.boolean("keeps_expert_outputs", stack.keeps_expert_outputs);
    reader.boolean("keeps_activations_in_compute_format", stack.keeps_activations_in_compute_format);
    reader.boolean("keeps_gathered_inputs", stack.keeps_gathered_inputs);
    reader.boolean("fuses_elementwise", stack.fuses_elementwise);
    reader.boolean("keeps_gradient_buffers", stack.keeps_gradient_buffers);
    reader.boolean("pads_uneven_shards", stack.pads_uneven_shards);
    reader.boolean("launches_wait", stack.launches_wait);
    reader.boolean("copies_gathered_sequences", stack.copies_gathered_sequences);
    reader.boolean("data_overlap", stack.data_overlap);
    reader.boolean("overlaps_weight_gather", stack.overlaps_weight_gather);
    reader.boolean("gathers_weights_at_once", stack.gathers_weights_at_once);
    reader.boolean("overlaps_gradient_scatter", stack.overlaps_gradient_scatter);
    reader.boolean("balances_stages", stack.balances_stages);
    reader.boolean("overlaps_pipeline_sends", stack.overlaps_pipeline_sends);
    reader.boolean("scatters_pipeline_sends", stack.scatters_pipeline_sends);
    reader.count("default_zero_stage", stack.default_zero_stage, 0, 3);
    reader.choice("default_gradients", stack.default_gradients, data_type_names());
    reader.boolean("gradients_beside_accumulators", stack.gradients_beside_accumulators);
    reader.boolean("weights_beside_master", stack.weights_beside_master);
    read_numbers(reader, stack, memory_numbers);
    read_sources(reader, stack.sources);
}

Json to_json(const Stack &stack) {
    Json json = Json::object();
    if (!stack.id.empty())
        json["id"] = stack.id;
    if (!stack.name.empty())
        json["name"] = stack.name;
    if (!stack.framework.empty())
        json["framework"] = stack.framework;
    if (stack.year != 0)
        json["year"] = stack.year;
    json["attention"] = attention_kernel_names()[static_cast<std::size_t>(stack.attention)];
    write_numbers(json, stack, time_numbers);
    json["launches_wait"] = stack.launches_wait;
    json["copies_gathered_sequences"] = stack.copies_gathered_sequences;
    json["data_overlap"] = stack.data_overlap;
    json["overlaps_weight_gather"] = stack.overlaps_weight_gather;
    json["gathers_weights_at_once"] = stack.gathers_weights_at_once;
    json["overlaps_gradient_scatter"] = stack.overlaps_gradient_scatter;
    json["balances_stages"] = stack.balances_stages;
    json["overlaps_pipeline_sends"] = stack.overlaps_pipeline_sends;
    json["scatters_pipeline_sends"] = stack.scatters_pipeline_sends;
    json["dropout"] = stack.dropout;
    json["keeps_expert_outputs"] = stack.keeps_expert_outputs;
    json["keeps_activations_in_compute_format"] = stack.keeps_activations_in_compute_format;
    json["keeps_gathered_inputs"] = stack.keeps_gathered_inputs;
    json["fuses_elementwise"] = stack.fuses_elementwise;
    json["keeps_gradient_buffers"] = stack.keeps_gradient_buffers;
    json["pads_uneven_shards"] = stack.pads_uneven_shards;
    json["default_zero_stage"] = stack.default_zero_stage;
    json["default_gradients"] = name_of(stack.default_gradients);
    json["gradients_beside_accumulators"] = stack.gradients_beside_accumulators;
    json["weights_beside_master"] = stack.weights_beside_master;
    write_numbers(json, stack, memory_numbers);
    write_sources(json, stack.sources);
    return json;
}

} // namespace meshwright
