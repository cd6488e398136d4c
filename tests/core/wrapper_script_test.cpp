// SPDX-License-Identifier: GPL-3.0-or-later
// Tests scripts that set variables and start another script, and overrides of NeMo's launcher.
#include "imported_plan.h"
#include "launch/assumed_model.h"
#include "launch/shell_calls.h"
#include "launch/shell_script.h"

#include <gtest/gtest.h>

using namespace meshwright;
using namespace meshwright::testing_launch;

namespace {

const std::string wrapper = "#!/bin/bash\nexport MODEL=Mixtral-8x7B\nexport SEQ_LEN=8192\nexport RUN_NAME=\nSTEPS=7\n"
                            "PP=2 VPP=4 TP=4 EP=8 NNODES=4 MBS=1 GBS=256 PR=bf16 bash ./submit.sh "
                            "--recompute-granularity selective --recompute-modules moe_act layernorm\n"
                            "PP=8 TP=1 GBS=512 bash ./submit.sh\n";

const std::string submitted =
    "#!/bin/bash\nSTEPS=${STEPS:-20}\nMODEL_OPTIONS=\"--num-layers 16 --hidden-size 2048 --num-attention-heads 16\"\n"
    "torchrun --nnodes ${NNODES} --nproc_per_node 8 pretrain_gpt.py ${MODEL_OPTIONS} \\\n"
    "  --tensor-model-parallel-size ${TP} --pipeline-model-parallel-size $PP --seq-length ${SEQ_LEN} \\\n"
    "  --micro-batch-size ${MBS:-2} --global-batch-size ${GBS} --train-iters ${STEPS} --bf16 $@\n";

/// @param fields  values by their pointers
void expect_fields(const Imported &imported, const Json &fields) {
    for (const auto &[pointer, value] : fields.items())
        EXPECT_EQ(at(imported, pointer), value) << pointer;
}

std::vector<std::string> words_of(const std::string &text, const std::vector<ShellFile> &files) {
    return read_shell_script(text, UnknownConditions::fail, {}, files).commands.front();
}

} // namespace

TEST(ShellCalls, the_word_that_names_a_script_is_found) {
    EXPECT_EQ(called_script({"bash", "-x", "./run", "--a"}), 2u);
    EXPECT_EQ(called_script({"./run.sh", "1"}), 0u);
    EXPECT_EQ(called_script({".", "conf/a.conf"}), 1u);
    EXPECT_EQ(called_script({"sbatch", "-N", "4", "train.sbatch"}), 3u);
    EXPECT_EQ(called_script({"bash", "-c", "run.sh"}), std::nullopt);
    EXPECT_EQ(called_script({"srun", "train.py", "run.sh"}), std::nullopt);
    EXPECT_EQ(called_script({"echo", "run.sh"}), std::nullopt);
    EXPECT_EQ(called_script({}), std::nullopt);
}

TEST(ShellCalls, a_started_script_sees_what_is_handed_down_and_a_sourced_one_everything) {
    const std::vector<ShellFile> files{{"a.sh", "run ${X:-none} $1\n"}};
    EXPECT_EQ(words_of("X=1\nbash dir/a.sh 5", files), (std::vector<std::string>{"run", "none", "5"}));
    EXPECT_EQ(words_of("export X=1\nbash a.sh 5", files), (std::vector<std::string>{"run", "1", "5"}));
    EXPECT_EQ(words_of("X=1\nexport X\nbash a.sh 5", files), (std::vector<std::string>{"run", "1", "5"}));
    EXPECT_EQ(words_of("X=1 bash a.sh 5", files), (std::vector<std::string>{"run", "1", "5"}));
    EXPECT_EQ(words_of("X=1\nsource a.sh", files), (std::vector<std::string>{"run", "1", "$1"}));
    EXPECT_EQ(words_of("X=1 first\nrun ${X:-none}", {}).front(), "first");
    EXPECT_EQ(read_shell_script("X=1 first\nrun ${X:-none}").commands.back().back(), "none");
    EXPECT_EQ(read_shell_script("f() { run $1; }\nf 1\nrun $1").commands.back().back(), "$1");
}

