// SPDX-License-Identifier: GPL-3.0-or-later
// Imports of Megatron-LM, Megatron-DeepSpeed, Megatron-Bridge and NeMo.
#include "imported_plan.h"

#include <gtest/gtest.h>

#include <numeric>

using namespace meshwright;
using namespace meshwright::testing_launch;

namespace {

/// A dense model of 32 layers on 64 accelerators, with further options.
Imported megatron(const std::string &more, const std::string &shape = "--num-layers 32 --hidden-size 4096") {
    return import_text("run.sh",
                       "torchrun --nproc_per_node 8 --nnodes 8 pretrain_gpt.py " + shape
                           + " --num-attention-heads 32 --seq-length 4096 --max-position-embeddings 4096 "
                             "--micro-batch-size 1 --global-batch-size 512 --train-iters 100 --bf16 "
                           + more + "\n");
}

/// Overrides of a recipe of Megatron-Bridge on 8 accelerators.
Imported bridge(const std::string &overrides, const std::string &recipe = "my_own_7b_pretrain_config") {
    return import_text("run.sh",
                       "#!/bin/bash\ntorchrun --nproc_per_node=8 run_recipe.py --recipe " + recipe
                           + " train.global_batch_size=64 train.micro_batch_size=1 " + overrides + "\n");
}

/// A NeMo file for a node of 8 accelerators, with further lines of its model of 8 layers.
Imported nemo(const std::string &model) {
    return import_text("n.yaml",
                       "trainer: {num_nodes: 1, devices: 8, precision: bf16}\nmodel:\n  num_layers: 8\n"
                       "  hidden_size: 1024\n  num_attention_heads: 8\n  tensor_model_parallel_size: 1\n"
                       "  pipeline_model_parallel_size: 1\n"
                           + model,
                       "megatron-bridge");
}

} // namespace

TEST(MegatronImport, a_script_is_followed_through_variables_arrays_and_conditions) {
    const Imported imported = import_texts({example("megatron.sh")});
    EXPECT_EQ(at(imported, "/model/hidden"), 4096);
    EXPECT_EQ(at(imported, "/model/blocks/0/mixer/heads"), 32);
    EXPECT_EQ(at(imported, "/model/vocabulary"), 128512); // padded to a multiple of 128 x 4 tensor-parallel ranks
    EXPECT_EQ(at(imported, "/parallelism/tensor"), 4);
    EXPECT_EQ(at(imported, "/parallelism/chunks"), 4);
    EXPECT_EQ(at(imported, "/parallelism/data"), 16);
    EXPECT_EQ(at(imported, "/parallelism/sequence_parallel"), true);
    EXPECT_EQ(at(imported, "/recompute"), Json::parse(R"({"mode":"modules","modules":["core_attn","mlp"]})"));
    EXPECT_EQ(at(imported, "/run/tokens"), 12e6 * 8192);
    EXPECT_EQ(at(imported, "/cluster/accelerator"), "h100-sxm-80gb");
}

TEST(MegatronImport, kv_heads_count_only_with_their_switch) {
    EXPECT_EQ(at(megatron("--num-query-groups 8"), "/model/blocks/0/mixer/kv_heads"), 32);
    EXPECT_EQ(at(megatron("--group-query-attention --num-query-groups 8"), "/model/blocks/0/mixer/kv_heads"), 8);
}

TEST(MegatronImport, a_tokenizer_with_one_vocabulary_says_its_size) {
    const Imported imported = megatron("--tokenizer-type Llama2Tokenizer --tensor-model-parallel-size 4");
    EXPECT_EQ(at(imported, "/model/vocabulary"), 32256); // padded to a multiple of 128 x 4 tensor-parallel ranks
    EXPECT_EQ(account_of(imported, "--tokenizer-type"), "/model/vocabulary");
    EXPECT_TRUE(assumes(imported, "/model/vocabulary"));
    EXPECT_EQ(at(megatron("--tokenizer-type GPT2BPETokenizer"), "/model/vocabulary"), 50304);
    EXPECT_EQ(at(megatron("--tokenizer-type GPT2BPETokenizer --vocab-extra-ids 100"), "/model/vocabulary"), 50304);
    EXPECT_EQ(at(megatron("--tokenizer-type BertWordPieceCase --vocab-extra-ids 100"), "/model/vocabulary"), 29184);
    EXPECT_EQ(at(megatron("--tokenizer-type GPT2BPETokenizer --vocab-size 1000"), "/model/vocabulary"), 1024);
    const Imported unnamed = megatron("--tokenizer-type HuggingFaceTokenizer");
    EXPECT_EQ(account_of(unnamed, "--tokenizer-type"), "ignored: there is no plan field for it");
    EXPECT_TRUE(assumes(unnamed, "/model/vocabulary"));
}

