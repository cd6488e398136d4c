// SPDX-License-Identifier: GPL-3.0-or-later
// Tests forms of launch scripts seen in practice: loops over settings, printed commands, JSON written by a script,
// older names of options, and comments that name a machine.
#include "imported_plan.h"
#include "launch/named_accelerator.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace meshwright;
using namespace meshwright::testing_launch;

namespace {

const std::string scripted_shape = "--num-layers 8 --hidden-size 1024 --num-attention-heads 8 --seq-length 2048 "
                                   "--max-position-embeddings 2048 --global-batch-size 64 --train-iters 10 --bf16";

std::string hinted_accelerator(const std::string &name, const std::string &head, const std::string &options = {}) {
    const Imported imported =
        import_text(name, head + "torchrun pretrain_gpt.py --micro-batch-size 1 " + options + scripted_shape + "\n");
    const std::string id = at(imported, "/cluster/accelerator").get<std::string>();
    for (const AssumedField &each : imported.assumed)
        if (each.field == "/cluster/accelerator")
            return id + ": " + each.why;
    return id + ": stated";
}

} // namespace

TEST(AcceleratorHint, a_remark_or_a_name_is_a_hint_with_its_reason) {
    EXPECT_EQ(hinted_accelerator("run.sh", "# for 8 nodes of A100\n"), "a100-sxm-80gb: mentioned in a comment");
    EXPECT_EQ(hinted_accelerator("llama3_h200.sh", "# for A100\n"), "h200-sxm-141gb: from the file name");
    EXPECT_EQ(hinted_accelerator("/data/a100/run.sh", ""), "h100-sxm-80gb: the file does not name the accelerator");
    EXPECT_EQ(hinted_accelerator("run.sh", "# tested on A100 and H200\n"),
              "h100-sxm-80gb: the file does not name the accelerator");
    EXPECT_EQ(hinted_accelerator("run.sh", "# for (H100/H200) and GB200\n"),
              "h100-sxm-80gb: the file does not name the accelerator");
    EXPECT_EQ(hinted_accelerator("run.sh", "# as examples/run_gb200.sh, see also b200.sh\n"),
              "h100-sxm-80gb: the file does not name the accelerator");
    EXPECT_EQ(hinted_accelerator("run.sh", "DATA=/scratch/a100/data\n", "--data-path $DATA "),
              "h100-sxm-80gb: the file does not name the accelerator");
    EXPECT_EQ(hinted_accelerator("b200.sh", "#!/bin/bash\n#SBATCH --gres=gpu:a100:4\n#SBATCH --job-name=h200\n"),
              "a100-sxm-80gb: --gres names it");
}

TEST(AcceleratorHint, names_stand_alone_and_say_which_part_of_several) {
    EXPECT_EQ(named_accelerator("8xH100 nodes"), "h100-sxm-80gb");
    EXPECT_EQ(named_accelerator("A100-SXM4-40GB"), "a100-sxm-40gb");
    EXPECT_EQ(named_accelerator("GB200 NVL72"), "gb200");
    EXPECT_EQ(named_accelerator("H100s, H100"), "h100-sxm-80gb");
    EXPECT_EQ(named_accelerator("a1000 h2000 alpha100"), "");
    EXPECT_EQ(named_accelerator("H100 or H200"), "");
    EXPECT_EQ(named_accelerator("for 8 a100-sxm-40gb GPUs: Falcon on A100"), "a100-sxm-40gb");
    EXPECT_EQ(named_accelerator("Falcon on A100, for 8 a100-sxm-40gb GPUs"), "a100-sxm-40gb");
    EXPECT_EQ(named_accelerator("a100-pcie-80gb or a100-sxm-40gb"), "");
}

TEST(AcceleratorHint, every_accelerator_of_the_catalog_is_known_by_its_id) {
    for (const PresetEntry &entry : testing_launch::library().entries())
        if (entry.kind == PresetKind::accelerator) {
            EXPECT_EQ(named_accelerator("for 8 " + entry.id + " GPUs"), entry.id);
        }
}

