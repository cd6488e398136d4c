// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/field_text.h"

#include "compare/plan_comparison.h"
#include "preset_plans.h"
#include "quantities/text.h"
#include "random_plans.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <stop_token>

using namespace meshwright;
using Json = nlohmann::ordered_json;
using Texts = std::vector<std::string>;

TEST(FieldTexts, have_the_unit_that_the_name_of_the_field_says) {
    EXPECT_EQ(field_texts("/cluster/tiers/0/bandwidth_bytes_per_second", {200e9, 50e9}),
              (Texts{"200 GB/s", "50 GB/s"}));
    EXPECT_EQ(field_texts("/cluster/wan/uplink_bits_per_second", {1e8, nullptr}), (Texts{"100 Mb/s", "-"}));
    EXPECT_EQ(field_texts("/cluster/accelerator/peak_flops_per_second/bf16", {989e12, 312e12}),
              (Texts{"989 TFLOP/s", "312 TFLOP/s"}));
    EXPECT_EQ(field_texts("/cluster/tiers/0/latency_seconds", {5e-6, 3e-6}), (Texts{"5.00 µs", "3.00 µs"}));
    EXPECT_EQ(field_texts("/stack/graph_share", {0.5, 0}),
              (Texts{text_of(0.5, Quantity::share), text_of(0, Quantity::share)}));
}

TEST(FieldTexts, of_whole_numbers_and_ratios_have_all_digits) {
    EXPECT_EQ(field_texts("/model/vocabulary", {128256, 32000}), (Texts{"128,256", "32,000"}));
    EXPECT_EQ(field_texts("/outer/up/density", {0.25, 1}), (Texts{"0.25", "1"}));
}

TEST(FieldTexts, of_different_values_differ) {
    EXPECT_EQ(field_texts("/cluster/accelerator/memory_bytes", {85520809984.0, 85520809985.0}),
              (Texts{"85.520809984 GB", "85.520809985 GB"}));
    EXPECT_EQ(field_texts("/outer/up", {{{"name", "a"}, {"bits", 4}}, {{"name", "a"}, {"bits", 8}}}),
              (Texts{"name: a, bits: 4", "name: a, bits: 8"}));
}

TEST(FieldTexts, of_short_lists_are_complete) {
    EXPECT_EQ(field_texts("/parallelism/layout", {{8, 8, 8, 7}, {16, 15}}), (Texts{"3 × 8, 7", "16, 15"}));
    EXPECT_EQ(field_texts("/recompute/modules", {{"core_attn", "moe"}, Json::array()}),
              (Texts{"core_attn, moe", "none"}));
}

TEST(FieldTexts, that_are_long_are_cut_where_they_begin_to_differ) {
    std::vector<int> layers;
    for (int stage = 0; stage < 64; ++stage)
        layers.push_back(stage % 9);
    const Json one = layers;
    layers[40] = 77;
    const Json other = layers;
    EXPECT_EQ(field_texts("/parallelism/layout", {one, nullptr}), (Texts{"64 values: 0, 1, 2, 3, 4, 5, 6, 7, …", "-"}));
    EXPECT_EQ(field_texts("/parallelism/layout", {one, other}),
              (Texts{"64 values: …, 4, 5, 6, 7, 8, 0, 1, …", "64 values: …, 77, 5, 6, 7, 8, 0, 1, …"}));
    layers[50] = 88;
    EXPECT_EQ(field_texts("/parallelism/layout", {one, other, layers}),
              (Texts{"64 values: …, 4, 5, 6, 7, 8, 0, 1, …", "64 values: …, 5, 6, 7, 8, 0, 1, 2, …",
                     "64 values: …, 88, 6, 7, 8, 0, 1, 2, …"}));
}

TEST(FieldTexts, without_separators_are_cut_within) {
    const std::string name = "resources/links/measured between the coasts/";
    EXPECT_EQ(field_texts("/stack/file", {name + "east.csv", name + "west.csv"}), (Texts{"…east.csv", "…west.csv"}));
    EXPECT_EQ(field_texts("/stack/file", {name, name + "east.csv"}), (Texts{"…/", "…east.csv"}));
    EXPECT_EQ(field_texts("/stack/file", {name, nullptr}), (Texts{name.substr(0, 37) + "…", "-"}));
    const std::string umlauts = "ääääääääääääääääääääääääääääääääääääääää";
    EXPECT_EQ(field_texts("/stack/file", {umlauts + "ö", nullptr}), (Texts{umlauts.substr(0, 74) + "…", "-"}));
}

TEST(ComparedFields, have_cells_of_limited_width) {
    std::vector<NamedPlan> plans;
    for (const std::string &id : evaluable_plans())
        plans.push_back({.name = id, .plan = preset_plan(id.c_str())});
    std::stop_source stopped; // causes are not needed here
    stopped.request_stop();
    const PlanComparison comparison = compare_plans(plans, shipped_presets(), stopped.get_token());
    ASSERT_GT(comparison.fields.size(), 20);
    for (const ComparedField &field : comparison.fields)
        for (const std::string &text : field.texts)
            EXPECT_LE(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }), 40)
                << field.pointer << ": " << text;
}

TEST(ComparedFields, of_an_object_that_one_plan_leaves_out_are_its_leaves) {
    const PlanComparison comparison =
        compare_plans({{"A", preset_plan("ten-to-25")}, {"B", preset_plan("pretrain-8b")}}, shipped_presets());
    const auto text_of_first = [&](const char *pointer) {
        for (const ComparedField &field : comparison.fields)
            if (field.pointer == pointer)
                return field.texts.front();
        return std::string();
    };
    EXPECT_EQ(text_of_first("/cluster/wan"), "");
    EXPECT_EQ(text_of_first("/cluster/wan/uplink_bits_per_second"), "100 Mb/s");
    EXPECT_EQ(text_of_first("/outer/up/density"), "0.25");
}

TEST(ComparedFields, name_the_elements_of_a_list_that_differ) {
    const Plan plan = preset_plan("pretrain-8b");
    Plan other = plan;
    ASSERT_FALSE(other.cluster.tiers.empty());
    other.cluster.tiers.back().latency_seconds *= 2;
    other.cluster.tiers.push_back(other.cluster.tiers.back());
    other.cluster.tiers.back().accelerators *= 2;
    other.parallelism.data *= 2;
    other.batch.global_sequences *= 2;
    const std::size_t tiers = plan.cluster.tiers.size();
    const PlanComparison comparison = compare_plans({{"A", plan}, {"B", other}}, shipped_presets());
    const auto has = [&](const std::string &pointer, const Json &first) {
        return std::any_of(comparison.fields.begin(), comparison.fields.end(), [&](const ComparedField &field) {
            return field.pointer == pointer && field.values.front() == first;
        });
    };
    EXPECT_TRUE(has("/cluster/tiers/" + std::to_string(tiers - 1) + "/latency_seconds",
                    plan.cluster.tiers.back().latency_seconds));
    EXPECT_TRUE(has("/cluster/tiers/" + std::to_string(tiers) + "/accelerators", nullptr));
}
