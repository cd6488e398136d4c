// SPDX-License-Identifier: GPL-3.0-or-later
// Imports of Hugging Face's Trainer and Accelerate.
#include "imported_plan.h"
#include "launch/hub_names.h"

#include <gtest/gtest.h>

using namespace meshwright;
using namespace meshwright::testing_launch;

namespace {

Imported accelerate(const std::string &lines) {
    return import_text("accelerate.yaml",
                       "compute_environment: LOCAL_MACHINE\nmixed_precision: bf16\nnum_machines: 2\nnum_processes: 16\n"
                           + lines);
}

} // namespace

TEST(AccelerateImport, processes_are_those_of_all_machines) {
    const Imported imported = accelerate("distributed_type: MULTI_GPU\n");
    EXPECT_EQ(imported.kind, "accelerate");
    EXPECT_EQ(at(imported, "/cluster/accelerators_per_node"), 8);
    EXPECT_EQ(at(imported, "/parallelism/data"), 16);
    EXPECT_EQ(at(imported, "/parallelism/zero_stage"), 0);
    EXPECT_EQ(at(imported, "/precision/weights"), "fp32"); // DDP casts weights in each operation
    EXPECT_TRUE(imported.faults.empty()) << faults_of(imported);
    EXPECT_TRUE(is_accepted(imported));
}

TEST(AccelerateImport, without_a_distributed_type_there_is_one_process) {
    for (const char *const spelling : {"\"NO\"", "NO"}) {
        const Imported imported = import_text(
            "a.yaml", std::string("mixed_precision: bf16\nnum_processes: 8\ndistributed_type: ") + spelling);
        EXPECT_EQ(imported.kind, "accelerate");
        EXPECT_EQ(at(imported, "/cluster/tiers").back()["accelerators"], 1) << spelling;
        EXPECT_EQ(at(imported, "/parallelism/data"), 1) << spelling;
        EXPECT_EQ(account_of(imported, "distributed_type"), "/cluster/tiers/1/accelerators") << spelling;
        EXPECT_EQ(account_of(imported, "num_processes"), "ignored: distributed_type NO starts one process");
        EXPECT_EQ(at(imported, "/precision/weights"), "fp32");
    }
}

TEST(AccelerateImport, sharding_strategies_are_stages_of_zero) {
    const auto sharding = [](const std::string &lines) {
        return at(accelerate("distributed_type: FSDP\nfsdp_config:\n" + lines), "/parallelism");
    };
    EXPECT_EQ(sharding("  fsdp_sharding_strategy: FULL_SHARD\n")["zero_stage"], 3);
    EXPECT_EQ(sharding("  fsdp_sharding_strategy: SHARD_GRAD_OP\n")["zero_stage"], 2);
    EXPECT_EQ(sharding("  fsdp_sharding_strategy: 2\n")["zero_stage"], 2);
    EXPECT_EQ(sharding("  fsdp_sharding_strategy: NO_SHARD\n")["zero_stage"], 0);
    EXPECT_EQ(sharding("  fsdp_version: 2\n  fsdp_reshard_after_forward: false\n")["zero_stage"], 2);
    EXPECT_EQ(sharding("  fsdp_version: 2\n")["zero_stage"], 3);
    const Json hybrid = sharding("  fsdp_sharding_strategy: HYBRID_SHARD\n");
    EXPECT_EQ(hybrid["zero_stage"], 3);
    EXPECT_EQ(hybrid["shard_group"], 8); // HYBRID_SHARD shards within a node
}

TEST(AccelerateImport, sizes_of_a_parallelism_config_multiply_to_the_processes) {
    const Imported imported = import_texts({example("accelerate.yaml")});
    EXPECT_EQ(at(imported, "/parallelism/tensor"), 2);
    EXPECT_EQ(at(imported, "/parallelism/data"), 16);
    EXPECT_EQ(at(imported, "/parallelism/shard_group"), 8);
    EXPECT_EQ(at(imported, "/parallelism/zero_stage"), 2);
    EXPECT_EQ(at(imported, "/recompute/mode"), "full");
    EXPECT_TRUE(imported.faults.empty()) << faults_of(imported);
    const Imported wrong = accelerate("distributed_type: FSDP\nparallelism_config:\n"
                                      "  parallelism_config_tp_size: 2\n  parallelism_config_dp_shard_size: 4\n");
    EXPECT_NE(faults_of(wrong), "");
}

