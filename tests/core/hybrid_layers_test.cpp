// SPDX-License-Identifier: GPL-3.0-or-later
// Models whose layers Megatron lists in a pattern: into a plan and out of it.
#include "evaluate/evaluate.h"
#include "imported_plan.h"
#include "launch/exporters.h"
#include "launch/hybrid_model.h"
#include "launch/option_list.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace meshwright;
using namespace meshwright::testing_launch;

namespace {

Imported hybrid(const std::string &pattern, const std::string &more = "") {
    return import_text("run.sh",
                       "torchrun --nproc_per_node 8 --nnodes 1 pretrain_hybrid.py --hidden-size 1024 "
                       "--num-attention-heads 16 --kv-channels 64 --ffn-hidden-size 2048 --seq-length 1024 "
                       "--max-position-embeddings 1024 --vocab-size 32000 --micro-batch-size 1 --global-batch-size 64 "
                       "--train-iters 100 --bf16 --hybrid-layer-pattern '"
                           + pattern + "' " + more + "\n");
}

LaunchExport exported(const Imported &imported, const char *target) {
    return export_target(target)->write(evaluate(read_plan(imported.document, library()).plan, Depth::closed_forms),
                                        library());
}

std::string file_of(const LaunchExport &written, const std::string &name) {
    for (const ExportFile &file : written.files)
        if (file.name == name)
            return file.text();
    return {};
}

Imported back(const LaunchExport &written, const std::string &name) {
    return import_texts({{.name = name, .text = file_of(written, name)}});
}

/// The parts of a plan that Megatron's layer pattern and the model's sizes determine.
Json said_by_pattern(const Imported &imported) {
    Json said{{"hidden", at(imported, "/model/hidden")},          {"blocks", at(imported, "/model/blocks")},
              {"layers", at(imported, "/model/layers")},          {"mtp_layers", at(imported, "/model/mtp_layers")},
              {"mtp_block", at(imported, "/model/mtp_block")},    {"pipeline", at(imported, "/parallelism/pipeline")},
              {"chunks", at(imported, "/parallelism/chunks")},    {"layout", at(imported, "/parallelism/layout")},
              {"schedule", at(imported, "/parallelism/schedule")}};
    return said;
}

const std::string experts = " --num-experts 8 --moe-ffn-hidden-size 512 --disable-bias-linear";

} // namespace

TEST(HybridLayers, come_back_from_megatron_as_they_went_there) {
    const std::pair<std::string, std::string> files[]{
        {"M-M-M*-M-M-", ""},
        {"M-M*-M-M-M", "--mamba-state-dim 64 --mamba-head-dim 32 --mamba-num-groups 4 --mamba-num-heads 48"},
        {"M-M-M*-|M-M", "--pipeline-model-parallel-size 2"},
        {"M-M-|M*-M|-M-M|M*-M", "--pipeline-model-parallel-size 2"},
        {"M-||M*-M-M|-", "--pipeline-model-parallel-size 4"},
        {"M-M*-M-M", "--pipeline-model-parallel-size 4"},
        {"MMMM", ""},
        {"**--", "--group-query-attention --num-query-groups 4 --swiglu"},
        {"MEM*EME", experts},
        {"MEM*EME/*E/*E", experts + " --position-embedding-type rope"},
        {"M-M*-/-", "--position-embedding-type none"},
        {"ME*E", experts + " --moe-latent-size 256 --moe-shared-expert-intermediate-size 1024"},
        {"G-G-+-", "--linear-num-key-heads 8 --kv-lora-rank 256 --disable-bias-linear"},
        {"M-M*-", "--window-size 512,0"}};
    for (const auto &[pattern, more] : files) {
        SCOPED_TRACE(pattern);
        const Imported imported = hybrid(pattern, more);
        EXPECT_EQ(faults_of(imported), "");
        const LaunchExport written = exported(imported, "megatron");
        EXPECT_TRUE(written.lost.empty()) << written.lost.front().sentence;
        EXPECT_NE(file_of(written, "train.sh").find("pretrain_hybrid.py"), std::string::npos);
        const Imported again = back(written, "train.sh");
        EXPECT_EQ(faults_of(again), "");
        EXPECT_EQ(said_by_pattern(again), said_by_pattern(imported));
    }
}

TEST(HybridLayers, leave_for_megatron_bridge_without_virtual_stages) {
    const LaunchExport written = exported(hybrid("M-M*-|M-M*-", "--pipeline-model-parallel-size 2"), "megatron-bridge");
    EXPECT_EQ(written.lost.size(), 1U) << "only the change of software";
    EXPECT_NE(file_of(written, "train.py").find("HybridModelProvider"), std::string::npos);
    EXPECT_EQ(said_by_pattern(back(written, "overrides.yaml")),
              said_by_pattern(hybrid("M-M*-|M-M*-", "--pipeline-model-parallel-size 2")));
    const LaunchExport flat = exported(hybrid("M-|M*|-M|*-", "--pipeline-model-parallel-size 2"), "megatron-bridge");
    EXPECT_TRUE(std::any_of(flat.lost.begin(), flat.lost.end(), [](const Loss &loss) {
        return loss.sentence.find("virtual stages") != std::string::npos;
    }));
    const Imported again = back(flat, "overrides.yaml");
    EXPECT_EQ(faults_of(again), "");
    EXPECT_EQ(at(again, "/parallelism/chunks"), 1);
    EXPECT_EQ(at(again, "/model/layers"), at(hybrid("M-M*-M*-"), "/model/layers"));
}

