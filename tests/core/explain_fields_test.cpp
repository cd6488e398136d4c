// SPDX-License-Identifier: GPL-3.0-or-later
#include "explained_plans.h"
#include "plan/plan_json.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <set>

namespace meshwright {

namespace {

using Json = nlohmann::ordered_json;
using testing::Explained;
using testing::for_each_node;

/// The shipped JSON Schemas, with the parts that they refer to.
class Schemas {
public:
    /// Schema of the field at a JSON pointer; null if the schema has no such field.
    const Json *field(const std::string &schema, const std::string &pointer) {
        return find(file(schema), Json::json_pointer(pointer));
    }

private:
    const Json &file(const std::string &name) {
        const auto [found, is_new] = m_files.try_emplace(name);
        if (is_new) {
            found->second = Json::parse(std::ifstream(std::string(MESHWRIGHT_PRESETS "/schema/") + name));
            if (name == "schedule.schema.json") // the program adds the names of schedules
                found->second["enum"] = schedule_names();
        }
        return found->second;
    }
    const Json *find(const Json &schema, Json::json_pointer place) {
        if (schema.contains("$ref"))
            return find(referred(schema["$ref"].get<std::string>(), schema), place);
        for (const char *choice : {"oneOf", "anyOf", "allOf"})
            if (schema.contains(choice))
                for (const Json &one : schema[choice])
                    if (const Json *found = find(one, place); found != nullptr)
                        return found;
        if (place.empty())
            return schema.contains("type") || schema.contains("enum") || schema.contains("const") ? &schema : nullptr;
        std::vector<std::string> tokens;
        for (; !place.empty(); place.pop_back())
            tokens.push_back(place.back());
        Json::json_pointer rest;
        for (auto token = std::next(tokens.rbegin()); token != tokens.rend(); ++token)
            rest.push_back(*token);
        const std::string &first = tokens.back();
        if (schema.contains("properties") && schema["properties"].contains(first))
            return find(schema["properties"][first], rest);
        const bool is_index = first.find_first_not_of("0123456789") == std::string::npos;
        return is_index && schema.contains("items") ? find(schema["items"], rest) : nullptr;
    }
    const Json &referred(const std::string &reference, const Json & /*from*/) {
        const std::size_t hash = reference.find('#');
        const Json &whole = file(reference.substr(0, hash));
        return hash == std::string::npos ? whole : whole.at(Json::json_pointer(reference.substr(hash + 1)));
    }