TEST(MegatronImport, files_of_words_without_a_tokenizer_type_are_read_by_the_programs_default) {
    const Imported gpt = megatron("--vocab-file v.json --merge-file m.txt --tensor-model-parallel-size 8");
    EXPECT_EQ(at(gpt, "/model/vocabulary"), 51200); // GPT-2's, padded to a multiple of 128 x 8 tensor-parallel ranks
    EXPECT_TRUE(assumes(gpt, "/model/vocabulary"));
    EXPECT_EQ(account_of(gpt, "--vocab-file"), "/model/vocabulary");
    EXPECT_EQ(account_of(gpt, "--merge-file"), "/model/vocabulary");
    EXPECT_EQ(at(megatron("--vocab-file vocab.txt"), "/model/vocabulary"), 30592); // uncased BERT's
    const Imported t5 = megatron("--vocab-file vocab.txt --vocab-extra-ids 100");
    EXPECT_EQ(at(t5, "/model/vocabulary"), 30720); // 30522 + 100, padded to a multiple of 128
    EXPECT_EQ(account_of(t5, "--vocab-extra-ids"), "/model/vocabulary");
    EXPECT_EQ(
        at(megatron("--vocab-file v.json --merge-file m.txt --tokenizer-type SomeTokenizer"), "/model/vocabulary"),
        128256);
    EXPECT_EQ(at(megatron("--vocab-file v.json --merge-file m.txt --vocab-size 1000"), "/model/vocabulary"), 1024);
}

TEST(MegatronImport, sizes_of_parts_that_no_layer_has_set_nothing) {
    const std::string experts = "--num-experts 8 --moe-router-topk 2 --disable-bias-linear ";
    const char *const field = "/model/blocks/0/transform/hidden";
    const Imported all = megatron(experts + "--moe-ffn-hidden-size 512");
    EXPECT_EQ(at(all, field), 512);
    EXPECT_FALSE(assumes(all, field));
    EXPECT_TRUE(assumes(megatron(experts + "--moe-ffn-hidden-size 512 --moe-layer-freq 2"), field));
    EXPECT_TRUE(assumes(megatron(experts), field)); // experts have the size of a dense layer
    const Imported dense = megatron("--moe-ffn-hidden-size 512");
    EXPECT_EQ(at(dense, field), 16384);
    EXPECT_EQ(account_of(dense, "--moe-ffn-hidden-size"), "ignored: applies only with --num-experts");
}

TEST(MegatronImport, a_sliding_window_is_the_first_of_its_two_sides) {
    for (const char *const window : {"4096,0", "\"(4096, 0)\"", "4096, 0"})
        EXPECT_EQ(at(megatron(std::string("--window-size ") + window), "/model/blocks/0/mixer/window"), 4096) << window;
}

TEST(MegatronImport, each_nth_layer_or_a_list_attends_to_all_tokens) {
    const Imported imported = megatron("--window-size 4096,0 --window-attn-skip-freq 4");
    EXPECT_EQ(at(imported, "/model/layers/0"), Json::parse(R"({"block": 0, "count": 3})"));
    EXPECT_EQ(at(imported, "/model/layers/1"), Json::parse(R"({"block": 1, "count": 1})"));
    EXPECT_EQ(at(imported, "/model/blocks/0/mixer/window"), 4096);
    EXPECT_FALSE(imported.document.contains(Json::json_pointer("/model/blocks/1/mixer/window")));
    const Imported listed = megatron("--window-size 4096,0 --window-attn-skip-freq \"([1]*16+[0]*16)\"");
    EXPECT_EQ(at(listed, "/model/layers/1"), Json::parse(R"({"block": 1, "count": 16})"));
    EXPECT_EQ(account_of(megatron("--window-attn-skip-freq 4"), "--window-attn-skip-freq"),
              "ignored: applies only with --window-size");
}

TEST(MegatronImport, gated_delta_net_takes_the_place_of_attention_in_the_layers_named) {
    const Imported imported =
        megatron("--experimental-attention-variant gated_delta_net --linear-attention-freq 4 --linear-num-key-heads 8");
    EXPECT_EQ(at(imported, "/model/blocks/0/mixer/recurrence"), "gated-delta-net");
    EXPECT_EQ(at(imported, "/model/blocks/0/mixer/key_heads"), 8);
    EXPECT_EQ(at(imported, "/model/blocks/0/mixer/value_heads"), 32); // Megatron's default
    EXPECT_EQ(at(imported, "/model/blocks/1/mixer/heads"), 32);
    EXPECT_EQ(at(imported, "/model/layers/0"), Json::parse(R"({"block": 0, "count": 3})"));
    EXPECT_EQ(account_of(megatron("--linear-attention-freq 4"), "--linear-attention-freq"),
              "ignored: applies only with --experimental-attention-variant");
    EXPECT_TRUE(assumes(megatron("--experimental-attention-variant dsa"), "/model/blocks/0/mixer"));
}

