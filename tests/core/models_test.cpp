// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/model.h"
#include "catalog/model_scaling.h"
#include "catalog/weights.h"
#include "input/field_reader.h"
#include "input/json_document.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

using namespace meshwright;
using Json = nlohmann::ordered_json;

namespace {

const std::filesystem::path presets = std::filesystem::path(MESHWRIGHT_PRESETS) / "models";

struct Reading {
    Model model;
    std::vector<Diagnostic> problems;
};

Reading read(const Json &json) {
    Reading reading;
    FieldReader reader(json, "", reading.problems);
    read_fields(reader, reading.model);
    reader.finish();
    return reading;
}

Model preset(const std::string &id) {
    Reading reading = read(read_json_file(presets / (id + ".json")));
    EXPECT_TRUE(reading.problems.empty()) << one_line(id, reading.problems);
    return reading.model;
}

std::vector<std::string> preset_ids() {
    std::vector<std::string> ids;
    for (const auto &entry : std::filesystem::directory_iterator(presets))
        if (entry.path().extension() == ".json")
            ids.push_back(entry.path().stem().string());
    std::sort(ids.begin(), ids.end());
    return ids;
}

std::string first_pointer(const Json &json) {
    const Reading reading = read(json);
    return reading.problems.empty() ? "accepted" : reading.problems.front().fields.front();
}

Json small() {
    return Json::parse(R"({"schema": "meshwright.model/1", "hidden": 64, "vocabulary": 100,
        "blocks": [{"name": "dense", "mixer": {"kind": "attention", "heads": 4, "kv_heads": 2, "head_dim": 16},
                    "transform": {"kind": "feed-forward", "hidden": 128}}], "layers": 2})");
}

} // namespace

TEST(ModelPresets, every_preset_reads_without_a_problem_and_is_named_like_its_file) {
    ASSERT_GE(preset_ids().size(), 160u);
    for (const std::string &id : preset_ids()) {
        const Model model = preset(id);
        EXPECT_EQ(model.id, id);
        EXPECT_FALSE(model.name.empty()) << id;
        EXPECT_FALSE(model.family.empty()) << id;
        EXPECT_FALSE(model.sources.empty()) << id;
    }
}

TEST(ModelPresets, counts_equal_the_independent_counts_to_the_parameter) {
    std::ifstream table(std::string(MESHWRIGHT_TEST_DATA) + "/parameter_counts.csv");
    std::string line;
    std::getline(table, line);
    ASSERT_EQ(line, "id,total,active,mtp");
    int rows = 0;
    while (std::getline(table, line)) {
        std::istringstream cells(line);
        std::string id, total, active, mtp;
        std::getline(cells, id, ',');
        std::getline(cells, total, ',');
        std::getline(cells, active, ',');
        std::getline(cells, mtp, ',');
        const Parameters parameters = parameters_of(preset(id));
        EXPECT_EQ(parameters.total, std::stod(total)) << id;
        EXPECT_EQ(parameters.active, std::stod(active)) << id;
        EXPECT_EQ(parameters.mtp, std::stod(mtp)) << id;
        ++rows;
    }
    EXPECT_GE(rows, 140);
}

TEST(ModelPresets, exact_published_totals_without_a_named_difference_are_met_to_the_parameter) {
    int compared = 0;
    for (const std::string &id : preset_ids()) {
        const Model model = preset(id);
        if (!model.published.exact || !model.published.difference.empty())
            continue;
        EXPECT_EQ(parameters_of(model).total, model.published.total) << id;
        ++compared;
    }
    EXPECT_GE(compared, 60);
}