TEST(ScriptForms, a_loop_over_settings_is_read_at_its_first) {
    const Imported imported =
        import_text("sweep.sh",
                    "#!/bin/bash\nCONFIGS=(\"4,2\" \"2,4\")\nfor config in \"${CONFIGS[@]}\"; do\n"
                    "  IFS=',' read -r TP PP <<< \"$config\"\n"
                    "  torchrun --nproc_per_node=8 run_recipe.py \\\n"
                    "    train.global_batch_size=32 train.micro_batch_size=1 \\\n"
                    "    model.tensor_model_parallel_size=$TP \\\n"
                    "    model.pipeline_model_parallel_size=$PP\ndone\n");
    EXPECT_EQ(imported.kind, "megatron-bridge");
    EXPECT_EQ(at(imported, "/parallelism/tensor"), 4);
    EXPECT_EQ(at(imported, "/parallelism/pipeline"), 2);
    EXPECT_EQ(at(imported, "/cluster/accelerators_per_node"), 8);
}

TEST(ScriptForms, variables_for_another_script_are_read_together_unless_they_repeat_an_option) {
    const Imported imported = import_text("model.sh",
                                          "MICRO=${MICRO:-2}\n"
                                          "BATCH=\"--micro-batch-size $MICRO --global-batch-size 256 \"\n"
                                          "SMALL=\"--num-layers 4 --hidden-size 512 \"\n"
                                          "MODEL=\"--num-layers 8 --hidden-size 1024 --num-attention-heads 8 "
                                          "--seq-length 2048 --max-position-embeddings 2048 \"\n");
    EXPECT_EQ(at(imported, "/batch/micro_sequences"), 2);
    EXPECT_EQ(at(imported, "/batch/global_sequences"), 256);
    EXPECT_EQ(account_of(imported, "--global-batch-size"), "/batch/global_sequences");
    EXPECT_EQ(at(imported, "/model/hidden"), 1024);
    EXPECT_EQ(account_of(imported, "--num-layers"), "/model/layers");
}

TEST(ScriptForms, the_command_counts_and_not_what_prints_its_options) {
    const Imported imported = import_text(
        "run.sh",
        "OPTIONS=\"--micro-batch-size 1 " + scripted_shape
            + "\"\necho ${OPTIONS}\nCMD=\"deepspeed --num_nodes 2 --num_gpus 4 pretrain_gpt.py ${OPTIONS}\"\n"
              "echo $CMD\neval $CMD\n");
    EXPECT_EQ(at(imported, "/cluster/tiers/1/accelerators"), 8);
    EXPECT_EQ(at(imported, "/cluster/accelerators_per_node"), 4);
}

TEST(ScriptForms, a_quoted_command_that_is_also_printed_is_read_once) {
    const Imported imported = import_text("run.sh",
                                          "COMMAND=\"python pretrain_gpt.py --micro-batch-size 1 " + scripted_shape
                                              + "\n --seed 7\"\nsrun sh -c \"echo $COMMAND; $COMMAND\"\n");
    EXPECT_EQ(at(imported, "/batch/micro_sequences"), 1);
    EXPECT_TRUE(account_of(imported, "--seed").starts_with("ignored: ")) << account_of(imported, "--seed");
}

// sbatch sets SLURM_JOB_NUM_NODES, whose default in a script is for interactive use.
TEST(ScriptForms, the_directives_of_a_batch_job_count_for_the_whole_job) {
    const Imported imported = import_text("run.sh",
                                          "#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --gpus-per-node=8\n"
                                          "srun --nodes=${SLURM_JOB_NUM_NODES:-8} python pretrain_gpt.py "
                                          "--micro-batch-size 1 "
                                              + scripted_shape + "\n");
    EXPECT_EQ(at(imported, "/cluster/tiers").back()["accelerators"], 16);
    ASSERT_EQ(imported.understood.front().option, "--nodes");
    EXPECT_EQ(imported.understood.front().value, "2");
    EXPECT_EQ(imported.understood.front().other_values, std::vector<std::string>{"8"});
    const Imported later = import_text("run.sh",
                                       "#!/bin/bash\n#SBATCH --nodes=$NODES\n#SBATCH --gpus-per-node=8\n"
                                       "srun --nodes=4 python pretrain_gpt.py --micro-batch-size 1 "
                                           + scripted_shape + "\n");
    EXPECT_EQ(at(later, "/cluster/tiers").back()["accelerators"], 32);
}