TEST(MegatronImport, deepspeeds_checkpointing_recomputes_nothing_by_itself) {
    const std::string deepspeed = "--deepspeed --zero-stage 1 --deepspeed-activation-checkpointing ";
    const Imported alone = megatron(deepspeed);
    EXPECT_EQ(at(alone, "/recompute/mode"), "none");
    EXPECT_EQ(account_of(alone, "--deepspeed-activation-checkpointing"),
              "ignored: applies only with --checkpoint-activations or --recompute-granularity full");
    for (const char *const more :
         {"--checkpoint-activations", "--recompute-granularity full --recompute-method uniform"}) {
        const Imported imported = megatron(deepspeed + more);
        EXPECT_EQ(at(imported, "/recompute/mode"), "full") << more;
        EXPECT_EQ(account_of(imported, "--deepspeed-activation-checkpointing"), "/recompute/mode") << more;
    }
}

TEST(MegatronImport, experts_take_the_tensor_degree_unless_the_file_says_otherwise) {
    const std::string experts = "--tensor-model-parallel-size 4 --num-experts 8 --moe-router-topk 2 "
                                "--expert-model-parallel-size 4 --disable-bias-linear --swiglu ";
    EXPECT_EQ(at(megatron(experts), "/parallelism/expert_tensor"), 4);
    EXPECT_TRUE(assumes(megatron(experts), "/parallelism/expert_tensor"));
    EXPECT_EQ(at(megatron(experts + "--expert-tensor-parallel-size 1"), "/parallelism/expert_tensor"), 1);
    const Imported dense = megatron("--expert-tensor-parallel-size 4");
    EXPECT_EQ(at(dense, "/parallelism/expert_tensor"), 1);
    EXPECT_EQ(account_of(dense, "--expert-tensor-parallel-size"), "ignored: applies only with experts");
}

TEST(MegatronImport, uneven_pipelines_are_layers_of_each_stage) {
    const auto layout = [](const std::string &more, const std::string &shape) {
        const Imported imported = megatron("--pipeline-model-parallel-size 4 " + more, shape);
        EXPECT_TRUE(imported.faults.empty()) << more << faults_of(imported);
        return at(imported, "/parallelism/layout");
    };
    EXPECT_EQ(layout("--decoder-first-pipeline-num-layers 2 --decoder-last-pipeline-num-layers 2",
                     "--num-layers 12 --hidden-size 4096"),
              Json({2, 4, 4, 2}));
    EXPECT_EQ(layout("--account-for-embedding-in-pipeline-split --account-for-loss-in-pipeline-split "
                     "--num-virtual-stages-per-pipeline-rank 2",
                     "--num-layers 6 --hidden-size 4096"),
              Json({0, 1, 1, 1, 1, 1, 1, 0}));
    EXPECT_EQ(layout("--pp-partition-method 'type:transformer|embedding'", "--num-layers 30 --hidden-size 4096"),
              Json({7, 8, 8, 7}));
    EXPECT_NE(
        fault_of(megatron("--pipeline-model-parallel-size 4", "--num-layers 30 --hidden-size 4096"), "--num-layers"),
        "");
}

TEST(MegatronImport, interleaving_needs_a_pipeline) {
    EXPECT_NE(
        fault_of(megatron("--num-layers-per-virtual-pipeline-stage 4"), "--num-layers-per-virtual-pipeline-stage"), "");
}

TEST(MegatronImport, a_pattern_of_hybrid_layers_is_a_model_with_layers_of_several_kinds) {
    const Imported imported =
        megatron("--pipeline-model-parallel-size 2 --hybrid-layer-pattern 'M-M-M|M*-M|-M-|M*-M/MM' "
                 "--group-query-attention --num-query-groups 8",
                 "--hidden-size 1024");
    EXPECT_EQ(at(imported, "/model/hidden"), 1024);
    EXPECT_EQ(at(imported, "/model/blocks").size(), 3u);
    EXPECT_EQ(at(imported, "/model/blocks/0/mixer/kind"), "recurrent");
    EXPECT_EQ(at(imported, "/parallelism/chunks"), 2);
    EXPECT_EQ(at(imported, "/parallelism/layout"), Json({5, 4, 3, 4}));
    EXPECT_TRUE(assumes(imported, "/model/mtp_layers")); // a plan's MTP module has one mixer at most
    EXPECT_EQ(account_of(imported, "--hybrid-layer-pattern"), "/model/layers");
    EXPECT_TRUE(imported.faults.empty()) << faults_of(imported);
    EXPECT_TRUE(is_accepted(imported));
}

TEST(MegatronImport, ratios_of_hybrid_layers_are_a_pattern) {
    const Imported imported =
        megatron("--hybrid-attention-ratio 0.2 --hybrid-mlp-ratio 0.2", "--num-layers 10 --hidden-size 4096");
    const Imported listed = megatron("--hybrid-layer-pattern 'MMM*-M*MM-'", "--hidden-size 4096");
    EXPECT_EQ(at(imported, "/model"), at(listed, "/model"));
    EXPECT_EQ(account_of(imported, "--hybrid-mlp-ratio"), "/model/layers");
    EXPECT_EQ(account_of(imported, "--num-layers"), "/model/layers");
    EXPECT_EQ(faults_of(imported), "");
    EXPECT_EQ(account_of(megatron("--hybrid-layer-pattern M-M- --hybrid-mlp-ratio 0.5", "--hidden-size 4096"),
                         "--hybrid-mlp-ratio"),
              "ignored: the layer pattern replaces it");
    for (const char *const ratio : {"1.5", "-0.5"})
        EXPECT_EQ(fault_of(megatron(std::string("--hybrid-mlp-ratio ") + ratio), "--hybrid-mlp-ratio"),
                  "expected ratios of attention and feed-forward layers from 0 to 1 that do not exceed 1 together");
}

