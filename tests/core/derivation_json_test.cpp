// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/evaluate.h"
#include "explain/explain.h"
#include "quantities/units.h"
#include "random_plans.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace meshwright {

namespace {

using Json = nlohmann::ordered_json;

/// Returns the node with the derivation: `node` itself, or the node that its `same` points to.
const Json &derivation_of(const Json &root, const Json &node) {
    return node.contains("same") ? root.at(Json::json_pointer(node["same"].get<std::string>())) : node;
}

/// Checks that every node of the tree is present, with its derivation in place or in the node it points to.
void expect_whole(const Json &root, const Json &json, const Derivation &node) {
    for (const char *key : {"name", "title", "value", "unit", "formula", "substituted", "source", "origin", "inputs"})
        ASSERT_TRUE(json.contains(key)) << key << " of " << node.name;
    ASSERT_EQ(json["name"], node.name);
    ASSERT_EQ(json["title"], node.title);
    ASSERT_EQ(json["value"].get<double>(), node.value);
    ASSERT_EQ(json["unit"], units_of(node.quantity).front().name);
    ASSERT_EQ(json["origin"], name_of(node.origin));
    ASSERT_EQ(json.value("field", ""), node.field);
    ASSERT_EQ(json.value("figure", ""), node.figure);
    ASSERT_EQ(json.value("calculator", ""), node.calculator);
    const Json &derivation = derivation_of(root, json);
    ASSERT_FALSE(derivation.contains("same")) << node.name;
    ASSERT_EQ(derivation["formula"], node.formula);
    ASSERT_EQ(derivation["substituted"], node.substituted());
    ASSERT_EQ(derivation["source"], node.source);
    ASSERT_EQ(derivation["inputs"].size(), node.inputs.size());
    for (std::size_t i = 0; i < node.inputs.size(); ++i)
        expect_whole(root, derivation["inputs"][i], node.inputs[i]);
}

std::size_t nodes_of(const Derivation &node) {
    std::size_t nodes = 1;
    for (const Derivation &input : node.inputs)
        nodes += nodes_of(input);
    return nodes;
}

std::size_t nodes_of(const Json &node) {
    std::size_t nodes = 1;
    for (const Json &input : node["inputs"])
        nodes += nodes_of(input);
    return nodes;
}

Derivation tree_of(const char *plan) {
    return explain(evaluate(preset_plan(plan), Depth::numbers));
}

} // namespace

TEST(Derivation, KeepsTheNameOfAProcedureThatAnInputHasToo) {
    const Derivation node{.name = "bubble",
                          .origin = Origin::simulation,
                          .formula = "schedule(schedule, stages)",
                          .inputs =
                              std::vector<Derivation>{{.name = "schedule", .value = 12, .quantity = Quantity::count},
                                                      {.name = "stages", .value = 16, .quantity = Quantity::count}}};
    EXPECT_EQ(node.substituted(), "schedule(12, 16)");
}

TEST(DerivationJson, HasEveryNodeOfTheTree) {
    for (const char *plan : {"deepseek-v3", "ten-to-25", "llama3-405b-16k-long"}) {
        const Derivation tree = tree_of(plan);
        const Json json = to_json(tree);
        expect_whole(json, json, tree);
    }
}

TEST(DerivationJson, GivesEveryFigureWithItsDerivation) {
    const Derivation tree = tree_of("deepseek-v3");
    const Json json = to_json(tree);
    for (const Json &figure : json["inputs"])
        EXPECT_FALSE(figure.contains("same")) << figure["name"];
}

TEST(DerivationJson, GivesNoDerivationTwiceBelowTheFigures) {
    const Derivation tree = tree_of("deepseek-v3");
    const Json json = to_json(tree);
    EXPECT_LT(5 * nodes_of(json), nodes_of(tree));
    EXPECT_EQ(json.dump(), to_json(tree_of("deepseek-v3")).dump()) << "the JSON of the same plan must not change";
}

TEST(DerivationJson, SharesWhatDiffersInItsNameAlone) {
    const auto bytes = [](const char *name, double value) {
        return sum_of({name, "bytes of two", Quantity::bytes}, "definition",
                      {plan_field({"one", "one", Quantity::bytes}, value, "/a"),
                       plan_field({"other", "other", Quantity::bytes}, 2, "/b")});
    };
    const Derivation tree = sum_of({"all", "all"}, "definition",
                                   {sum_of({"first", "first"}, "definition", {bytes("x", 1), bytes("y", 1)}),
                                    sum_of({"second", "second"}, "definition", {bytes("x", 2)})});
    const Json json = to_json(tree);
    expect_whole(json, json, tree);
    EXPECT_EQ(json["inputs"][0]["inputs"][1]["same"], "/inputs/0/inputs/0");
    EXPECT_TRUE(json["inputs"][0]["inputs"][1]["inputs"].empty());
    EXPECT_FALSE(json["inputs"][1]["inputs"][0].contains("same"))
        << "nodes with different values must not share a derivation";
}

} // namespace meshwright
