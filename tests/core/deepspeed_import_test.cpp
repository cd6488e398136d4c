// SPDX-License-Identifier: GPL-3.0-or-later
#include "imported_plan.h"

#include <gtest/gtest.h>

using namespace meshwright;
using namespace meshwright::testing_launch;

namespace {

Imported deepspeed(const std::string &members) {
    return import_text("ds.json", "{" + members + "}", "deepspeed");
}

/// A Megatron-DeepSpeed script for 32 accelerators, with further options.
LaunchFile script(const std::string &more) {
    return {.name = "train.sh",
            .text = "deepspeed --num_nodes 4 --num_gpus 8 pretrain_gpt.py --num-layers 24 --hidden-size 2048 "
                    "--num-attention-heads 16 --seq-length 2048 --max-position-embeddings 2048 --vocab-size 50304 "
                    "--micro-batch-size 2 --global-batch-size 256 --train-iters 1000 --deepspeed "
                    "--deepspeed_config ds.json "
                + more + "\n"};
}
LaunchFile json(const std::string &members) {
    return {.name = "ds.json", .text = "{\"gradient_clipping\": 1.0, " + members + "}"};
}

} // namespace

TEST(DeepSpeedImport, a_json_is_read_as_people_write_it) {
    const Imported imported = import_texts({example("deepspeed.json")});
    EXPECT_EQ(imported.kind, "deepspeed");
    EXPECT_EQ(at(imported, "/parallelism/zero_stage"), 3);
    EXPECT_EQ(at(imported, "/parallelism/shard_group"), 8); // from mics_shard_size
    EXPECT_EQ(at(imported, "/offload/optimizer"), 0.5);
    EXPECT_EQ(at(imported, "/precision/compute"), "bf16");
    EXPECT_EQ(account_of(imported, "zero_optimization.prefetch_bucket_size"),
              "ignored: the plan's software stack accounts for it");
    EXPECT_EQ(account_of(imported, "not_a_key_of_deepspeed"), "ignored: not a known option of deepspeed");
    EXPECT_EQ(account_of(imported, "scheduler.params.total_num_steps"), "/run/tokens");
    EXPECT_TRUE(imported.faults.empty()) << faults_of(imported);
    EXPECT_TRUE(is_accepted(imported));
}

TEST(DeepSpeedImport, three_batch_sizes_give_the_number_of_data_parallel_ranks) {
    const Imported imported = import_texts({example("deepspeed.json")});
    EXPECT_EQ(at(imported, "/parallelism/data"), 32);
    EXPECT_TRUE(assumes(imported, "/parallelism/data"));
    EXPECT_EQ(at(imported, "/cluster/tiers/1/accelerators"), 32);
    EXPECT_NE(fault_of(deepspeed(R"("train_batch_size": 100, "train_micro_batch_size_per_gpu": 8,
                                    "gradient_accumulation_steps": 2)"),
                       "train_batch_size"),
              "");
}

TEST(DeepSpeedImport, one_batch_size_alone_means_no_accumulation) {
    const Imported batch = deepspeed(R"("train_batch_size": 64)");
    EXPECT_EQ(at(batch, "/parallelism/data"), 8);
    EXPECT_EQ(at(batch, "/batch/micro_sequences"), 8);
    const Imported micro = deepspeed(R"("train_micro_batch_size_per_gpu": 4)");
    EXPECT_EQ(at(micro, "/batch/global_sequences"), 32);
    const Imported both = deepspeed(R"("train_batch_size": 64, "train_micro_batch_size_per_gpu": 2)");
    EXPECT_EQ(at(both, "/batch/micro_sequences"), 2);
    EXPECT_EQ(at(both, "/batch/global_sequences"), 64);
    EXPECT_NE(faults_of(deepspeed(R"("steps_per_print": 10, "zero_optimization": {"stage": 1})")), "");
}

TEST(DeepSpeedImport, sequence_parallel_ranks_do_not_count_as_replicas) {
    const Imported imported = deepspeed(R"("train_batch_size": 16, "train_micro_batch_size_per_gpu": 1,
        "gradient_accumulation_steps": 4, "sequence_parallel_size": 8)");
    EXPECT_EQ(at(imported, "/parallelism/data"), 4);
    EXPECT_EQ(at(imported, "/parallelism/context"), 8);
    EXPECT_EQ(at(imported, "/cluster/tiers/1/accelerators"), 32);
}