TEST(MegatronImport, bigsciences_gate_keeps_the_width) {
    const Imported imported = megatron("--deepspeed --zero-stage 1 --glu-activation swiglu");
    EXPECT_EQ(account_of(imported, "--glu-activation"), "/model/blocks/0/transform/gated");
    EXPECT_EQ(at(imported, "/model/blocks/0/transform/gated"), nullptr); // the default value, which is left out
    EXPECT_EQ(at(imported, "/model/blocks/0/transform/hidden"), 16384);
}

TEST(MegatronImport, pytorchs_fsdp_needs_what_megatron_checks) {
    const std::string accepted = "--use-torch-fsdp2 --no-gradient-accumulation-fusion ";
    EXPECT_EQ(faults_of(megatron(accepted + "--untie-embeddings-and-output-weights")), "");
    EXPECT_EQ(fault_of(megatron(accepted), "--use-torch-fsdp2"), "needs --untie-embeddings-and-output-weights");
    EXPECT_EQ(fault_of(megatron("--use-torch-fsdp2 --untie-embeddings-and-output-weights"), "--use-torch-fsdp2"),
              "needs --no-gradient-accumulation-fusion");
    EXPECT_EQ(fault_of(megatron(accepted + "--untie-embeddings-and-output-weights --use-distributed-optimizer"),
                       "--use-torch-fsdp2"),
              "needs to be without --use-distributed-optimizer");
    EXPECT_EQ(fault_of(megatron("--use-torch-fsdp2=1 --untie-embeddings-and-output-weights"), "--use-torch-fsdp2"),
              "needs --no-gradient-accumulation-fusion");
    EXPECT_EQ(faults_of(megatron("--use-torch-fsdp2 --no-gradient-accumulation-fusion=True "
                                 "--untie-embeddings-and-output-weights --use-distributed-optimizer=0")),
              "");
}

TEST(MegatronImport, context_parallel_sequences_are_cut_twice_as_often) {
    const std::string why = "1028 is not a multiple of 2 x context parallel size 4";
    for (const std::string option : {"--seq-length", "--encoder-seq-length"})
        EXPECT_EQ(fault_of(import_text("args",
                                       "--num-layers 4 --hidden-size 512 --num-attention-heads 8 "
                                       "--max-position-embeddings 2048 --micro-batch-size 1 --global-batch-size 8 "
                                       "--context-parallel-size 4 "
                                           + option + " 1028"),
                           option),
                  why);
    EXPECT_EQ(fault_of(bridge("model.context_parallel_size=4 dataset.seq_length=1028"), "dataset.seq_length"), why);
}

TEST(MegatronImport, the_sequences_of_a_multimodal_model_are_the_decoders) {
    const Imported imported = megatron("--seq-length 256 --decoder-seq-length 16384");
    EXPECT_EQ(at(imported, "/batch/sequence_length"), 16384);
    EXPECT_EQ(account_of(imported, "--decoder-seq-length"), "/batch/sequence_length");
}

TEST(MegatronImport, an_encoder_decoder_is_read_as_a_decoder_and_reported) {
    const auto t5 = [](const std::string &program, const std::string &layers) {
        return import_text("run.sh",
                           "torchrun --nproc_per_node 8 " + program + " " + layers
                               + " --hidden-size 768 --num-attention-heads 12 --encoder-seq-length 512 "
                                 "--decoder-seq-length 128 --max-position-embeddings 512 --micro-batch-size 4 "
                                 "--global-batch-size 64 --train-iters 100 --bf16\n");
    };
    const Imported named = t5("examples/pretrain_t5.py", "--num-layers 12");
    EXPECT_NE(fault_of(named, "pretrain_t5.py").find("an encoder-decoder"), std::string::npos);
    EXPECT_EQ(at(named, "/batch/sequence_length"), 512);
    EXPECT_EQ(account_of(named, "--decoder-seq-length"), "ignored: a plan has one sequence length: the encoder's");
    const Imported stated = t5("train.py", "--encoder-num-layers 12 --decoder-num-layers 12");
    EXPECT_NE(fault_of(stated, "--decoder-num-layers").find("an encoder-decoder"), std::string::npos);
    EXPECT_EQ(at(stated, "/batch/sequence_length"), 512);
}