TEST(ShellCalls, scripts_that_call_each_other_end) {
    const std::vector<ShellFile> files{{"a.sh", "bash a.sh\nbash b.sh\n"}, {"b.sh", "bash a.sh\n. b.sh\n"}};
    EXPECT_LE(read_shell_script("bash a.sh", UnknownConditions::fail, {}, files).commands.size(), 200u);
}

TEST(WrapperScript, variables_with_one_meaning_and_options_are_read_without_the_script_that_it_calls) {
    const Imported imported = import_text("run_h100.sh", wrapper);
    EXPECT_EQ(imported.kind, "megatron");
    EXPECT_EQ(faults_of(imported), "");
    expect_fields(imported,
                  {{"/model", "mixtral-8x7b"},
                   {"/parallelism/tensor", 4},
                   {"/parallelism/pipeline", 2},
                   {"/parallelism/expert", 8},
                   {"/batch/global_sequences", 256},
                   {"/batch/sequence_length", 8192},
                   {"/cluster/tiers/1/accelerators", 32},
                   {"/precision/compute", "bf16"},
                   {"/recompute/modules", {"moe_act", "layernorm"}}});
    EXPECT_EQ(account_of(imported, "TP"), "/parallelism/tensor");
    EXPECT_EQ(account_of(imported, "MODEL"), "/model");
    EXPECT_EQ(account_of(imported, "VPP"), "ignored: its effect depends on submit.sh");
    EXPECT_EQ(account_of(imported, "RUN_NAME"), "ignored: no value, so the script's default applies");
    EXPECT_EQ(account_of(imported, "STEPS"), "not at all"); // not passed to the other script
    EXPECT_TRUE(assumes(imported, "/parallelism/zero_stage"));
    EXPECT_TRUE(assumes(imported, "/parallelism/sequence_parallel"));
    EXPECT_FALSE(assumes(imported, "/precision/compute"));
    EXPECT_TRUE(is_accepted(imported));
}

TEST(WrapperScript, the_script_that_it_calls_is_followed_where_it_is_given) {
    const LaunchFile caller{.name = "run_h100.sh", .text = wrapper};
    const LaunchFile callee{.name = "submit.sh", .text = submitted};
    for (const std::vector<LaunchFile> &files :
         {std::vector<LaunchFile>{caller, callee}, std::vector<LaunchFile>{callee, caller}}) {
        const Imported imported = import_texts(files);
        EXPECT_EQ(imported.kind, "megatron");
        EXPECT_EQ(faults_of(imported), "");
        expect_fields(imported,
                      {{"/name", "run_h100"},
                       {"/model/hidden", 2048},
                       {"/parallelism/tensor", 4},
                       {"/batch/global_sequences", 256},
                       {"/cluster/tiers/1/accelerators", 32},
                       {"/recompute/modules", {"moe_act", "layernorm"}},
                       {"/run/tokens", 20.0 * 256 * 8192}}); // STEPS is not exported
        EXPECT_FALSE(assumes(imported, "/parallelism/zero_stage"));
    }
}

TEST(WrapperScript, its_variables_fill_a_file_of_model_arguments) {
    const std::string yaml = "MODEL_ARGS:\n  --tensor-model-parallel-size: ${TP}\n  --num-layers: 16\n"
                             "  --pipeline-model-parallel-size: ${PP}\n  --hidden-size: 2048\n  --bf16: true\n"
                             "  --num-attention-heads: 16\n  --seq-length: ${SEQ_LEN}\n"
                             "  --micro-batch-size: ${MBS}\n  --global-batch-size: ${GBS}\n";
    EXPECT_NE(faults_of(import_text("model.yaml", yaml)), "");
    const Imported imported = import_texts({{.name = "run.sh", .text = wrapper}, {.name = "model.yaml", .text = yaml}});
    EXPECT_EQ(faults_of(imported), "");
    EXPECT_EQ(at(imported, "/parallelism/tensor"), 4);
    EXPECT_EQ(at(imported, "/batch/sequence_length"), 8192);
    EXPECT_EQ(at(imported, "/recompute/modules"), Json({"moe_act", "layernorm"}));
    EXPECT_EQ(at(imported, "/parallelism/zero_stage"), 0); // the script gives all options, so nothing is assumed
    EXPECT_EQ(account_of(imported, "--tensor-model-parallel-size"), "/parallelism/tensor");
    EXPECT_EQ(account_of(imported, "GBS"), "/batch/global_sequences");
}