TEST(HybridLayers, of_presets_are_described_whole) {
    for (const char *const id : {"nemotron-h-56b", "nemotron-3-nano-30b-a3b", "nemotron-3-ultra-550b-a55b"}) {
        const Model model = *library().model(id);
        const auto described = hybrid_of(model);
        ASSERT_TRUE(described) << id;
        EXPECT_TRUE(described->parts.missing.empty()) << described->parts.missing.front();
        OptionList options{{}};
        const auto read = hybrid_model_of(described->layers, described->parts.shape, id, options);
        ASSERT_TRUE(read) << id;
        ASSERT_EQ(read->layer_count(), model.layer_count());
        for (std::int64_t i = 0; i < model.layer_count(); ++i) {
            EXPECT_EQ(read->block_of(i).mixer, model.block_of(i).mixer) << id << " layer " << i;
            EXPECT_EQ(read->block_of(i).transform, model.block_of(i).transform) << id << " layer " << i;
        }
    }
    EXPECT_FALSE(hybrid_of(*library().model("llama-3.1-8b")));
    EXPECT_FALSE(hybrid_of(*library().model("qwen3-next-80b-a3b"))); // each of its layers has both a mixer and experts
}

TEST(HybridLayers, that_no_model_has_are_one_fault) {
    const std::pair<std::string, std::string> patterns[]{{"MXM", "\"X\" is not a layer"},
                                                         {"MD", "DeepSeek sparse attention"},
                                                         {"M*+-", "cannot be combined"},
                                                         {"ME", "number of experts"},
                                                         {"||/M", "has no layers"},
                                                         {"M-M-M", "5 layers are not a multiple of 2"},
                                                         {"M|-|M", "3 stages are not a multiple of 2"},
                                                         {"M-/M/-", "must have the same layers"},
                                                         {"M-/M|-", "cannot be divided into stages"}};
    for (const auto &[pattern, why] : patterns) {
        const Imported imported = hybrid(pattern, "--pipeline-model-parallel-size 2");
        EXPECT_EQ(imported.faults.size(), 1u) << pattern << faults_of(imported);
        EXPECT_NE(fault_of(imported, "--hybrid-layer-pattern").find(why), std::string::npos) << pattern;
        EXPECT_TRUE(is_accepted(imported)) << pattern;
    }
    EXPECT_NE(fault_of(hybrid("M-", "--mamba-num-groups 5"), "--hybrid-layer-pattern").find("Mamba"),
              std::string::npos);
    EXPECT_EQ(
        fault_of(import_text("a.args", "--hidden-size 1024 --num-attention-heads 16 --hybrid-layer-pattern --bf16"),
                 "--hybrid-layer-pattern"),
        "expected a pattern of layers");
}

TEST(HybridLayers, replace_the_number_of_layers_and_the_options_for_stages) {
    EXPECT_EQ(account_of(hybrid("M-M-", "--num-layers 4"), "--num-layers"), "/model/layers");
    EXPECT_EQ(account_of(hybrid("M-M-", "--num-layers 8"), "--num-layers"),
              "ignored: the 4 layers of --hybrid-layer-pattern replace it");
    for (const std::string option : {"--num-virtual-stages-per-pipeline-rank 2",
                                     "--decoder-first-pipeline-num-layers 1", "--account-for-loss-in-pipeline-split"}) {
        const Imported imported = hybrid("M-|M-", "--pipeline-model-parallel-size 2 " + option);
        EXPECT_NE(fault_of(imported, option.substr(0, option.find(' '))), "") << option;
        EXPECT_EQ(at(imported, "/parallelism/chunks"), 1) << option;
    }
    const Imported ends = hybrid("M-M-M-", "--pipeline-model-parallel-size 2 --decoder-first-pipeline-num-layers 2");
    EXPECT_EQ(faults_of(ends), "");
    EXPECT_EQ(at(ends, "/parallelism/layout"), Json({2, 4}));
    EXPECT_NE(fault_of(hybrid("M-|M-"), "--hybrid-layer-pattern").find("pipeline of at least 2"), std::string::npos);
}

TEST(HybridLayers, keep_whole_groups_of_mamba_heads_on_each_rank) {
    const Imported imported = hybrid("M-M-", "--mamba-num-groups 4 --tensor-model-parallel-size 8");
    try {
        exported(imported, "megatron");
        FAIL();
    } catch (const InputError &error) {
        EXPECT_EQ(error.diagnostics().front().fields.front(), "/parallelism/tensor");
    }
}