TEST(MegatronImport, work_other_than_training_is_reported) {
    const std::string options = " --num-layers 32 --hidden-size 4096 --num-attention-heads 32 --seq-length 4096 "
                                "--max-position-embeddings 4096 --micro-batch-size 1 --bf16 ";
    const auto fault = [&](const std::string &program, const std::string &option) {
        return fault_of(import_text("run.sh", "torchrun --nproc_per_node 8 " + program + options + "\n"), option);
    };
    const std::string inference = "launches inference, not training";
    EXPECT_TRUE(fault("tools/run_text_generation_server.py", "run_text_generation_server.py").starts_with(inference));
    EXPECT_TRUE(fault("-m examples.inference.offline_inference", "examples.inference.offline_inference")
                    .starts_with(inference));
    EXPECT_TRUE(fault("tasks/main.py --task LAMBADA", "--task").starts_with("launches evaluation, not training"));
    EXPECT_EQ(fault("tasks/main.py --task MNLI", "--task"), "");
    EXPECT_EQ(fault("pretrain_gpt.py", "pretrain_gpt.py"), "");
    const std::string overrides = " model.tensor_model_parallel_size=1 train.micro_batch_size=1";
    EXPECT_TRUE(fault_of(import_text("run.sh",
                                     "#!/bin/bash\ntorchrun --nproc_per_node=8 scripts/evaluate.py" + overrides + "\n",
                                     "megatron-bridge"),
                         "evaluate.py")
                    .starts_with("launches evaluation, not training"));
}

TEST(MegatronImport, a_schedule_of_batches_that_the_shell_breaks_is_a_fault) {
    const Imported imported = megatron("--step-batch-size-schedule 0:16 2.4B:320");
    EXPECT_NE(faults_of(imported).find("quotes"), std::string::npos);
    EXPECT_NE(faults_of(imported).find("conflicts with --global-batch-size"), std::string::npos);
}

TEST(MegatronImport, variables_without_a_value_are_faults_and_the_plan_stands) {
    const Imported imported = megatron("--tensor-model-parallel-size ${TP}");
    EXPECT_NE(fault_of(imported, "--tensor-model-parallel-size").find("${TP}"), std::string::npos);
    EXPECT_EQ(at(imported, "/parallelism/tensor"), 1);
    EXPECT_TRUE(is_accepted(imported));
}

TEST(MegatronBridgeImport, fields_have_megatrons_meaning_under_their_own_names) {
    const Imported imported = import_texts({example("bridge.yaml")});
    EXPECT_EQ(at(imported, "/parallelism/chunks"), 2);
    EXPECT_EQ(at(imported, "/parallelism/context"), 2);
    EXPECT_EQ(at(imported, "/precision/compute"), "fp8");
    EXPECT_EQ(at(imported, "/model/blocks/0/transform/gated"), nullptr); // the default value, which is left out
    EXPECT_EQ(account_of(imported, "model.virtual_pipeline_model_parallel_size"), "/parallelism/chunks");
}

TEST(MegatronBridgeImport, a_list_in_brackets_is_its_words) {
    for (const char *const list : {"[core_attn,mlp]", "'[core_attn, mlp]'", "'[\"core_attn\",\"mlp\"]'"}) {
        const Imported imported =
            import_text("run.sh",
                        "torchrun --nproc_per_node=8 run_recipe.py --recipe llama3_8b_pretrain_config "
                        "model.tensor_model_parallel_size=1 model.recompute_granularity=selective "
                        "train.micro_batch_size=1 train.global_batch_size=128 model.recompute_modules="
                            + std::string(list) + "\n",
                        "megatron-bridge");
        EXPECT_EQ(at(imported, "/recompute"), Json::parse(R"({"mode":"modules","modules":["core_attn","mlp"]})"))
            << list;
        EXPECT_EQ(faults_of(imported), "") << list;
    }
}

TEST(NemoImport, a_model_that_is_no_language_model_is_reported) {
    EXPECT_NE(fault_of(nemo("  unet_type: base\n"), "model.unet_type").find("a diffusion model"), std::string::npos);
}

TEST(MegatronBridgeImport, what_the_recipe_may_set_is_assumed) {
    const Imported imported = bridge("model.tensor_model_parallel_size=2");
    EXPECT_FALSE(assumes(imported, "/parallelism/tensor"));
    for (const char *const field : {"/parallelism/pipeline", "/parallelism/context", "/parallelism/sequence_parallel",
                                    "/parallelism/zero_stage", "/recompute/mode", "/optimizer/name"})
        EXPECT_TRUE(assumes(imported, field)) << field;
    const Imported stated =
        bridge("model.pipeline_model_parallel_size=1 model.context_parallel_size=1 model.recompute_granularity=null");
    for (const char *const field :
         {"/parallelism/pipeline", "/parallelism/context", "/parallelism/sequence_parallel", "/recompute/mode"})
        EXPECT_FALSE(assumes(stated, field)) << field;
}