TEST(NemoOverrides, take_the_model_of_the_file_that_they_name) {
    const std::string start = "#!/bin/bash\nROOT=${ROOT:-\"/opt/launcher\"}\nDEBUG=1 python3 ${ROOT}/main.py \\\n";
    const std::string overrides = " stages=[training] training.trainer.num_nodes=4 training.trainer.devices=8 "
                                  "training.model.tensor_model_parallel_size=4 training.model.global_batch_size=128 "
                                  "+training.model.fp8=True ~training.model.optim.bucket_cap_mb\n";
    const Imported imported = import_text("run.sh", start + "training=llama/llama3_70b" + overrides);
    EXPECT_EQ(imported.kind, "megatron-bridge");
    EXPECT_EQ(faults_of(imported), "");
    EXPECT_EQ(at(imported, "/model"), "llama-3-70b");
    EXPECT_EQ(at(imported, "/parallelism/tensor"), 4);
    EXPECT_EQ(at(imported, "/batch/global_sequences"), 128);
    EXPECT_EQ(at(imported, "/cluster/tiers/1/accelerators"), 32);
    EXPECT_EQ(at(imported, "/precision/compute"), "fp8");
    EXPECT_EQ(account_of(imported, "training"), "/model");
    EXPECT_EQ(account_of(imported, "stages"), "ignored: does not change memory, traffic or step time");
    EXPECT_EQ(account_of(imported, "training.model.tensor_model_parallel_size"), "/parallelism/tensor");
    EXPECT_EQ(account_of(imported, "training.model.optim.bucket_cap_mb").substr(0, 7), "ignored");
    EXPECT_EQ(account_of(imported, "DEBUG"), "not at all");
    EXPECT_TRUE(assumes(imported, "/parallelism/zero_stage"));

    const Imported other = import_text("run.sh", start + "training=gpt3/20b" + overrides);
    EXPECT_EQ(account_of(other, "training"), "ignored: names NeMo's model file, which was not given");
    EXPECT_TRUE(assumes(other, "/model"));

    const std::string file = "trainer:\n  num_nodes: 8\n  devices: 8\n  precision: bf16\nmodel:\n  num_layers: 44\n"
                             "  hidden_size: 6144\n  num_attention_heads: 48\n  global_batch_size: 256\n"
                             "  micro_batch_size: 4\n  encoder_seq_length: 2048\n"
                             "  pipeline_model_parallel_size: 1\n  optim:\n    name: distributed_fused_adam\n";
    const Imported whole = import_texts(
        {{.name = "20b.yaml", .text = file}, {.name = "run.sh", .text = start + "training=gpt3/20b" + overrides}});
    EXPECT_EQ(faults_of(whole), "");
    EXPECT_EQ(at(whole, "/model/hidden"), 6144);
    EXPECT_EQ(at(whole, "/batch/global_sequences"), 128);
    EXPECT_EQ(at(whole, "/cluster/tiers/1/accelerators"), 32);
    EXPECT_FALSE(assumes(whole, "/parallelism/zero_stage"));
    EXPECT_EQ(account_of(whole, "training"), "ignored: names NeMo's model file, which is also read");
}