TEST(ModelPresets, deepseek_v3_adds_up_to_the_published_listing_with_its_named_extras) {
    const Model model = preset("deepseek-v3");
    const Parameters parameters = parameters_of(model);
    EXPECT_EQ(parameters.total, 671'026'419'200.0);
    EXPECT_EQ(parameters.mtp, 11'610'068'224.0);
    const double second_embedding_and_head = parameters.embedding;
    const double fp8_block_scales = 41'540'496;
    EXPECT_EQ(parameters.total + parameters.mtp + second_embedding_and_head + fp8_block_scales, model.published.total);
}

TEST(ModelPresets, architectures_without_a_published_count_come_near_the_size_in_their_name) {
    const std::vector<std::pair<std::string, double>> named{
        {"gemma-4-26b-a4b", 26e9},    {"nemotron-h-56b", 56e9},     {"nemotron-3-nano-30b-a3b", 30e9},
        {"qwen3.5-27b", 27e9},        {"qwen3.5-122b-a10b", 122e9}, {"nemotron-3-ultra-550b-a55b", 550e9},
        {"qwen3.5-397b-a17b", 397e9}, {"qwen3.5-35b-a3b", 35e9},    {"llama-3.3-nemotron-super-49b", 49e9}};
    for (const auto &[id, size] : named)
        EXPECT_NEAR(parameters_of(preset(id)).total / size, 1, 0.06) << id;
}

TEST(Parameters, the_kinds_add_up_to_the_total) {
    for (const std::string &id : preset_ids()) {
        const Parameters p = parameters_of(preset(id));
        EXPECT_EQ(p.embedding + p.mixer + p.feed_forward + p.routed_experts + p.shared_experts + p.routers + p.norms
                      + p.positions + p.other,
                  p.total)
            << id;
        EXPECT_LE(p.active, p.total) << id;
        EXPECT_GT(p.active, 0) << id;
    }
}

TEST(Parameters, a_layer_of_llama_3_1_8b_has_the_weights_of_its_definition) {
    const Model model = preset("llama-3.1-8b");
    const std::vector<Weight> weights = weights_of(model, model.blocks.front());
    std::vector<std::string> names;
    names.reserve(weights.size());
    for (const Weight &weight : weights)
        names.emplace_back(weight.name);
    EXPECT_EQ(names,
              (std::vector<std::string>{"norm.input", "attention.query_key_value", "attention.output",
                                        "norm.transform_input", "feed_forward.gate_up", "feed_forward.down"}));
    EXPECT_EQ(weights[1].outputs, 4096 + 2 * 1024);
    EXPECT_EQ(weights[1].groups, 8);
    EXPECT_EQ(weights[1].grouped_outputs, 2 * 1024);
    EXPECT_EQ(weights[4].parameters, 2 * 4096 * 14336);
}

TEST(Parameters, experts_are_copies_of_one_weight_and_count_as_used_only_as_often_as_a_token_uses_them) {
    const Model model = preset("mixtral-8x7b");
    const Parameters p = parameters_of(model);
    EXPECT_EQ(p.total - p.active, p.routed_experts * 6 / 8);
}

TEST(ModelFiles, a_model_written_and_read_again_is_the_same) {
    for (const std::string &id : preset_ids()) {
        const Model model = preset(id);
        const Reading again = read(to_json(model));
        EXPECT_TRUE(again.problems.empty()) << one_line(id, again.problems);
        EXPECT_EQ(again.model, model) << id;
    }
}

TEST(ModelFiles, any_model_within_the_limits_survives_writing_and_reading) {
    rc::check([] {
        Model model;
        model.id = *rc::gen::element<std::string>("", "a", "some-model");
        model.hidden = *rc::gen::inRange(1, 100'000);
        model.vocabulary = *rc::gen::inRange(1, 300'000);
        model.tied_embeddings = *rc::gen::arbitrary<bool>();
        model.norm = static_cast<NormKind>(*rc::gen::inRange(0, 3));
        const auto kv_heads = *rc::gen::inRange<std::int64_t>(1, 64);
        Attention attention;
        attention.kv_heads = kv_heads;
        attention.heads = kv_heads * *rc::gen::inRange(1, 16);
        attention.head_dim = *rc::gen::inRange(1, 512);
        attention.query_key_norm = static_cast<QueryKeyNorm>(*rc::gen::inRange(0, 4));
        attention.window = *rc::gen::inRange(0, 10'000);
        Experts experts;
        experts.experts = *rc::gen::inRange(1, 1000);
        experts.experts_per_token = *rc::gen::inRange<std::int64_t>(1, experts.experts + 1);
        experts.hidden = *rc::gen::inRange(1, 10'000);
        experts.shared_gate = *rc::gen::arbitrary<bool>();
        model.blocks = {{.name = "a", .mixer = attention, .transform = FeedForward{.hidden = 7}},
                        {.name = "b", .mixer = Nothing{}, .transform = experts, .norms = 1}};
        model.layers = {{.block = 1, .count = *rc::gen::inRange(1, 100)}, {.block = 0, .count = 2}};
        model.mtp_layers = *rc::gen::inRange(0, 3);
        model.published.total = *rc::gen::inRange(0, 1'000'000) * 1e6;
        const Reading again = read(to_json(model));
        RC_ASSERT(again.problems.empty());
        RC_ASSERT(again.model == model);
    });
}

TEST(ModelFiles, what_is_left_out_or_wrong_is_reported_where_it_stands) {
    EXPECT_EQ(first_pointer(small()), "accepted");
    const std::vector<std::pair<const char *, const char *>> cases{
        {R"({"hidden": null})", "/hidden"},
        {R"({"hidden": 1e7})", "/hidden"},
        {R"({"hidden": -64})", "/hidden"},
        {R"({"hidden": "64"})", "/hidden"},
        {R"({"schema": "meshwright.model/2"})", "/schema"},
        {R"({"layers": 0})", "/layers"},
        {R"({"layers": 10001})", "/layers"},
        {R"({"layers": []})", "/layers"},
        {R"({"layers": [{"block": 1, "count": 1}]})", "/layers/0/block"},
        {R"({"layers": [{"block": 0, "count": 6000}, {"block": 0, "count": 6000}]})", "/layers"},
        {R"({"blocks": []})", "/blocks"},
        {R"({"blocks": [{"mixer": {"kind": "atention"}, "transform": {"kind": "none"}}]})", "/blocks/0/mixer/kind"},
        {R"({"blocks": [{"mixer": {"kind": "none"}, "transform": {"kind": "experts", "experts": 2,
             "experts_per_token": 3, "hidden": 8}}]})",
         "/blocks/0/transform/experts_per_token"},
        {R"({"blocks": [{"mixer": {"kind": "attention", "heads": 6, "kv_heads": 4, "head_dim": 8},
             "transform": {"kind": "none"}}]})",
         "/blocks/0/mixer/heads"},
        {R"({"blocks": [{"mixer": {"kind": "attention", "heads": 6, "kv_heads": 0, "head_dim": 8},
             "transform": {"kind": "none"}}]})",
         "/blocks/0/mixer/kv_heads"},
        {R"({"mtp_layers": 1, "mtp_block": 1})", "/mtp_block"},
        {R"({"sources": {"a": 1}})", "/sources"},
        {R"({"hiden": 3})", "/hiden"},
    };
    for (const auto &[patch, pointer] : cases) {
        Json json = small();
        json.merge_patch(Json::parse(patch));
        EXPECT_EQ(first_pointer(json), pointer) << patch;
    }
}