TEST(ScriptForms, mpirun_sets_environment_variables) {
    const Imported imported =
        import_text("run.sh",
                    "mpirun --np 8 --mca btl ^openib --mca btl_tcp_if_include eth0 -x UCX_TLS=tcp "
                    "-x PATH -x NCCL_IB_DISABLE=1 python pretrain_gpt.py --micro-batch-size 1 "
                        + scripted_shape + "\n");
    EXPECT_EQ(at(imported, "/cluster/tiers").back()["accelerators"], 8);
    for (const char *const name : {"UCX_TLS", "PATH", "NCCL_IB_DISABLE"})
        EXPECT_EQ(account_of(imported, name), "ignored: an environment variable") << name;
    EXPECT_EQ(account_of(imported, "--mca btl"), "ignored: an option of the launcher");
    const auto last = std::find_if(imported.ignored.begin(), imported.ignored.end(),
                                   [](const IgnoredOption &each) { return each.option == "NCCL_IB_DISABLE"; });
    EXPECT_EQ(last->value, "1");
}

TEST(ScriptForms, an_option_that_is_stated_several_times_is_listed_once_with_its_other_values) {
    const Imported imported = import_text("run.sh",
                                          "torchrun pretrain_gpt.py --micro-batch-size 1 --component a --component b "
                                          "--lr 1e-4 --lr 1e-4 --micro-batch-size 2 --component a "
                                              + scripted_shape + "\n");
    const auto component = std::find_if(imported.ignored.begin(), imported.ignored.end(),
                                        [](const IgnoredOption &each) { return each.option == "--component"; });
    ASSERT_NE(component, imported.ignored.end());
    EXPECT_EQ(component->value, "a");
    EXPECT_EQ(component->other_values, std::vector<std::string>{"b"});
    const auto microbatch =
        std::find_if(imported.understood.begin(), imported.understood.end(),
                     [](const UnderstoodOption &each) { return each.option == "--micro-batch-size"; });
    ASSERT_NE(microbatch, imported.understood.end());
    EXPECT_EQ(microbatch->value, "2");
    EXPECT_EQ(microbatch->other_values, std::vector<std::string>{"1"});
    const nlohmann::ordered_json json = to_json(imported);
    for (const char *const list : {"understood", "ignored"})
        for (const auto &entry : json.at(list))
            EXPECT_EQ(entry.contains("other_values"),
                      entry.at("option") == "--component" || entry.at("option") == "--micro-batch-size")
                << entry;
}

TEST(ScriptForms, options_of_a_substituted_command_are_not_the_trainings) {
    const Imported imported =
        import_text("run.sh",
                    "GPUS=$(nvidia-smi --query-gpu=name --format=csv,noheader | wc -l)\n"
                    "LAUNCH=\"torchrun --nnodes 2 --master_addr $(scontrol show hostnames | head -n 1)\"\n"
                    "$LAUNCH pretrain_gpt.py --micro-batch-size 1 --save \"ckpt_g${GPUS}\" "
                        + scripted_shape + "\n");
    for (const IgnoredOption &each : imported.ignored)
        EXPECT_TRUE(each.option != "--query-gpu" && each.option != "--format" && each.option != "-n") << each.option;
    EXPECT_EQ(account_of(imported, "--master_addr"), "ignored: an option of the launcher");
}

TEST(ScriptForms, redirections_of_an_evaluated_command_are_no_values) {
    const Imported imported =
        import_text("run.sh",
                    "CMD=\"torchrun --nproc_per_node 8 pretrain_gpt.py --micro-batch-size 1 " + scripted_shape
                        + " --use-flash-attn &> log/run.txt 2>&1\"\neval $CMD\n");
    for (const IgnoredOption &each : imported.ignored)
        EXPECT_EQ(each.value.find("log"), std::string::npos) << each.option;
    EXPECT_NE(account_of(imported, "--use-flash-attn"), "not at all");
}