TEST(AssumedModel, is_the_closest_in_size_to_the_named_one_that_the_degrees_can_split) {
    const auto imported_with = [](const std::string &model, int chunks) {
        return import_text("run.sh",
                           "#!/bin/bash\npython3 main.py training=" + model
                               + " stages=[training] training.trainer.num_nodes=64 training.trainer.devices=8 "
                                 "training.model.tensor_model_parallel_size=8 training.model.micro_batch_size=1 "
                                 "training.model.pipeline_model_parallel_size=16 training.model.global_batch_size=1024 "
                                 "training.model.virtual_pipeline_model_parallel_size="
                               + std::to_string(chunks) + "\n");
    };
    const auto why = [](const Imported &imported) {
        for (const AssumedField &each : imported.assumed)
            if (each.field == "/model")
                return each.why;
        return std::string();
    };
    const Imported close = imported_with("llama/llama3_60b", 1);
    EXPECT_EQ(faults_of(close), "");
    EXPECT_EQ(at(close, "/model"), "llama-1-65b");
    EXPECT_EQ(why(close), "no preset is named llama/llama3_60b; the model is the preset closest in size");
    const Imported deep = imported_with("llama/llama3_60b", 6); // 96 stages
    EXPECT_EQ(faults_of(deep), "");
    EXPECT_TRUE(is_accepted(deep));
    EXPECT_GE(library().model(at(deep, "/model").get<std::string>())->layer_count(), 96);
    EXPECT_EQ(why(deep),
              "no preset is named llama/llama3_60b; the model is the preset closest in size among those that these "
              "parallel degrees divide");
    const Imported deepest = imported_with("llama/llama3_60b", 11); // 176 stages
    EXPECT_FALSE(is_accepted(deepest));
    ASSERT_EQ(deepest.faults.size(), 1u); // the file's model may have 176 layers
    EXPECT_EQ(deepest.faults.front().why,
              "the file does not state the model's shape, and no preset matches what it states");
    EXPECT_EQ(why(deepest),
              "no preset fits these parallel degrees; no preset is named llama/llama3_60b; the model is the preset "
              "closest in size");
    const Imported nameless = imported_with("mine/large", 6);
    EXPECT_EQ(faults_of(nameless), "");
    EXPECT_EQ(
        why(nameless),
        "no preset is named mine/large; the model is the preset closest in size to Llama 3.1 8B among those that these "
        "parallel degrees divide");
}

TEST(AssumedModel, comes_from_the_file_name_if_the_file_names_none) {
    const std::string overrides = "train:\n  global_batch_size: 8\n  micro_batch_size: 1\noptimizer:\n  lr: 0.0003\n";
    const auto assumed = [](const Imported &imported) {
        const auto found = std::find_if(imported.assumed.begin(), imported.assumed.end(),
                                        [](const AssumedField &each) { return each.field == "/model"; });
        return found == imported.assumed.end() ? std::string() : found->value.get<std::string>() + ": " + found->why;
    };
    EXPECT_EQ(assumed(import_text("llama32_1b_pretrain.yaml", overrides)), "llama-3.2-1b: from the file name");
    EXPECT_EQ(assumed(import_text("mine_70b.yaml", overrides)),
              "llama-3-70b: no preset is named mine_70b; the model is the preset closest in size");
    EXPECT_EQ(assumed(import_text("mine.yaml", overrides)), "llama-3.1-8b: the file does not state the model's shape");
    const std::string named = "model_name_or_path: llama/tuned\nper_device_train_batch_size: 1\nbf16: true\n";
    EXPECT_EQ(assumed(import_text("13b_lora.yaml", named)),
              "llama-1-13b: no preset is named 13b_lora; the model is the preset closest in size");
    // The letters and digits of "llama-1-13b", "qwen2.5-7b" and "llama-3.2-1b", but other sizes.
    for (const char *const name : {"llama_1.3b.yaml", "llama-1p3b_pretrain.yaml", "qwen2_57b.yaml", "llama3_21b.yaml"})
        EXPECT_EQ(assumed(import_text(name, overrides)).find("from the file name"), std::string::npos) << name;
    EXPECT_EQ(assumed(import_text("22b.yaml", "model_name_or_path: gpt/tuned\nper_device_train_batch_size: 1\n")),
              "gpt-neox-20b: no preset is named 22b; the model is the preset closest in size");
    EXPECT_EQ(assumed(import_text("qwen3-8b.yaml", "model_name_or_path: ./ckpt\nper_device_train_batch_size: 1\n")),
              "qwen3-8b: from the file name");
    EXPECT_EQ(assumed(import_text("llama32_1b.yaml", named)),
              "llama-1b-profile: no preset is named llama32_1b; the model is the preset closest in size");
    const std::string hostile = assumed(import_text("mine\n\x1b[2J_70b.yaml", overrides));
    EXPECT_EQ(hostile.find_first_of("\n\x1b"), std::string::npos) << hostile;
    EXPECT_EQ(assumed(import_text("32b.yaml", "model_name_or_path: a/mine-7b\nper_device_train_batch_size: 1\n")),
              "llama-1-7b: no preset is named a/mine-7b; the model is the preset closest in size");
}