TEST(DeepSpeedImport, auto_is_left_to_the_calling_program) {
    const Imported imported = import_texts({example("deepspeed_auto.json")});
    EXPECT_EQ(account_of(imported, "train_batch_size"), "ignored: \"auto\": filled in by the calling program");
    EXPECT_EQ(at(imported, "/batch/micro_sequences"), 1);
    EXPECT_EQ(at(imported, "/parallelism/zero_stage"), 2);
    EXPECT_TRUE(assumes(imported, "/precision/compute"));
    EXPECT_TRUE(imported.faults.empty()) << faults_of(imported);
}

TEST(DeepSpeedImport, methods_that_change_the_work_of_a_step_are_not_modeled) {
    const std::string unmodeled = "ignored: not modeled: it may change memory, traffic or step time";
    const Imported imported = deepspeed(R"("train_batch_size": 8,
        "compression_training": {"layer_reduction": {"enabled": true, "keep_number_layer": 6}},
        "curriculum_learning": {"enabled": true, "curriculum_type": "seqlen"}, "data_efficiency": {"enabled": false})");
    for (const char *const option : {"compression_training.layer_reduction.enabled", "curriculum_learning.enabled",
                                     "curriculum_learning.curriculum_type"})
        EXPECT_EQ(account_of(imported, option), unmodeled) << option;
    EXPECT_EQ(account_of(imported, "data_efficiency.enabled"), "ignored: does not change memory, traffic or step time");
}

TEST(DeepSpeedImport, states_follow_the_weights_format) {
    const auto precision = [](const std::string &members) {
        return at(deepspeed("\"train_batch_size\": 8, " + members), "/precision");
    };
    // Gradients are accumulated in FP32 only without ZeRO.
    EXPECT_EQ(precision(R"("bf16": {"enabled": true})")["gradients"], "fp32");
    EXPECT_EQ(precision(R"("bf16": {"enabled": true}, "zero_optimization": {"stage": 1})")["gradients"], "bf16");
    for (const char *const name : {"fp32", "torch.float32", "float"})
        EXPECT_EQ(precision(R"("fp16": {"enabled": true}, "data_types": {"grad_accum_dtype": ")" + std::string(name)
                            + "\"}")["gradients"],
                  "fp32")
            << name;
    const Json lean = precision(R"("bf16": {"enabled": true, "bf16_master_weights_and_grads": true,
        "bf16_optimizer_states": true}, "zero_optimization": {"stage": 3})");
    EXPECT_EQ(lean["master"], "none");
    EXPECT_EQ(lean["moments"], "bf16");
    EXPECT_EQ(precision(R"("bfloat16": {"enabled": true})")["compute"], "bf16"); // older name of "bf16"
    EXPECT_NE(fault_of(deepspeed(R"("train_batch_size": 8, "bf16": {"enabled": true}, "fp16": {"enabled": true})"),
                       "bf16.enabled"),
              "");
}

TEST(DeepSpeedImport, a_json_beside_a_script_stands_in_the_account_with_a_prefix) {
    const Imported imported = import_texts(
        {json(R"("train_batch_size": 256, "train_micro_batch_size_per_gpu": 2, "zero_optimization": {"stage": 1},
                 "fp16": {"enabled": true})"),
         script("--fp16 --zero-stage 1 --tensor-model-parallel-size 2")});
    EXPECT_EQ(imported.kind, "megatron"); // the script determines the kind, whatever the order of the files
    EXPECT_EQ(account_of(imported, "deepspeed.train_batch_size"), "/batch/global_sequences");
    EXPECT_EQ(account_of(imported, "deepspeed.zero_optimization.stage"), "/parallelism/zero_stage");
    EXPECT_EQ(account_of(imported, "--global-batch-size"), "/batch/global_sequences");
    EXPECT_EQ(at(imported, "/parallelism/data"), 16);
    EXPECT_EQ(at(imported, "/precision/compute"), "fp16");
    EXPECT_TRUE(imported.faults.empty()) << faults_of(imported);
}

