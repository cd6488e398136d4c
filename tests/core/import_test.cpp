// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/library.h"
#include "catalog/weights.h"
#include "exchange/hugging_face.h"
#include "input/diagnostic.h"
#include "input/field_reader.h"
#include "input/json_document.h"
#include "launch/importers.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

using namespace meshwright;
using Json = nlohmann::ordered_json;

namespace {

const std::filesystem::path configs = std::filesystem::path(MESHWRIGHT_TEST_DATA) / "configs";

std::vector<std::string> config_ids() {
    std::vector<std::string> ids;
    for (const auto &entry : std::filesystem::directory_iterator(configs))
        ids.push_back(entry.path().stem().string());
    std::sort(ids.begin(), ids.end());
    return ids;
}

Json config(const std::string &id) {
    return read_json_file(configs / (id + ".json"));
}

Model preset(const std::string &id) {
    const Json json = read_json_file(std::filesystem::path(MESHWRIGHT_PRESETS) / "models" / (id + ".json"));
    std::vector<Diagnostic> problems;
    FieldReader reader(json, "", problems);
    Model model;
    read_fields(reader, model);
    EXPECT_TRUE(problems.empty()) << one_line(id, problems);
    return model;
}

/// Pointer that the error names; "imported" if there is no error.
std::string pointer_of(const Json &json) {
    try {
        import_hugging_face(json);
        return "imported";
    } catch (const InputError &error) {
        return error.diagnostics().front().fields.front();
    }
}

/// Pointers to all values of a document.
std::vector<Json::json_pointer> places_in(const Json &json) {
    std::vector<Json::json_pointer> places;
    const Json flat = json.flatten();
    for (const auto &item : flat.items())
        places.emplace_back(item.key());
    return places;
}

} // namespace

TEST(HuggingFaceImport, every_family_gives_the_preset_of_its_model) {
    ASSERT_GE(config_ids().size(), 55u);
    for (const std::string &id : config_ids()) {
        const Model imported = import_hugging_face(config(id), id);
        const Model expected = preset(id);
        EXPECT_EQ(imported.blocks, expected.blocks) << id;
        EXPECT_EQ(imported.layers, expected.layers) << id;
        EXPECT_EQ(parameters_of(imported), parameters_of(expected)) << id;
    }
}

TEST(HuggingFaceImport, every_value_of_the_file_is_understood_or_ignored) {
    for (const std::string &id : config_ids()) {
        const Json file = config(id);
        const Imported imported = import_files({{id + ".json", file.dump()}}, "hf", Library::standard());
        std::multiset<std::string> listed;
        for (const UnderstoodOption &each : imported.understood) {
            EXPECT_TRUE(imported.document.contains(Json::json_pointer(each.field)) || each.field == "/mtp_layers"
                        || each.field == "/tied_embeddings" || each.field == "/longest_sequence")
                << id << " " << each.option << " " << each.field;
            listed.insert(each.option);
        }
        for (const IgnoredOption &each : imported.ignored) {
            EXPECT_NE(each.why, "") << id << " " << each.option;
            listed.insert(each.option);
        }
        EXPECT_EQ(listed.size(), std::set<std::string>(listed.begin(), listed.end()).size()) << id;
        for (const auto &item : file.items())
            EXPECT_TRUE(listed.contains(item.key()) || (item.value().is_object() && !item.value().empty()))
                << id << " " << item.key();
        EXPECT_GE(imported.understood.size(), 5) << id;
    }
}

TEST(HuggingFaceImport, families_with_the_same_layers_give_the_same_model) {
    Json json = config("qwen2.5-7b");
    const Model expected = import_hugging_face(json);
    for (const char *type : {"qwen2_vl", "qwen2_5_vl", "qwen2_vl_text"}) { // older files have no nested sections
        json["model_type"] = type;
        EXPECT_EQ(import_hugging_face(json).blocks, expected.blocks) << type;
        EXPECT_EQ(parameters_of(import_hugging_face(json)), parameters_of(expected)) << type;
    }
    const Json wrapped{{"model_type", "qwen2_5_vl"}, {"text_config", config("qwen2.5-7b")}};
    EXPECT_EQ(import_hugging_face(wrapped).blocks, expected.blocks);
    const Json smol = Json::parse(R"({"model_type": "smollm3", "hidden_size": 2048, "intermediate_size": 11008,
        "num_hidden_layers": 36, "num_attention_heads": 16, "num_key_value_heads": 4, "vocab_size": 128256,
        "attention_bias": false, "max_position_embeddings": 65536, "hidden_act": "silu", "rms_norm_eps": 1e-6})");
    EXPECT_EQ(parameters_of(import_hugging_face(smol)).total, 3'075'098'624.0); // the publisher states 3.08 billion
}

TEST(HuggingFaceImport, an_unknown_architecture_is_named_with_the_known_ones) {
    Json json = config("qwen3-8b");
    json["model_type"] = "qwen9";
    try {
        import_hugging_face(json);
        FAIL() << "imported";
    } catch (const InputError &error) {
        const Diagnostic &problem = error.diagnostics().front();
        EXPECT_EQ(problem.fields.front(), "/model_type");
        EXPECT_NE(problem.message.text.find("qwen9"), std::string::npos);
        for (const std::string &type : importable_model_types())
            EXPECT_NE(problem.expected.text.find(type), std::string::npos) << type;
    }
}