TEST(AssumedModel, is_not_shaped_by_options_that_describe_only_a_part_of_it) {
    const Imported imported = import_text("llama32_1b_pretrain.yaml",
                                          "model:\n  num_layers: 4\ntrain:\n  global_batch_size: 8\n"
                                          "  micro_batch_size: 1\noptimizer:\n  lr: 0.0003\n");
    EXPECT_EQ(at(imported, "/model"), "llama-3.2-1b");
    EXPECT_TRUE(account_of(imported, "model.num_layers").starts_with("ignored: the plan has a model preset"))
        << account_of(imported, "model.num_layers");
}

TEST(AssumedModel, of_a_script_for_the_trainer_may_be_named_by_any_option) {
    const Imported imported = import_text("run.sh",
                                          "deepspeed main.py --max_seq_len 4096 --lm_model_name_or_path "
                                          "meta-llama/Llama-2-7b --per_device_train_batch_size 1 "
                                          "--deepspeed --zero_stage 3\n");
    EXPECT_EQ(at(imported, "/model"), "llama-2-7b");
}

TEST(AssumedModel, has_experts_where_the_name_says_so) {
    const auto assumed = [](const std::string &name) {
        return import_text("t.yaml", "model_name_or_path: " + name + "\nper_device_train_batch_size: 1\nbf16: true\n");
    };
    EXPECT_EQ(at(assumed("mistralai/Mixtral-8x22B-v0.1"), "/model"), "dbrx"); // 132e9 parameters
    EXPECT_EQ(at(assumed("mine/mine-31b-a3b"), "/model"), "qwen3-vl-30b-a3b");
    EXPECT_NE(at(assumed("mine/mine-31b-a100"), "/model"), "qwen3-vl-30b-a3b");
    const Imported nameless = assumed("mine/large");
    EXPECT_EQ(at(nameless, "/model"), "llama-3.1-8b");
    EXPECT_TRUE(std::any_of(nameless.assumed.begin(), nameless.assumed.end(), [](const AssumedField &each) {
        return each.field == "/model" && each.why.find("no preset is named mine/large") != std::string::npos;
    }));
}