TEST(MegatronBridgeImport, recipes_shard_optimizer_states_unless_both_sections_disable_it) {
    const auto stage = [](const std::string &overrides) {
        const Imported imported = bridge(overrides);
        return at(imported, "/parallelism/zero_stage").dump()
            + (assumes(imported, "/parallelism/zero_stage") ? " assumed" : " stated");
    };
    EXPECT_EQ(stage(""), "1 assumed");
    EXPECT_EQ(stage("ddp.use_distributed_optimizer=False"), "1 assumed");
    EXPECT_EQ(stage("ddp.use_distributed_optimizer=False optimizer.use_distributed_optimizer=True"), "1 stated");
    EXPECT_EQ(stage("ddp.use_distributed_optimizer=False optimizer.use_distributed_optimizer=False"), "0 stated");
    EXPECT_EQ(stage("dist.use_torch_fsdp2=True"), "3 stated");
    EXPECT_EQ(stage("ddp.use_megatron_fsdp=False dist.use_megatron_fsdp=True"), "3 assumed");
    EXPECT_EQ(stage("ddp.use_megatron_fsdp=True ddp.data_parallel_sharding_strategy=optim_grads"), "2 stated");
}

TEST(MegatronBridgeImport, expert_parallelism_of_a_model_without_a_preset_assumes_one_with_experts) {
    const Imported imported = bridge("model.expert_model_parallel_size=4", "gpt_oss_20b_pretrain_config");
    EXPECT_EQ(account_of(imported, "--recipe"), "ignored: no preset has this model name");
    EXPECT_EQ(account_of(imported, "model.expert_model_parallel_size"), "/parallelism/expert");
    EXPECT_EQ(at(imported, "/parallelism/expert"), 4);
    EXPECT_TRUE(assumes(imported, "/model"));
    EXPECT_TRUE(is_accepted(imported)); // a dense model has no expert parallelism
    EXPECT_TRUE(is_accepted(bridge("model.expert_model_parallel_size=4", "my_own_pretrain_config")));
    const Imported dense = bridge("model.expert_model_parallel_size=4", "llama3_8b_pretrain_config");
    EXPECT_EQ(account_of(dense, "model.expert_model_parallel_size"), "ignored: applies only with experts");
}

TEST(MegatronBridgeImport, recipes_and_checkpoints_name_models_in_their_own_way) {
    for (const auto &[recipe, model] : {std::pair("nemotron_3_nano_pretrain_config", "nemotron-3-nano-30b-a3b"),
                                        std::pair("nemotron_3_ultra_peft_config", "nemotron-3-ultra-550b-a55b"),
                                        std::pair("qwen35_vl_35b_a3b_fsdp_sft_config", "qwen3.5-35b-a3b"),
                                        std::pair("qwen3_600m_sft_128k_config", "qwen3-0.6b")})
        EXPECT_EQ(at(bridge("", recipe), "/model"), model);
    EXPECT_EQ(at(bridge("checkpoint.pretrained_checkpoint=/models/NVIDIA-Nemotron-3-Nano-30B-A3B-Base-BF16"), "/model"),
              "nemotron-3-nano-30b-a3b");
}

TEST(MegatronBridgeImport, adapters_are_not_modeled) {
    const Imported imported = bridge("peft.dim=16", "llama3_8b_peft_config");
    EXPECT_TRUE(assumes(imported, "/optimizer"));
    EXPECT_EQ(account_of(imported, "peft.dim"),
              "ignored: not modeled: adapters would save gradients, optimizer states and their traffic");
    EXPECT_FALSE(assumes(bridge("", "llama3_8b_sft_config"), "/optimizer"));
    EXPECT_TRUE(assumes(nemo("  peft: {peft_scheme: lora}\n"), "/optimizer"));
    EXPECT_FALSE(assumes(nemo("  peft: {peft_scheme: null}\n"), "/optimizer"));
}

TEST(MegatronBridgeImport, precision_recipes_state_the_format_of_the_weights) {
    const auto formats = [](const std::string &precision) {
        const Imported imported = bridge("mixed_precision=" + precision);
        return at(imported, "/precision/compute").get<std::string>() + " "
            + at(imported, "/precision/weights").get<std::string>();
    };
    EXPECT_EQ(formats("bf16_mixed"), "bf16 bf16");
    EXPECT_EQ(formats("bf16_with_fp8_delayed_scaling_mixed"), "fp8 fp8");
    EXPECT_EQ(formats("bf16-with-fp8-current-scaling-mixed"), "fp8 fp8");
    EXPECT_EQ(formats("nemotron_h_bf16_with_fp8_current_scaling_mixed"), "fp8 fp8");
    EXPECT_EQ(formats("bf16_with_fp8_subchannel_scaling_mixed"), "fp8 bf16");
    EXPECT_EQ(formats("fp16_with_fp8_subchannel_scaling_mixed"), "fp8 fp16");
}

TEST(MegatronBridgeImport, formats_of_optimizer_states_have_pytorchs_names) {
    for (const auto &[name, format] : {std::pair("torch.bfloat16", "bf16"), std::pair("torch.float32", "fp32"),
                                       std::pair("torch.uint8", "fp8"), std::pair("fp8", "fp8")})
        EXPECT_EQ(at(bridge(std::string("optimizer.exp_avg_dtype=") + name), "/precision/moments"), format) << name;
}