    std::map<std::string, Json> m_files;
};

/// Value of a plan's field as a number: a number itself, 0 or 1 for a switch, the position of a word in the schema's
/// list, or the bytes of a number format. An omitted optional field is 0.
std::optional<double> held(const Json &plan, const Json &schema, const std::string &field) {
    const Json::json_pointer place(field);
    if (!plan.contains(place))
        return 0;
    const Json &value = plan.at(place);
    if (value.is_number())
        return value.get<double>();
    if (value.is_boolean())
        return value.get<bool>() ? 1 : 0;
    if (!value.is_string())
        return std::nullopt;
    const auto place_in = [&](const auto &words) -> std::optional<double> {
        const auto found = std::find(words.begin(), words.end(), value.get<std::string>());
        return found == words.end() ? std::nullopt : std::optional(static_cast<double>(found - words.begin()));
    };
    if (field.starts_with("/precision/"))
        return bytes_of(static_cast<DataType>(*place_in(data_type_names())));
    return schema.contains("enum") ? place_in(schema["enum"]) : std::nullopt;
}

/// A leaf that is not a single field of the plan but a count over several fields or over the model's layers, and the
/// condition that its value must meet.
struct CountedLeaf {
    const char *how; ///< source of the leaf
    bool (*holds)(const Derivation &, const Plan &);
};

bool is_place(const Derivation &node, const Plan &plan) {
    return node.value == std::floor(node.value) && node.value >= 0
        && node.value < static_cast<double>(std::max<std::int64_t>(1, plan.virtual_stages()));
}

/// Half layers occur where a rank that runs both directions alternates between its stages. Sums over ranks are compared
/// with the model below.
bool is_number_of_layers(const Derivation &node, const Plan &plan) {
    return 2 * node.value == std::floor(2 * node.value) && node.value >= 0
        && node.value <= 2 * static_cast<double>(plan.model.layer_count() + plan.model.mtp_layers + 2);
}

constexpr CountedLeaf counted_leaves[] = {
    {"virtual stages, numbered from 0", is_place},
    {"index of the rank in the pipeline", is_place},
    {"pipeline ranks, numbered from 0", is_place},
    {"the model's first layer", is_place},
    // The order of the layers in the model determines which layers each rank has.
    {"layers are assigned to the stages in model order", is_number_of_layers},
    {"the schedule does not cut sequences",
     [](const Derivation &node, const Plan &plan) { return node.value == 1 && !plan.cuts_sequences(); }},
    {"microbatches enter at both ends of the pipeline",
     [](const Derivation &node, const Plan &plan) { return node.value == 2 && stage_copies(plan) == 2; }},
    {"a dimension with more than one member communicates",
     [](const Derivation &node, const Plan &plan) {
         return node.value == 1 && to_json(plan).at(Json::json_pointer(node.field)) > 1;
     }},
    {"low precision adds casts",
     [](const Derivation &node, const Plan &plan) {
         return node.value == (bytes_of(plan.precision.compute) < 2 ? 1 : 0);
     }},
    {"tensor parallelism adds collectives",
     [](const Derivation &node, const Plan &plan) { return node.value == (plan.parallelism.tensor > 1 ? 1 : 0); }},
};

void expect_field(Schemas &schemas, const Json &json, const Plan &plan, const Derivation &node) {
    const Json *const schema = schemas.field("plan.schema.json", node.field);
    ASSERT_NE(schema, nullptr) << node.name << ": the schema has no field " << node.field;
    if (node.source == "the plan") {
        const std::optional<double> value = held(json, *schema, node.field);
        ASSERT_TRUE(value.has_value()) << node.name << ": the plan holds no number at " << node.field;
        EXPECT_EQ(node.value, *value) << node.name << " at " << node.field;
        return;
    }
    ASSERT_TRUE(node.source.starts_with("the plan: ")) << node.source;
    const std::string how = node.source.substr(10);
    const auto *const counted = std::find_if(std::begin(counted_leaves), std::end(counted_leaves),
                                             [&](const CountedLeaf &one) { return one.how == how; });
    if (counted == std::end(counted_leaves))
        EXPECT_EQ(node.value, 0) << node.name << ": a value other than 0 must have inputs or be a field: " << how;
    else
        EXPECT_TRUE(counted->holds(node, plan)) << node.name << " = " << node.value << ": " << how;
}

void expect_fields(const Explained &plan) {
    static Schemas schemas;
    const Json json = to_json(plan.result.plan);
    for_each_node(plan.tree, [&](const Derivation &node) {
        if (node.origin == Origin::plan && node.inputs.empty())
            expect_field(schemas, json, plan.result.plan, node);
    });
}

/// Number of layers of a kind on all ranks together.
double layers_on_ranks(const Explained &plan, const std::string &name) {
    double layers = 0;
    for (std::size_t rank = 0; rank < plan.result.memory.stages.size(); ++rank) {
        const Derivation *const parameters =
            find_figure(plan.tree, fmt::format("memory.stages.{}.dense_parameters", rank));
        for (const std::string &kind : {name, name + "_recomputed"}) {
            const Derivation *const here = parameters == nullptr ? nullptr : parameters->find(kind);
            layers += here == nullptr ? 0 : here->value;
        }
    }
    return layers;
}

class ExplainedFields : public ::testing::TestWithParam<std::string> {
protected:
    ExplainedFields()
        : m_plan(testing::explained(preset_plan(GetParam().c_str()))) { }
    Explained m_plan;
};

} // namespace

TEST_P(ExplainedFields, AreFieldsOfTheSchemaAndHoldTheirValues) {
    expect_fields(m_plan);
}

TEST_P(ExplainedFields, CountEveryLayerOnceForEachCopyOfAStage) {
    const Plan &plan = m_plan.result.plan;
    for (std::size_t i = 0; i < plan.model.blocks.size(); ++i) {
        const std::string &block = plan.model.blocks[i].name;
        const std::string name = (block.empty() ? fmt::format("block_{}", i) : identifier(block)) + "_layers";
        double layers = 0;
        for (const LayerRun &run : plan.model.layers)
            layers += static_cast<std::size_t>(run.block) == i ? static_cast<double>(run.count) : 0;
        EXPECT_EQ(layers_on_ranks(m_plan, name), layers * stage_copies(plan)) << name;
    }
}

/// The derivation of a layer's saved activations goes operation by operation down to the tokens, the model's sizes and
/// the number format.
TEST_P(ExplainedFields, OpensWhatALayerSavesOperationByOperation) {
    std::size_t layers = 0;
    for_each_node(m_plan.tree, [&](const Derivation &node) {
        if (!node.figure.empty() || !node.title.ends_with(" layer: activations saved for backward per microbatch"))
            return;
        ++layers;
        EXPECT_GE(node.inputs.size(), 2u) << node.formula;
        std::set<std::string> fields;
        for_each_node(node, [&](const Derivation &below) {
            if (below.inputs.empty() && below.figure.empty())
                fields.insert(below.field);
        });
        for (const char *field : {"/batch/sequence_length", "/batch/micro_sequences", "/precision/compute", "/model"})
            EXPECT_TRUE(fields.contains(field)) << node.name << " does not depend on " << field;
        for (const Derivation &operation : node.inputs)
            EXPECT_FALSE(operation.quantity == Quantity::bytes && operation.inputs.empty())
                << operation.name << " has no derivation";
    });
    EXPECT_TRUE(layers > 0 || m_plan.result.plan.recompute.mode == RecomputeMode::full);
}

INSTANTIATE_TEST_SUITE_P(Presets, ExplainedFields, ::testing::ValuesIn(evaluable_plans()),
                         [](const auto &parameter) { return test_name(parameter.param); });

RC_GTEST_PROP(ExplainedField, AreThoseOfAnyPlan, ()) {
    const std::optional<Plan> plan = valid_plan(*plan_documents());
    RC_PRE(plan.has_value());
    expect_fields(testing::explained(*plan));
}

TEST(ExplainedField, IsRejectedWhereTheSchemaHasNoSuchPlace) {
    Schemas schemas;
    EXPECT_EQ(schemas.field("plan.schema.json", "/parallelism/tensors"), nullptr);
    EXPECT_EQ(schemas.field("plan.schema.json", "/cluster/tiers/0/width"), nullptr);
    EXPECT_NE(schemas.field("plan.schema.json", "/cluster/tiers/0/accelerators"), nullptr);
    EXPECT_NE(schemas.field("plan.schema.json", "/outer/up/scale_bits"), nullptr);
    EXPECT_NE(schemas.field("plan.schema.json", "/parallelism/layout/3"), nullptr);
}

} // namespace meshwright