TEST(AssumedModel, reads_no_more_than_the_start_of_a_long_name) {
    std::string hostile = "mine";
    for (int i = 0; i < 200'000; ++i)
        hostile += "1p";
    for (const std::string &name : {hostile, std::string(1'000, 'x') + "-70b"}) {
        const Imported imported =
            import_text("t.yaml", "model_name_or_path: " + name + "\nper_device_train_batch_size: 1\nbf16: true\n");
        EXPECT_EQ(at(imported, "/model"), "llama-3.1-8b");
    }
}

TEST(AssumedModel, takes_the_size_from_the_name) {
    EXPECT_NEAR(named_parameters("mistralai/Mixtral-8x22B-v0.1"), 141e9, 5e9);
    EXPECT_NEAR(named_parameters("8x7b"), 46.7e9, 1e9);
    EXPECT_EQ(named_parameters("Mixtral-8X7B"), named_parameters("8x7b"));
    EXPECT_EQ(named_parameters("llama/llama3_30b"), 30e9);
    EXPECT_EQ(named_parameters("gpt3/126m"), 126e6);
    EXPECT_EQ(named_parameters("Qwen/Qwen2.5-3B-Instruct"), 3e9);
    EXPECT_EQ(named_parameters("qwen2_1p5b_pretrain_config"), 1.5e9);
    EXPECT_EQ(named_parameters("qwen35_0_8b"), 0.8e9);
    EXPECT_EQ(named_parameters("qwen35_8b"), 8e9);
    EXPECT_EQ(named_parameters("qwen3_30b_a3b"), 30e9);
    EXPECT_EQ(named_parameters("model_a3b"), 0);
    EXPECT_EQ(named_parameters("t5-large"), 0);
    EXPECT_EQ(named_parameters("3bits 4beta"), 0);
    EXPECT_EQ(named_parameters(""), 0);
}

TEST(ImportedCluster, has_the_nodes_and_links_of_the_named_accelerator) {
    const auto imported_on = [](const std::string &name, int nodes) {
        return import_text(
            name, "NNODES=" + std::to_string(nodes) + " TP=4 PP=1 MBS=1 GBS=512 SEQ_LEN=4096 bash ./submit.sh\n");
    };
    const auto gb200 = library().accelerator("gb200");
    const Imported rack = imported_on("run_gb200.sh", 16);
    expect_fields(rack,
                  {{"/cluster/accelerators_per_node", gb200->accelerators_per_node},
                   {"/cluster/tiers/0/accelerators", 64}, // 16 nodes of 4 GPUs, in a rack of 72 GPUs
                   {"/cluster/tiers/0/bandwidth_bytes_per_second", gb200->link_bandwidth_bytes_per_second},
                   {"/cluster/tiers/1", nullptr}});
    expect_fields(imported_on("run_gb200.sh", 64),
                  {{"/cluster/tiers/0/accelerators", 64},
                   {"/cluster/tiers/1/accelerators", 256},
                   {"/cluster/tiers/1/bandwidth_bytes_per_second", gb200->nic_bandwidth_bytes_per_second}});
    expect_fields(imported_on("run_h100.sh", 4),
                  {{"/cluster/accelerators_per_node", 8},
                   {"/cluster/tiers/0/accelerators", 8},
                   {"/cluster/tiers/1/accelerators", 32}});
    EXPECT_TRUE(is_accepted(rack));
}

TEST(ImportedValues, those_of_commands_are_known_only_when_the_script_runs) {
    const std::string rest = " --num-layers 8 --hidden-size 1024 --num-attention-heads 8 --seq-length 2048 --bf16\n";
    const auto fault = [&](const std::string &value) {
        return fault_of(import_text("run.sh", "torchrun pretrain_gpt.py --micro-batch-size " + value + rest),
                        "--micro-batch-size");
    };
    EXPECT_EQ(fault("$(yq .mbs run.yaml)"), "$(yq .mbs run.yaml) is known only when the script runs");
    EXPECT_EQ(fault("`nproc`"), "`nproc` is known only when the script runs");
    EXPECT_EQ(fault("$MBS"), "$MBS is a variable without a value in this file");
    EXPECT_EQ(fault("$((GBS / 8))"), "$((GBS / 8)) is calculated with a variable that has no value in this file");
}

TEST(ImportedVocabulary, is_that_of_the_model_whose_tokenizer_is_named) {
    const auto vocabulary = [](const std::string &options) {
        const Imported imported =
            import_text("run.sh",
                        "torchrun pretrain_gpt.py --micro-batch-size 1 --num-layers 8 --hidden-size 1024 "
                        "--num-attention-heads 8 --seq-length 2048 --tokenizer-type HuggingFaceTokenizer "
                            + options + "\n");
        for (const AssumedField &each : imported.assumed)
            if (each.field == "/model/vocabulary")
                return each.value.dump() + ": " + each.why;
        return std::string();
    };
    const std::int64_t tokens = library().model("qwen3-8b")->vocabulary;
    EXPECT_EQ(vocabulary("--tokenizer-model Qwen/Qwen3-8B-Base").substr(0, 6), std::to_string(tokens));
    EXPECT_EQ(tokens % 128, 0); // the vocabulary is a multiple of 128, so it needs no padding
    EXPECT_EQ(vocabulary("--tokenizer-model org/other"),
              "128256: the vocabulary of the tokenizer org/other is not known: Llama 3's size is assumed");
    EXPECT_EQ(vocabulary(""),
              "128256: the vocabulary of the tokenizer HuggingFaceTokenizer is not known: Llama 3's size is assumed");
}

TEST(NamedModel, experts_of_a_recipes_model_are_parallel) {
    const Imported imported = import_text(
        "run.sh",
        "torchrun run_recipe.py --recipe deepseek_v3_pretrain_config train.micro_batch_size=1 "
        "train.global_batch_size=256 model.tensor_model_parallel_size=1 model.expert_model_parallel_size=8\n");
    EXPECT_EQ(at(imported, "/parallelism/expert"), 8);
}