TEST(AccelerateImport, a_deepspeed_json_comes_with_the_file_that_names_it) {
    const std::string lines = "distributed_type: DEEPSPEED\ndeepspeed_config:\n"
                              "  deepspeed_config_file: ds.json\n";
    const Imported alone = accelerate(lines);
    EXPECT_TRUE(assumes(alone, "/parallelism/zero_stage"));
    const LaunchFile file{.name = "a.yaml",
                          .text =
                              "compute_environment: LOCAL_MACHINE\nmixed_precision: bf16\nnum_processes: 16\n" + lines};
    const Imported both = import_texts({file, example("deepspeed_auto.json")});
    EXPECT_EQ(both.kind, "accelerate");
    EXPECT_EQ(at(both, "/parallelism/zero_stage"), 2);
    EXPECT_EQ(account_of(both, "deepspeed.zero_optimization.stage"), "/parallelism/zero_stage");
    EXPECT_EQ(at(both, "/stack"), "deepspeed-2023");
    EXPECT_TRUE(both.faults.empty()) << faults_of(both);
}

TEST(AccelerateImport, its_own_options_set_up_deepspeed_too) {
    const Imported imported = accelerate("distributed_type: DEEPSPEED\ndeepspeed_config:\n  zero_stage: 1\n"
                                         "  gradient_accumulation_steps: 4\n  offload_optimizer_device: cpu\n");
    EXPECT_EQ(at(imported, "/parallelism/zero_stage"), 1);
    EXPECT_EQ(at(imported, "/offload/optimizer"), 1.0);
    EXPECT_EQ(at(imported, "/batch/global_sequences"), 64);
}

TEST(AccelerateImport, megatron_behind_accelerate_has_its_degrees) {
    const Imported imported = accelerate("distributed_type: MEGATRON_LM\nmegatron_lm_config:\n"
                                         "  megatron_lm_tp_degree: 4\n  megatron_lm_pp_degree: 2\n"
                                         "  megatron_lm_num_micro_batches: 8\n"
                                         "  megatron_lm_sequence_parallelism: true\n"
                                         "  megatron_lm_use_distributed_optimizer: true\n");
    EXPECT_EQ(at(imported, "/parallelism/tensor"), 4);
    EXPECT_EQ(at(imported, "/parallelism/pipeline"), 2);
    EXPECT_EQ(at(imported, "/parallelism/context"), 2); // Accelerate's default
    EXPECT_TRUE(assumes(imported, "/parallelism/context"));
    EXPECT_EQ(at(imported, "/parallelism/zero_stage"), 1);
    EXPECT_EQ(at(imported, "/batch/global_sequences"), 8);
    const Imported stated = accelerate("distributed_type: MEGATRON_LM\nmegatron_lm_config:\n"
                                       "  megatron_lm_tp_degree: 4\n  megatron_lm_context_parallel_size: 1\n");
    EXPECT_EQ(at(stated, "/parallelism/data"), 4);
    EXPECT_FALSE(assumes(stated, "/parallelism/context"));
}

TEST(AccelerateImport, megatron_behind_accelerate_recomputes_what_its_method_says) {
    const auto recompute = [](const std::string &method) {
        return at(accelerate("distributed_type: MEGATRON_LM\nmegatron_lm_config:\n  megatron_lm_pp_degree: 2\n"
                             "  megatron_lm_recompute_granularity: full\n  megatron_lm_recompute_method: "
                             + method + "\n  megatron_lm_recompute_num_layers: 3\n"),
                  "/recompute");
    };
    EXPECT_EQ(recompute("uniform")["mode"], "full");
    EXPECT_EQ(recompute("block")["mode"], "layers");
    EXPECT_EQ(recompute("block")["layers"], 3);
}