TEST(ScriptForms, arguments_of_the_script_are_variables_without_a_value) {
    const Imported imported =
        import_text("run.sh", "torchrun pretrain_gpt.py --micro-batch-size $2 " + scripted_shape + "\n");
    EXPECT_EQ(fault_of(imported, "--micro-batch-size"), "$2 is a variable without a value in this file");
}

TEST(ScriptForms, a_recipe_names_the_model_of_its_overrides) {
    const auto model_of_recipe = [](const std::string &recipe) {
        const Imported imported = import_text("run.sh",
                                              "#!/bin/bash\nNAME=" + recipe
                                                  + "\npython run_recipe.py --recipe ${NAME} train.global_batch_size=8 "
                                                    "train.micro_batch_size=1 model.tensor_model_parallel_size=1\n");
        return at(imported, "/model").get<std::string>() + ", " + account_of(imported, "--recipe");
    };
    EXPECT_EQ(model_of_recipe("llama32_1b_pretrain_config"), "llama-3.2-1b, /model");
    EXPECT_EQ(model_of_recipe("qwen25_1p5b_sft_config"), "qwen2.5-1.5b, /model");
    EXPECT_EQ(model_of_recipe("llama3_8b"), "llama-3.1-8b, /model"); // Llama 3 has the same shape
    EXPECT_EQ(model_of_recipe("my_own_7b_pretrain_config"), "llama-1-7b, ignored: no preset has this model name");
}

TEST(ScriptForms, older_names_of_megatrons_options_are_understood) {
    const Imported imported =
        import_text("run.sh",
                    "torchrun --nproc_per_node 8 pretrain_gpt2.py --batch-size 2 --model-parallel-size 4 "
                    "--pipe-parallel-size 2 "
                        + scripted_shape + "\n");
    EXPECT_EQ(account_of(imported, "--model-parallel-size"), "/parallelism/tensor");
    EXPECT_EQ(at(imported, "/parallelism/tensor"), 4);
    EXPECT_EQ(at(imported, "/parallelism/pipeline"), 2);
    EXPECT_EQ(at(imported, "/batch/micro_sequences"), 2);
}

TEST(ScriptForms, quotes_of_a_pasted_value_are_the_shells) {
    const Imported imported =
        import_text("m.yaml",
                    "MODEL_ARGS:\n  --num-layers: 4\n  --hidden-size: 512\n  --num-attention-heads: 8\n"
                    "  --seq-length: 1024\n  --micro-batch-size: 1\n  --global-batch-size: 8\n  --num-experts: 8\n"
                    "  --disable-bias-linear: true\n  --moe-layer-freq: \"'([0]*1+[1]*3)'\"\n");
    EXPECT_EQ(account_of(imported, "--moe-layer-freq"), "/model/layers");
    EXPECT_EQ(at(imported, "/model/blocks").size(), 2u); // one dense block and one MoE block
}

TEST(ScriptForms, a_script_that_quotes_a_log_is_no_log) {
    const Imported imported = import_text(
        "run.sh",
        "#!/bin/bash\ntorchrun pretrain_gpt.py --micro-batch-size 1 " + scripted_shape
            + "\n# iteration 70/ 1000 | elapsed time per iteration (ms): 2738.6 | global batch size: 4 |\n");
    EXPECT_EQ(imported.kind, "megatron");
}