TEST(HuggingFaceImport, a_field_that_is_missing_or_wrong_is_pointed_at) {
    const std::vector<std::tuple<const char *, const char *, const char *>> cases{
        {"qwen3-8b", R"({"model_type": null})", "/model_type"},
        {"qwen3-8b", R"({"hidden_size": null})", "/hidden_size"},
        {"qwen3-8b", R"({"hidden_size": "4096"})", "/hidden_size"},
        {"qwen3-8b", R"({"hidden_size": -1})", "/hidden_size"},
        {"qwen3-8b", R"({"num_hidden_layers": 1e30})", "/num_hidden_layers"},
        {"qwen3-8b", R"({"num_key_value_heads": 5})", "/num_key_value_heads"},
        {"qwen3-8b", R"({"tie_word_embeddings": 1})", "/tie_word_embeddings"},
        {"mixtral-8x7b", R"({"num_experts_per_tok": 9})", "/num_experts_per_tok"},
        {"mixtral-8x7b", R"({"num_local_experts": 2.5})", "/num_local_experts"},
        {"deepseek-v3", R"({"kv_lora_rank": null})", "/kv_lora_rank"},
        {"qwen3.5-27b", R"({"text_config": null})", "/text_config"},
        {"qwen3.5-27b", R"({"text_config": {"hidden_size": []}})", "/text_config/hidden_size"},
        {"qwen3.5-27b", R"({"text_config": {"layer_types": ["full_attention"]}})", "/text_config/layer_types"},
        {"dbrx", R"({"attn_config": 3})", "/attn_config"},
        {"nemotron-3-nano-30b-a3b", R"({"hybrid_override_pattern": "MX"})", "/hybrid_override_pattern"},
        {"minimax-text-01", R"({"attn_type_list": [2]})", "/attn_type_list/0"},
    };
    for (const auto &[id, patch, pointer] : cases) {
        Json json = config(id);
        json.merge_patch(Json::parse(patch));
        EXPECT_EQ(pointer_of(json), pointer) << id << " " << patch;
    }
    EXPECT_EQ(pointer_of(Json::array()), "");
    EXPECT_EQ(pointer_of(Json::object()), "/model_type");
}

TEST(HuggingFaceImport, whatever_a_file_says_the_answer_is_a_usable_model_or_an_error_with_a_place) {
    const std::vector<Json> poisons{nullptr, -1, 0, 1, 3, 0.5, 1e18, 1e300, true, "x", Json::array(), Json::object()};
    for (const std::string &id : config_ids()) {
        const Json original = config(id);
        for (const Json::json_pointer &place : places_in(original)) {
            if (place.to_string().find("/block_configs/") == 0 && place.to_string().find("/block_configs/0/") != 0)
                continue; // eighty blocks have the same fields
            for (const Json &poison : poisons) {
                Json json = original;
                json[place] = poison;
                try {
                    const Parameters parameters = parameters_of(import_hugging_face(json));
                    ASSERT_GT(parameters.total, 0) << id << place.to_string() << poison;
                    ASSERT_GE(parameters.total, parameters.active) << id << place.to_string() << poison;
                } catch (const InputError &error) {
                    ASSERT_FALSE(error.diagnostics().front().fields.front().empty())
                        << id << place.to_string() << poison;
                }
            }
        }
    }
}

TEST(HuggingFaceImport, several_wrong_fields_at_once_do_no_harm_either) {
    const std::vector<std::string> ids = config_ids();
    rc::check([&] {
        Json json = config(*rc::gen::elementOf(ids));
        const std::vector<Json::json_pointer> places = places_in(json);
        const int changes = *rc::gen::inRange(1, 8);
        for (int i = 0; i < changes; ++i)
            json[places[*rc::gen::inRange<std::size_t>(0, places.size())]] = *rc::gen::inRange(-2, 5000);
        const std::string pointer = pointer_of(json);
        RC_ASSERT(!pointer.empty());
    });
}

TEST(HuggingFaceImport, what_is_left_out_of_a_multimodal_file_is_its_defaults) {
    // Gemma 3 27B's file omits the vocabulary; its configuration class has 262,208 rows.
    EXPECT_EQ(import_hugging_face(config("gemma-3-27b")).vocabulary, 262'208);
}

TEST(HuggingFaceImport, towers_and_unverified_parts_are_said_in_the_notes) {
    EXPECT_NE(import_hugging_face(config("qwen3-vl-2b")).notes.find("towers"), std::string::npos);
    EXPECT_NE(import_hugging_face(config("kimi-k3")).notes.find("not been compared"), std::string::npos);
    EXPECT_NE(import_hugging_face(config("minimax-m2.7")).notes.find("multi-token-prediction"), std::string::npos);
}

TEST(SizeInTheName, a_name_more_than_ten_percent_off_is_warned_of) {
    const Model model = import_hugging_face(config("qwen3-8b"));
    EXPECT_TRUE(size_warning(model, "Qwen3-8B").empty());
    EXPECT_TRUE(size_warning(model, "Qwen3-8b-instruct").empty());
    EXPECT_TRUE(size_warning(model, "no size").empty());
    EXPECT_TRUE(size_warning(model, "Mixtral-8x7B").empty());
    EXPECT_TRUE(size_warning(model, "").empty());
    EXPECT_NE(size_warning(model, "Qwen3-14B").find("14B"), std::string::npos);
    EXPECT_NE(size_warning(model, "model 800M").find("8.19B"), std::string::npos);
    EXPECT_NE(import_hugging_face(config("qwen3-8b"), "Qwen3-32B").notes.find("32B"), std::string::npos);
}

TEST(SizeInTheName, active_sizes_and_sizes_without_the_embedding_count_as_agreement) {
    const Model maverick = import_hugging_face(config("llama-4-maverick"));
    EXPECT_TRUE(size_warning(maverick, "Llama-4-Maverick-17B-128E").empty());
}
