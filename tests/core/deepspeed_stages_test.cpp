// SPDX-License-Identifier: GPL-3.0-or-later
// The stages of Megatron-DeepSpeed's pipelines: by DeepSpeed's rule, into a plan and out of it.
#include "evaluate/evaluate.h"
#include "imported_plan.h"
#include "launch/deepspeed_stages.h"
#include "launch/exporters.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

using namespace meshwright;
using namespace meshwright::testing_launch;

namespace {

using Layers = std::vector<std::int64_t>;

Imported script(int layers, int stages, const std::string &more = "") {
    return import_text(
        "run.sh",
        "torchrun --nproc_per_node 8 --nnodes 9 pretrain_gpt.py --hidden-size 1024 --ffn-hidden-size 4096 "
        "--num-attention-heads 16 --kv-channels 64 --seq-length 1024 --max-position-embeddings 1024 "
        "--vocab-size 32000 --micro-batch-size 1 --global-batch-size 576 --train-iters 100 --bf16 "
        "--deepspeed --deepspeed_config ds.json --zero-stage 1 --num-layers "
            + std::to_string(layers) + " --pipeline-model-parallel-size " + std::to_string(stages) + " " + more + "\n");
}
const std::string with_embeddings = "--pp-partition-method 'type:transformer|embedding'";

Layers one_layer_each(int layers, int before, int after) {
    Layers each(static_cast<std::size_t>(before), 0);
    each.insert(each.end(), static_cast<std::size_t>(layers), 1);
    each.insert(each.end(), static_cast<std::size_t>(after), 0);
    return each;
}

LaunchExport exported(const Imported &imported) {
    return export_target("deepspeed")
        ->write(evaluate(read_plan(imported.document, library()).plan, Depth::closed_forms), library());
}

} // namespace

// The numbers are those that partition_balanced() of DeepSpeed returns for the weights of these modules.
TEST(DeepSpeedStages, are_those_that_deepspeed_calculates) {
    const auto by_layers = [](std::int64_t layers, std::int64_t stages) {
        return deepspeed_stages(layers, stages, CountedModules::layers).layers;
    };
    EXPECT_EQ(by_layers(32, 4), Layers({8, 8, 8, 8}));
    EXPECT_EQ(by_layers(10, 4), Layers({3, 3, 2, 2}));
    EXPECT_EQ(by_layers(13, 4), Layers({4, 3, 3, 3}));
    EXPECT_EQ(by_layers(10, 8), Layers({2, 2, 1, 1, 1, 1, 1, 1}));
    const auto by_all = [](std::int64_t layers, std::int64_t stages) {
        return deepspeed_stages(layers, stages, CountedModules::layers_and_embeddings).layers;
    };
    EXPECT_EQ(by_all(70, 12), Layers({5, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 5}));
    EXPECT_EQ(by_all(24, 4), Layers({6, 7, 6, 5}));
    EXPECT_EQ(by_all(23, 4), Layers({6, 6, 6, 5}));
    EXPECT_EQ(by_all(32, 8), Layers({4, 5, 4, 4, 4, 4, 4, 3}));
    EXPECT_EQ(by_all(70, 72), one_layer_each(70, 1, 1));
}

TEST(DeepSpeedStages, have_all_layers_and_weights_where_there_are_enough) {
    for (const CountedModules counted : {CountedModules::layers, CountedModules::layers_and_embeddings})
        for (std::int64_t layers = 1; layers <= 24; ++layers)
            for (std::int64_t stages = 1; stages <= layers + 4; ++stages) {
                const DeepSpeedStages divided = deepspeed_stages(layers, stages, counted);
                EXPECT_EQ(divided.layers.size(), static_cast<std::size_t>(stages));
                EXPECT_EQ(std::accumulate(divided.layers.begin(), divided.layers.end(), std::int64_t{0}), layers);
                const std::int64_t most = counted == CountedModules::layers ? layers : layers + 2;
                EXPECT_EQ(divided.has_empty_stage, stages > most) << layers << " layers, " << stages << " stages";
            }
    EXPECT_TRUE(deepspeed_stages(100'000, 8, CountedModules::layers).layers.empty());
}

TEST(DeepSpeedStages, of_a_script_may_hold_an_embedding_alone) {
    const Imported bloom = script(70, 72, with_embeddings);
    EXPECT_EQ(faults_of(bloom), "");
    EXPECT_EQ(at(bloom, "/parallelism/layout"), Json(one_layer_each(70, 1, 1)));
    EXPECT_TRUE(is_accepted(bloom));
    EXPECT_EQ(at(script(24, 4, with_embeddings), "/parallelism/layout"), Json({6, 7, 6, 5}));
    EXPECT_EQ(at(script(32, 4), "/parallelism/layout"), Json());
    const Imported other = script(32, 4, "--pp-partition-method parameters");
    EXPECT_TRUE(assumes(other, "/parallelism/layout"));
    EXPECT_EQ(faults_of(other), "");
}

TEST(DeepSpeedStages, without_weights_are_a_fault) {
    const Imported imported = script(70, 72);
    EXPECT_EQ(fault_of(imported, "--pipeline-model-parallel-size"),
              "72 stages for 70 layers leave a stage without weights");
    EXPECT_EQ(imported.faults.size(), 1u);
    EXPECT_TRUE(is_accepted(imported));
}

TEST(DeepSpeedStages, leave_as_the_program_divides_them) {
    const Imported uneven = script(10, 4);
    EXPECT_EQ(at(uneven, "/parallelism/layout"), Json({3, 3, 2, 2}));
    const LaunchExport written = exported(uneven);
    EXPECT_TRUE(written.lost.empty()) << written.lost.front().sentence;
    std::vector<LaunchFile> files;
    for (const char *const name : {"train.sh", "ds_config.json"})
        for (const ExportFile &file : written.files)
            if (file.name == name)
                files.push_back({.name = file.name, .text = file.text()});
    EXPECT_EQ(at(import_texts(files), "/parallelism/layout"), Json({3, 3, 2, 2}));
    try {
        exported(script(70, 72, with_embeddings));
        FAIL();
    } catch (const InputError &error) {
        EXPECT_EQ(error.diagnostics().front().fields.front(), "/parallelism/pipeline");
    }
}