TEST(AccelerateImport, megatron_behind_accelerate_recomputes_all_layers_by_default) {
    const auto megatron = [](const std::string &line) {
        return accelerate("distributed_type: MEGATRON_LM\nmegatron_lm_config:\n  megatron_lm_pp_degree: 2\n" + line);
    };
    const Imported unstated = megatron("  megatron_lm_recompute_activations: true\n");
    EXPECT_EQ(at(unstated, "/recompute/mode"), "full");
    EXPECT_TRUE(assumes(unstated, "/recompute/mode"));
    EXPECT_EQ(account_of(unstated, "megatron_lm_config.megatron_lm_recompute_activations"),
              "ignored: Accelerate does not pass it to Megatron-LM");
    const Imported stated = megatron("  megatron_lm_recompute_granularity: selective\n");
    EXPECT_EQ(at(stated, "/recompute/mode"), "selective");
    EXPECT_FALSE(assumes(stated, "/recompute/mode"));
}

TEST(AccelerateImport, more_recomputed_layers_than_the_model_has_are_left_to_the_plans_checks) {
    const Imported imported = accelerate("distributed_type: MEGATRON_LM\nmegatron_lm_config:\n"
                                         "  megatron_lm_recompute_method: block\n"
                                         "  megatron_lm_recompute_num_layers: 1000000\n");
    EXPECT_EQ(at(imported, "/recompute/layers"), 1'000'000);
    EXPECT_FALSE(is_accepted(imported));
}

TEST(TrainerImport, the_model_is_named_and_the_batch_is_a_devices) {
    const Imported imported = import_texts({example("trainer.yaml")});
    EXPECT_EQ(imported.kind, "hf-trainer");
    EXPECT_EQ(imported.document["model"], "qwen2.5-32b");
    EXPECT_EQ(at(imported, "/batch/micro_sequences"), 2);
    EXPECT_EQ(at(imported, "/batch/global_sequences"), 64);
    EXPECT_EQ(at(imported, "/batch/sequence_length"), 4096);
    EXPECT_EQ(at(imported, "/recompute/mode"), "full");
    EXPECT_EQ(at(imported, "/optimizer/name"), "adam-8bit");
    EXPECT_EQ(at(imported, "/run/tokens"), 500.0 * 64 * 4096);
    EXPECT_EQ(account_of(imported, "dataset_mixture.0.weight"), "ignored: an option of the training program");
    EXPECT_TRUE(imported.faults.empty()) << faults_of(imported);
    EXPECT_TRUE(is_accepted(imported));
}

TEST(TrainerImport, a_script_is_read_with_its_launcher) {
    const Imported imported = import_texts({example("trainer.sh")});
    EXPECT_EQ(imported.kind, "hf-trainer");
    EXPECT_EQ(imported.document["model"], "llama-2-7b");
    EXPECT_EQ(at(imported, "/parallelism/data"), 16);
    EXPECT_EQ(at(imported, "/parallelism/zero_stage"), 3);
    EXPECT_EQ(at(imported, "/batch/global_sequences"), 512);
    EXPECT_EQ(at(imported, "/precision/master"), "fp32");
    EXPECT_EQ(account_of(imported, "--nproc_per_node"), "/cluster/accelerators_per_node");
    EXPECT_EQ(account_of(imported, "--fsdp_transformer_layer_cls_to_wrap").substr(0, 7), "ignored");
    EXPECT_TRUE(imported.faults.empty()) << faults_of(imported);
}

TEST(TrainerImport, replicas_keep_their_states_in_the_format_of_the_loaded_weights) {
    const auto precision = [](const std::string &lines) {
        return at(import_text("t.yaml", "per_device_train_batch_size: 1\n" + lines), "/precision");
    };
    EXPECT_EQ(precision("bf16: true\n")["weights"], "fp32");
    EXPECT_EQ(precision("bf16: true\n")["compute"], "bf16");
    EXPECT_EQ(precision("bf16: true\ntorch_dtype: bfloat16\n")["weights"], "bf16");
    EXPECT_EQ(precision("bf16: true\ntorch_dtype: bfloat16\n")["moments"], "bf16");
    EXPECT_EQ(precision("learning_rate: 1e-5\n")["compute"], "fp32");
}