TEST(MegatronBridgeImport, assumed_number_formats_are_those_of_the_plan) {
    for (const auto &[overrides, recipe] :
         {std::pair("", "llama3_8b_pretrain_config"), std::pair("", "deepseek_v3_pretrain_mxfp8_config"),
          std::pair("model.fp8=e4m3 model.fp8_recipe=mxfp8", "llama3_8b_pretrain_config"),
          std::pair("model.fp8=e4m3 model.fp8_param=true", "llama3_8b_pretrain_config")}) {
        const Imported imported = bridge(overrides, recipe);
        for (const AssumedField &each : imported.assumed)
            if (each.field.starts_with("/precision/")) {
                EXPECT_EQ(each.value, at(imported, each.field)) << overrides << recipe << each.field;
            }
    }
    const Imported named = bridge("", "deepseek_v3_pretrain_mxfp8_config");
    EXPECT_EQ(at(named, "/precision/compute"), "mxfp8");
    EXPECT_TRUE(assumes(named, "/precision/compute"));
    EXPECT_EQ(at(bridge("mixed_precision=bf16_mixed", "deepseek_v3_pretrain_mxfp8_config"), "/precision/compute"),
              "bf16");
    EXPECT_FALSE(assumes(bridge("model.fp8=e4m3"), "/precision/compute"));
    EXPECT_TRUE(assumes(bridge("model.fp8=e4m3"), "/precision/weights"));
}

TEST(NemoImport, gradients_have_the_format_in_which_the_optimizer_reduces_them) {
    const auto with_optimizer = [](const std::string &options) {
        return nemo("  optim: {name: distributed_fused_adam, " + options + "}\n");
    };
    EXPECT_EQ(at(with_optimizer("lr: 1e-4"), "/precision/gradients"), "fp32");
    EXPECT_EQ(at(with_optimizer("grad_sync_dtype: fp32"), "/precision/gradients"), "fp32");
    EXPECT_EQ(at(with_optimizer("grad_sync_dtype: null"), "/precision/gradients"), "fp32");
    const Imported half = with_optimizer("grad_sync_dtype: bf16");
    EXPECT_EQ(at(half, "/precision/gradients"), "bf16");
    EXPECT_EQ(account_of(half, "model.optim.grad_sync_dtype"), "/precision/gradients");
}

TEST(NemoImport, references_between_keys_are_filled) {
    const Imported imported = import_texts({example("nemo.yaml")});
    EXPECT_EQ(at(imported, "/model/blocks/0/transform/hidden"), 24576);
    EXPECT_EQ(at(imported, "/cluster/tiers/1/accelerators"), 128);
    EXPECT_EQ(at(imported, "/parallelism/data"), 8);
    EXPECT_EQ(at(imported, "/parallelism/zero_stage"), 1);
    const auto reference = [](const std::string &value) {
        return at(nemo("  ffn_hidden_size: " + value + "\n"), "/model/blocks/0/transform/hidden");
    };
    EXPECT_EQ(reference("${multiply:${model.hidden_size}, 3}"), 3072);
    EXPECT_EQ(reference("${divide_ceil:${.hidden_size}, 3}"), 342);
    EXPECT_EQ(reference("${training.model.hidden_size}"), 1024);
    EXPECT_EQ(reference("${..model.hidden_size}"), 1024);
    EXPECT_EQ(reference("${oc.env:FFN,2048}"), 2048);
    // A circular reference or an unknown key remains unresolved, so the launcher's default applies.
    EXPECT_EQ(reference("${.ffn_hidden_size}"), 4096);
    EXPECT_EQ(reference("${.nowhere}"), 4096);
}

