// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/model_shape.h"

#include "catalog/weights.h"
#include "exchange/hugging_face.h"
#include "launch/hugging_face_writing.h"
#include "launch/option_list.h"
#include "preset_plans.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

using namespace meshwright;

namespace {

Model built(const ModelShape &shape) {
    OptionList options{{}};
    return *model_of(shape, "built", options);
}

ModelShape random_shape() {
    ModelShape shape;
    shape.layers = *rc::gen::inRange<std::int64_t>(1, 12);
    shape.heads = *rc::gen::element<std::int64_t>(4, 8, 12);
    shape.hidden = *shape.heads * *rc::gen::element<std::int64_t>(64, 128);
    shape.kv_heads = *rc::gen::element<std::int64_t>(1, 2, *shape.heads);
    shape.head_dim = *rc::gen::element<std::int64_t>(64, 96);
    shape.feed_forward = *rc::gen::inRange<std::int64_t>(1, 5000);
    shape.vocabulary = *rc::gen::inRange<std::int64_t>(1, 200'000);
    shape.gated = *rc::gen::arbitrary<bool>();
    shape.linear_bias = *rc::gen::arbitrary<bool>();
    shape.qkv_bias = shape.linear_bias || *rc::gen::arbitrary<bool>();
    shape.query_key_norm = *rc::gen::arbitrary<bool>();
    shape.tied_embeddings = *rc::gen::arbitrary<bool>();
    if (*rc::gen::arbitrary<bool>()) {
        shape.experts = *rc::gen::inRange<std::int64_t>(1, 64);
        shape.experts_per_token = *rc::gen::inRange<std::int64_t>(1, *shape.experts + 1);
        shape.expert_hidden = *rc::gen::inRange<std::int64_t>(1, 3000);
        shape.shared_hidden = *rc::gen::element<std::int64_t>(0, 1000);
        shape.correction_bias = *rc::gen::arbitrary<bool>();
        for (std::int64_t i = 0; i < *shape.layers; ++i)
            shape.has_experts.push_back(*rc::gen::arbitrary<bool>());
    }
    if (*rc::gen::arbitrary<bool>()) {
        shape.window = *rc::gen::inRange<std::int64_t>(1, 5000);
        for (std::int64_t i = 0; i < *shape.layers; ++i)
            shape.windowed.push_back(*rc::gen::arbitrary<bool>());
    }
    if (*rc::gen::arbitrary<bool>()) { // except in the first layer: a model without attention does not state its heads
        shape.delta_net.key_heads = *rc::gen::inRange<std::int64_t>(1, 64);
        shape.has_delta_net.push_back(false);
        for (std::int64_t i = 1; i < *shape.layers; ++i)
            shape.has_delta_net.push_back(*rc::gen::arbitrary<bool>());
    }
    return shape;
}

} // namespace

RC_GTEST_PROP(ModelShape, is_found_again_in_the_model_that_is_built_of_it, ()) {
    const Model model = built(random_shape());
    const DescribedModel described = shape_of(model);
    RC_ASSERT(described.missing.empty());
    const Model again = built(described.shape);
    RC_ASSERT(again.blocks == model.blocks);
    RC_ASSERT(again.layers == model.layers);
    RC_ASSERT(parameters_of(again) == parameters_of(model));
}

TEST(ModelShape, describes_a_preset_whole_or_names_what_is_missing) {
    int whole = 0;
    for (const PresetEntry &entry : shipped_presets().entries()) {
        if (entry.kind != PresetKind::model)
            continue;
        const Model &model = *shipped_presets().model(entry.id);
        const DescribedModel described = shape_of(model);
        const double own = parameters_of(model).total;
        const double shaped = parameters_of(built(described.shape)).total;
        if (described.missing.empty()) {
            ++whole;
            EXPECT_EQ(shaped, own) << entry.id;
        }
        EXPECT_GT(shaped, 0) << entry.id;
    }
    EXPECT_GE(whole, 80);
}

TEST(HuggingFaceWriting, is_read_back_as_the_same_model) {
    int written = 0;
    for (const PresetEntry &entry : shipped_presets().entries()) {
        if (entry.kind != PresetKind::model)
            continue;
        const Model &model = *shipped_presets().model(entry.id);
        const DescribedModel described = shape_of(model);
        const auto file = hugging_face_config(described.shape, 4096);
        if (!file || !described.missing.empty())
            continue;
        ++written;
        const Model read = import_hugging_face(nlohmann::ordered_json::parse(file->text()));
        EXPECT_EQ(parameters_of(read), parameters_of(model)) << entry.id;
    }
    EXPECT_GE(written, 30);
}