TEST(ModelFiles, layers_are_found_by_their_index) {
    const Model model = preset("deepseek-v3");
    EXPECT_EQ(model.layer_count(), 61);
    EXPECT_EQ(model.block_of(2).name, "dense");
    EXPECT_EQ(model.block_of(3).name, "experts");
    EXPECT_THROW(model.block_of(61), std::out_of_range);
    EXPECT_THROW(model.block_of(-1), std::out_of_range);
}

TEST(Scaling, a_scaled_model_has_about_the_size_asked_for_and_the_same_heads) {
    for (const char *id : {"llama-3.1-8b", "dense-144b", "gpt3-175b", "deepseek-v3", "qwen3-next-80b-a3b"})
        for (const double factor : {0.25, 0.5, 2.0, 4.0}) {
            const Model model = preset(id);
            const double asked = factor * parameters_of(model).total;
            const Model scaled = scaled_to(model, asked);
            EXPECT_NEAR(parameters_of(scaled).total / asked, 1, 0.04) << id << " x " << factor;
            EXPECT_EQ(scaled.hidden % 128, 0);
            EXPECT_TRUE(read(to_json(scaled)).problems.empty()) << id << " x " << factor;
            EXPECT_EQ(scaled.blocks.size(), model.blocks.size());
        }
}

TEST(Scaling, leading_dense_layers_stay_and_a_pattern_repeats) {
    const Model deepseek = scaled_to(preset("deepseek-v3"), 200e9);
    EXPECT_EQ(deepseek.layers.front(), (LayerRun{.block = 0, .count = 3}));
    EXPECT_EQ(deepseek.layers.size(), 2u);
    const Model hybrid = scaled_to(preset("qwen3-next-80b-a3b"), 40e9);
    EXPECT_EQ(hybrid.layers[0].count, 3);
    EXPECT_EQ(hybrid.layers[1].count, 1);
}