TEST(TrainerImport, a_deepspeed_json_is_filled_from_the_arguments) {
    const LaunchFile script{.name = "t.sh",
                            .text = "deepspeed --num_gpus 8 train.py --model_name_or_path Qwen/Qwen2.5-7B "
                                    "--per_device_train_batch_size 2 --gradient_accumulation_steps 4 --bf16 "
                                    "--deepspeed ds.json\n"};
    const Imported filled = import_texts({script, example("deepspeed_auto.json")});
    EXPECT_EQ(filled.kind, "hf-trainer");
    EXPECT_EQ(at(filled, "/parallelism/zero_stage"), 2);
    EXPECT_EQ(at(filled, "/batch/global_sequences"), 64);
    EXPECT_EQ(at(filled, "/precision/gradients"), "bf16");
    EXPECT_EQ(account_of(filled, "deepspeed.gradient_accumulation_steps"),
              "ignored: \"auto\": filled in by the calling program");
    EXPECT_TRUE(filled.faults.empty()) << faults_of(filled);
    const Imported other = import_texts(
        {script, {.name = "ds.json", .text = R"({"train_micro_batch_size_per_gpu": 4, "zero_optimization": {"stage": 3},
                                                 "fp16": {"enabled": true}})"}});
    EXPECT_EQ(fault_of(other, "deepspeed.train_micro_batch_size_per_gpu"),
              "4 differs from --per_device_train_batch_size = 2");
    EXPECT_NE(fault_of(other, "deepspeed.fp16.enabled"), "");
}

TEST(TrainerImport, what_a_deepspeed_json_states_is_not_assumed) {
    const LaunchFile file{.name = "t.yaml", .text = "per_device_train_batch_size: 2\nbf16: true\ndeepspeed: ds.json\n"};
    const Imported both = import_texts({file, example("deepspeed_auto.json")});
    EXPECT_EQ(at(both, "/parallelism/zero_stage"), 2);
    EXPECT_FALSE(assumes(both, "/parallelism/zero_stage"));
    EXPECT_TRUE(assumes(both, "/stack"));
    const Imported open =
        import_texts({file, {.name = "ds.json", .text = R"({"train_batch_size": "auto", "gradient_clipping": 1})"}});
    EXPECT_EQ(at(open, "/parallelism/zero_stage"), 0);
    EXPECT_TRUE(assumes(open, "/parallelism/zero_stage"));
    // An Accelerate file assumes stage 2 where it says none.
    const Imported three = import_texts(
        {file,
         {.name = "a.yaml",
          .text = "compute_environment: LOCAL_MACHINE\ndistributed_type: DEEPSPEED\nnum_processes: 8\n"},
         {.name = "ds.json", .text = R"({"train_batch_size": "auto", "zero_optimization": {"stage": 3}})"}});
    EXPECT_EQ(at(three, "/parallelism/zero_stage"), 3);
    EXPECT_FALSE(assumes(three, "/parallelism/zero_stage"));
}

TEST(TrainerImport, deepspeed_sums_gradients_in_the_format_of_the_weights) {
    const LaunchFile trainer{.name = "t.yaml", .text = "per_device_train_batch_size: 2\nbf16: true\n"};
    const LaunchFile zero3{.name = "zero3.yaml",
                           .text = "compute_environment: LOCAL_MACHINE\ndistributed_type: DEEPSPEED\n"
                                   "mixed_precision: bf16\nnum_processes: 8\ndeepspeed_config:\n  zero_stage: 3\n"};
    EXPECT_EQ(at(import_texts({zero3}), "/precision/gradients"), "bf16");
    EXPECT_EQ(at(import_texts({trainer, zero3}), "/precision/gradients"), "bf16");
    LaunchFile alone = trainer;
    alone.text += "deepspeed: ds_z3.json\n";
    EXPECT_EQ(at(import_texts({alone}), "/precision/gradients"), "bf16");
    EXPECT_EQ(at(import_texts({alone}), "/stack"), "deepspeed-2023");
    EXPECT_EQ(at(import_texts({trainer}), "/precision/gradients"), "fp32");
}

TEST(TrainerImport, number_formats_that_nobody_states_are_assumed) {
    const auto run = [](const std::string &options) {
        return import_text("t.sh",
                           "deepspeed --num_gpus 8 main.py --model_name_or_path meta-llama/Llama-2-7b-hf "
                           "--per_device_train_batch_size 4 "
                               + options + "\n");
    };
    const Imported chat = run("--zero_stage 0 --deepspeed");
    EXPECT_EQ(at(chat, "/precision/compute"), "fp16");
    EXPECT_EQ(at(chat, "/precision/gradients"), "fp16");
    EXPECT_EQ(at(chat, "/precision/master"), "fp32");
    EXPECT_TRUE(assumes(chat, "/precision/compute"));
    const Imported stated = run("--zero_stage 3 --dtype bf16 --deepspeed");
    EXPECT_EQ(at(stated, "/precision/compute"), "bf16");
    EXPECT_FALSE(assumes(stated, "/precision/compute"));
    EXPECT_EQ(account_of(stated, "--dtype"), "/precision/compute");
    const Imported plain = run("");
    EXPECT_EQ(at(plain, "/precision/compute"), "fp32");
    EXPECT_TRUE(assumes(plain, "/precision/compute"));
    const Imported named = run("--deepspeed --deepspeed_config ds_zero2.json");
    EXPECT_EQ(at(named, "/stack"), "deepspeed-2023");
    EXPECT_EQ(at(named, "/parallelism/zero_stage"), 2);
    EXPECT_EQ(account_of(named, "--deepspeed_config"), "ignored: a DeepSpeed JSON; import it together with this file");
}

TEST(TrainerImport, an_accelerate_file_states_the_machines_of_a_trainer) {
    const Imported imported = import_texts({example("accelerate.yaml"), example("trainer.yaml")});
    EXPECT_EQ(imported.kind, "hf-trainer");
    EXPECT_EQ(at(imported, "/parallelism/data"), 16);
    EXPECT_EQ(at(imported, "/batch/global_sequences"), 128);
    EXPECT_EQ(account_of(imported, "accelerate.num_processes"), "/cluster/tiers/1/accelerators");
    EXPECT_EQ(account_of(imported, "accelerate.machine_rank").substr(0, 7), "ignored");
    EXPECT_TRUE(imported.faults.empty()) << faults_of(imported);
}

TEST(TrainerImport, accelerate_launch_states_machines_on_the_command_line) {
    const Imported imported = import_text("t.sh",
                                          "accelerate launch --num_processes 16 --num_machines 2 --use_fsdp "
                                          "--fsdp_sharding_strategy SHARD_GRAD_OP train.py "
                                          "--model_name_or_path mistralai/Mistral-7B-v0.1 --bf16 "
                                          "--per_device_train_batch_size 1 --output_dir out\n");
    EXPECT_EQ(at(imported, "/parallelism/data"), 16);
    EXPECT_EQ(at(imported, "/parallelism/zero_stage"), 2);
    EXPECT_EQ(imported.document["model"], "mistral-7b");
    EXPECT_TRUE(imported.faults.empty()) << faults_of(imported);
}

TEST(TrainerImport, work_other_than_training_is_reported) {
    const Imported imported = import_text("t.sh",
                                          "torchrun --nproc_per_node 8 scripts/run_inference.py --output_dir out "
                                          "--model_name_or_path mistralai/Mistral-7B-v0.1 --bf16 "
                                          "--per_device_train_batch_size 1\n");
    EXPECT_TRUE(fault_of(imported, "run_inference.py").starts_with("launches inference, not training"))
        << faults_of(imported);
}

TEST(HubNames, variants_of_a_model_are_the_model) {
    EXPECT_EQ(preset_of_hub_name("Qwen/Qwen2.5-32B-Instruct", library()), "qwen2.5-32b");
    EXPECT_EQ(preset_of_hub_name("meta-llama/Meta-Llama-3.1-70B-Instruct", library()), "llama-3.1-70b");
    EXPECT_EQ(preset_of_hub_name("/models/Llama-2-7b-chat-hf/", library()), "llama-2-7b");
    EXPECT_EQ(preset_of_hub_name("gpt2", library()), "gpt2");
    EXPECT_EQ(preset_of_hub_name("someone/unknown-3b", library()), "");
    EXPECT_EQ(preset_of_hub_name("", library()), "");
}