TEST(NemoImport, model_arguments_may_override_a_recipe_of_nemo_2) {
    const std::string start = "ENV_VARS:\n  SKIP_PYTEST: 1\nMODEL_ARGS:\n  trainer.num_nodes: 2\n  trainer.devices: 8\n"
                              "  trainer.max_steps: 20\n  trainer.limit_val_batches: 5\n"
                              "  log.log_dir: /logs\n  trainer.log_every_n_steps: 1\n"
                              "  trainer.strategy.tensor_model_parallel_size: 4\n"
                              "  trainer.strategy.sequence_parallel: True\n  data.micro_batch_size: 2\n"
                              "  data.global_batch_size: 32\n  data.seq_length: 1024\n";
    const Imported imported = import_text("model.yaml", start + "TEST_TYPE: regular\n");
    EXPECT_EQ(imported.kind, "megatron");
    EXPECT_EQ(faults_of(imported), "");
    EXPECT_EQ(at(imported, "/parallelism/tensor"), 4);
    EXPECT_EQ(at(imported, "/parallelism/sequence_parallel"), true);
    EXPECT_EQ(at(imported, "/parallelism/data"), 4);
    EXPECT_EQ(at(imported, "/batch/micro_sequences"), 2);
    EXPECT_EQ(at(imported, "/batch/sequence_length"), 1024);
    EXPECT_EQ(at(imported, "/run/tokens"), 20.0 * 32 * 1024);
    EXPECT_EQ(account_of(imported, "trainer.strategy.tensor_model_parallel_size"), "/parallelism/tensor");
    EXPECT_EQ(account_of(imported, "data.seq_length"), "/batch/sequence_length");
    EXPECT_EQ(account_of(imported, "trainer.limit_val_batches"),
              "ignored: does not change memory, traffic or step time");
    EXPECT_EQ(account_of(imported, "log.log_dir"), "ignored: does not change memory, traffic or step time");
    EXPECT_EQ(account_of(imported, "trainer.log_every_n_steps"), "ignored: the importer does not know what it changes");
    EXPECT_EQ(account_of(imported, "TEST_TYPE"), "ignored: configures the environment or the test, not the training");
    EXPECT_EQ(account_of(imported, "ENV_VARS.SKIP_PYTEST"),
              "ignored: configures the environment or the test, not the training");
    EXPECT_TRUE(assumes(imported, "/parallelism/pipeline"));
    EXPECT_TRUE(assumes(imported, "/parallelism/zero_stage"));

    const Imported shaped = import_text("model.yaml",
                                        start
                                            + "  model.config.num_layers: 12\n  model.config.hidden_size: 768\n"
                                              "  model.config.num_attention_heads: 16\n"
                                              "  model.config.bias_activation_fusion: False\n");
    EXPECT_EQ(at(shaped, "/model/hidden"), 768);
    EXPECT_TRUE(assumes(shaped, "/model"));
    EXPECT_EQ(account_of(shaped, "model.config.hidden_size"), "/model/hidden");
    EXPECT_EQ(account_of(shaped, "model.config.bias_activation_fusion").substr(0, 7), "ignored");
}

TEST(NemoImport, the_later_of_two_names_of_a_field_takes_effect) {
    const Imported imported = import_text("model.yaml",
                                          "MODEL_ARGS:\n  trainer.num_nodes: 1\n  trainer.devices: 8\n"
                                          "  trainer.strategy.tensor_model_parallel_size: 2\n"
                                          "  model.config.tensor_model_parallel_size: 4\n"
                                          "  data.micro_batch_size: 1\n  data.global_batch_size: 8\n");
    EXPECT_EQ(at(imported, "/parallelism/tensor"), 4);
    const auto understood =
        std::find_if(imported.understood.begin(), imported.understood.end(),
                     [](const UnderstoodOption &each) { return each.field == "/parallelism/tensor"; });
    ASSERT_NE(understood, imported.understood.end());
    EXPECT_EQ(understood->option, "model.config.tensor_model_parallel_size");
}

TEST(NemoImport, options_that_are_not_read_have_the_reason_of_their_section) {
    const Imported imported =
        nemo("  ub_tp_comm_overlap: true\n  override_vocab_size: 32000\n"
             "  peft: {peft_scheme: lora, lora_tuning: {adapter_dim: 32}}\n  hyena: {num_groups: 8}\n"
             "  activations_checkpoint_layers_per_pipeline: 2\n  seed: 1\n  some_new_option: 3\n"
             "  data: {train_ds: {micro_batch_size: 2, global_batch_size: 64, max_seq_length: 2048}}\n"
             "defaults:\n  - _self_\n  - base\nexp_manager: {create_wandb_logger: false, ema: {enable: false, decay: "
             "0.9}}\n");
    EXPECT_EQ(at(imported, "/batch/micro_sequences"), 2);
    EXPECT_EQ(at(imported, "/batch/global_sequences"), 64);
    EXPECT_EQ(at(imported, "/batch/sequence_length"), 2048);
    EXPECT_EQ(at(imported, "/model/vocabulary"), 32000);
    const std::pair<const char *, const char *> reasons[]{
        {"model.ub_tp_comm_overlap", "the plan's software stack accounts for it"},
        {"model.peft.lora_tuning.adapter_dim",
         "not modeled: adapters would save gradients, optimizer states and their traffic"},
        {"model.hyena.num_groups", "not modeled: it shapes a part of the model that plans do not describe"},
        {"model.activations_checkpoint_layers_per_pipeline", "not modeled: it may change memory, traffic or step time"},
        {"exp_manager.ema.enable", "does not change memory, traffic or step time"}, // false
        {"exp_manager.ema.decay", "not modeled: it may change memory, traffic or step time"},
        {"exp_manager.create_wandb_logger", "does not change memory, traffic or step time"},
        {"model.seed", "does not change memory, traffic or step time"},
        {"model.some_new_option", "the importer does not know what it changes"}};
    for (const auto &[option, why] : reasons)
        EXPECT_EQ(account_of(imported, option), "ignored: " + std::string(why)) << option;
    EXPECT_EQ(account_of(nemo("  ub_tp_comm_overlap: False\n"), "model.ub_tp_comm_overlap"),
              "ignored: the plan keeps the overlap of its software stack");
}