TEST(DeepSpeedImport, what_script_and_json_say_differently_is_a_fault) {
    const Imported imported = import_texts(
        {script("--bf16 --zero-stage 1"),
         json(R"("train_batch_size": 512, "train_micro_batch_size_per_gpu": 4, "zero_optimization": {"stage": 2},
                 "fp16": {"enabled": true})")});
    EXPECT_EQ(fault_of(imported, "deepspeed.train_batch_size"), "512 differs from --global-batch-size = 256");
    EXPECT_NE(fault_of(imported, "deepspeed.train_micro_batch_size_per_gpu"), "");
    EXPECT_NE(fault_of(imported, "deepspeed.zero_optimization.stage"), "");
    EXPECT_NE(fault_of(imported, "deepspeed.fp16.enabled"), "");
    EXPECT_EQ(at(imported, "/batch/global_sequences"), 256);
    EXPECT_EQ(at(imported, "/parallelism/zero_stage"), 1);
}

TEST(DeepSpeedImport, a_here_document_of_the_script_is_its_json) {
    const Imported imported = import_texts({example("megatron_deepspeed.sh")});
    EXPECT_EQ(imported.kind, "megatron");
    EXPECT_EQ(account_of(imported, "deepspeed.train_batch_size"), "/batch/global_sequences");
    EXPECT_EQ(account_of(imported, "deepspeed.steps_per_print").substr(0, 7), "ignored");
    EXPECT_EQ(at(imported, "/parallelism/data"), 4);
    EXPECT_EQ(at(imported, "/recompute/mode"), "full");
    EXPECT_TRUE(imported.faults.empty()) << faults_of(imported);
}

TEST(DeepSpeedImport, sed_commands_of_the_script_fill_a_template) {
    const LaunchFile filled{.name = "train.sh",
                            .text = "ZERO=2\nsed \"s/GBSIZE/256/\" template.json | sed 's/MBSIZE/2/' "
                                    "| sed \"s/ZERO_STAGE/${ZERO}/\" > ds.json\n"
                                + script("--fp16 --zero-stage 2").text};
    const Imported imported =
        import_texts({filled, json(R"("train_batch_size": GBSIZE, "train_micro_batch_size_per_gpu": MBSIZE,
                         "zero_optimization": {"stage": ZERO_STAGE})")});
    EXPECT_EQ(account_of(imported, "deepspeed.zero_optimization.stage"), "/parallelism/zero_stage");
    EXPECT_TRUE(imported.faults.empty()) << faults_of(imported);
    const Imported open = deepspeed(R"("train_batch_size": GBSIZE, "zero_optimization": {"stage": 1})");
    EXPECT_NE(fault_of(open, "train_batch_size"), "");
}

TEST(DeepSpeedImport, only_the_trainer_fills_in_auto) {
    const Imported imported =
        import_texts({script("--fp16"), json(R"("train_batch_size": "auto", "zero_optimization": {"stage": 1})")});
    EXPECT_NE(fault_of(imported, "deepspeed.train_batch_size").find("Megatron-DeepSpeed"), std::string::npos);
}

TEST(DeepSpeedImport, sharded_weights_exclude_the_pipeline_engine) {
    const Imported imported =
        import_texts({script("--fp16 --pipeline-model-parallel-size 2"), json(R"("zero_optimization": {"stage": 2})")});
    EXPECT_NE(fault_of(imported, "deepspeed.zero_optimization.stage"), "");
}

TEST(DeepSpeedImport, what_is_no_json_is_rejected) {
    EXPECT_NE(import_rejection_of("{\"train_batch_size\": ", "deepspeed"), "");
    EXPECT_NE(import_rejection_of("[1, 2]", "deepspeed"), "");
}

TEST(DeepSpeedImport, zero_bubble_is_a_schedule_that_excludes_sequence_parallelism) {
    const auto read = [](const std::string &more) {
        return import_texts({script("--tensor-model-parallel-size 2 --pipeline-model-parallel-size 4 " + more),
                             json(R"("bf16": {"enabled": true})")});
    };
    const Imported exact = read("--enable-zbh1-pipeline --enable-zbh1-exact-semantics");
    EXPECT_EQ(at(exact, "/parallelism/schedule"), "zb-h1");
    EXPECT_EQ(at(exact, "/stack"), "megatron-deepspeed-2024");
    EXPECT_EQ(account_of(exact, "--enable-zbh1-pipeline"), "/parallelism/schedule");
    EXPECT_EQ(account_of(exact, "--enable-zbh1-exact-semantics"), "/parallelism/schedule");
    EXPECT_FALSE(assumes(exact, "/parallelism/schedule"));
    EXPECT_EQ(faults_of(exact), "");
    EXPECT_TRUE(is_accepted(exact));
    EXPECT_TRUE(assumes(read("--enable-zbh1-pipeline"), "/parallelism/schedule"));
    EXPECT_NE(fault_of(read("--enable-zbh1-pipeline --sequence-parallel"), "--enable-zbh1-pipeline"), "");
    EXPECT_NE(fault_of(read("--enable-zbh1-exact-semantics"), "--enable-zbh1-exact-semantics"), "");
    EXPECT_EQ(at(read(""), "/stack"), "megatron-deepspeed-2022");
}