TEST(DeepSpeedScript, the_json_that_it_writes_and_its_launcher_are_read_together) {
    const std::string start = "#!/bin/bash\nBATCH=${1:-8}\n";
    const std::string document = "cat > \"$DIR/ds.json\" << EOF\n{\"train_batch_size\": $BATCH, "
                                 "\"gradient_accumulation_steps\": 1, \"zero_optimization\": {\"stage\": 3}}\nEOF\n";
    const std::string command = "deepspeed --num_gpus=4 finetune.py --deepspeed_config=$DIR/ds.json "
                                "--model_name meta-llama/Llama-3.1-8B --max_length 2048 --lr 1e-5\n";
    const Imported imported = import_text("finetune.sh", start + document + command);
    EXPECT_EQ(imported.kind, "deepspeed");
    EXPECT_EQ(at(imported, "/parallelism/zero_stage"), 3);
    EXPECT_EQ(at(imported, "/batch/global_sequences"), 8);
    EXPECT_EQ(at(imported, "/batch/sequence_length"), 2048);
    EXPECT_EQ(at(imported, "/cluster/tiers/0/accelerators"), 4);
    EXPECT_EQ(at(imported, "/model"), "llama-3.1-8b");
    EXPECT_EQ(account_of(imported, "--lr"), "ignored: an option of the training program");

    const std::string json = R"({"train_batch_size": 16, "zero_optimization": {"stage": 2}})";
    const Imported beside =
        import_texts({{.name = "ds.json", .text = json}, {.name = "finetune.sh", .text = start + command}});
    EXPECT_EQ(at(beside, "/parallelism/zero_stage"), 2);
    EXPECT_EQ(at(beside, "/cluster/tiers/0/accelerators"), 4);

    const Imported alone = import_text("finetune.sh", start + command);
    EXPECT_EQ(account_of(alone, "--deepspeed_config"), "ignored: a DeepSpeed JSON; import it together with this file");
    EXPECT_EQ(at(alone, "/stack"), "deepspeed-2023");
    for (const char *const field : {"/stack", "/parallelism/zero_stage", "/precision/compute", "/recompute/mode"})
        EXPECT_TRUE(assumes(alone, field)) << field;
    EXPECT_TRUE(is_accepted(alone));
    const Imported half =
        import_text("run.sh", "deepspeed --num_gpus=4 train.py --deepspeed --deepspeed_config zero1.json --fp16\n");
    EXPECT_EQ(at(half, "/precision/gradients"), "fp16");
    EXPECT_FALSE(assumes(half, "/precision/compute"));
    EXPECT_EQ(at(half, "/parallelism/zero_stage"), 1);
}

TEST(DeepSpeedScript, a_stage_among_the_programs_options_counts) {
    const Imported imported =
        import_text("run.sh",
                    "deepspeed main.py --model_name_or_path meta-llama/Llama-3.1-8B "
                    "--per_device_train_batch_size 4 --max_seq_len 512 --zero_stage 3 --offload --deepspeed\n");
    EXPECT_EQ(imported.kind, "hf-trainer");
    EXPECT_EQ(at(imported, "/parallelism/zero_stage"), 3);
    EXPECT_EQ(at(imported, "/offload/optimizer"), 1.0);
    EXPECT_EQ(account_of(imported, "--zero_stage"), "/parallelism/zero_stage");
    EXPECT_FALSE(assumes(imported, "/parallelism/zero_stage"));
}

TEST(ScriptForms, layers_that_an_import_cannot_tell_apart_are_named) {
    const Imported imported =
        import_text("run.sh",
                    "torchrun pretrain_gpt.py --micro-batch-size 1 --experimental-attention-variant dsa "
                    "--linear-attention-freq 4 "
                        + scripted_shape);
    EXPECT_TRUE(assumes(imported, "/model/blocks/0/mixer"));
}

TEST(ScriptForms, yaml_that_nests_without_end_is_rejected_with_that_reason) {
    const std::string text = "MODEL_ARGS: " + std::string(100'000, '[');
    EXPECT_NE(import_rejection_of(text).find("nested deeper than 64 levels"), std::string::npos);
}

TEST(ScriptForms, torchtitans_functions_without_a_flavor_of_their_own_name_a_preset) {
    const Imported imported = import_text(
        "run.json", R"({"_config": "kimi kimi_k2_5", "training": {"num_tokens_per_microbatch_per_dp_rank": 4096,
                    "max_context_length": 4096}, "parallelism": {"tensor_parallel_degree": 8}})");
    EXPECT_EQ(imported.kind, "torchtitan");
    EXPECT_EQ(at(imported, "/model"), "kimi-k2.5");
}
