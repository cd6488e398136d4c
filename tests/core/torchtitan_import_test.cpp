// SPDX-License-Identifier: GPL-3.0-or-later
#include "imported_plan.h"
#include "launch/torchtitan_flavors.h"
#include "launch/torchtitan_names.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <numeric>

using namespace meshwright;
using namespace meshwright::testing_launch;

namespace {

Imported torchtitan(const std::map<std::string, std::string> &sections) {
    return import_text("run.toml", torchtitan_toml(sections));
}

} // namespace

TEST(TorchtitanImport, the_flavor_states_the_models_sizes) {
    const Imported imported = torchtitan({});
    EXPECT_EQ(imported.kind, "torchtitan");
    EXPECT_EQ(at(imported, "/model/hidden"), 4096);
    EXPECT_EQ(at(imported, "/model/blocks/0/mixer/kv_heads"), 8);
    EXPECT_EQ(at(imported, "/model/blocks/0/transform/hidden"), 14336);
    EXPECT_EQ(at(imported, "/model/vocabulary"), 128256);
    EXPECT_EQ(account_of(imported, "model.flavor"), "/model");
    EXPECT_TRUE(imported.faults.empty()) << faults_of(imported);
    EXPECT_TRUE(is_accepted(imported));
}

TEST(TorchtitanImport, every_flavor_of_the_table_is_a_model) {
    const std::vector<TorchtitanFlavor> flavors = torchtitan_flavors(library());
    ASSERT_GE(flavors.size(), 37u);
    for (const TorchtitanFlavor &each : flavors) {
        const Imported imported = import_text("run.toml",
                                              "[model]\nname = \"" + each.model + "\"\nflavor = \"" + each.flavor
                                                  + "\"\n[training]\nlocal_batch_size = 1\nseq_len = 2048\n");
        EXPECT_TRUE(imported.faults.empty()) << each.model << " " << each.flavor << faults_of(imported);
        EXPECT_FALSE(assumes(imported, "/model")) << each.model << " " << each.flavor;
        EXPECT_TRUE(is_accepted(imported)) << each.model << " " << each.flavor;
    }
}

TEST(TorchtitanImport, flavors_of_older_releases_have_their_sizes) {
    const auto model = [](const std::string &name) {
        const Imported imported =
            import_text("run.toml", "[model]\nname = \"" + name + "\"\nflavor = \"70B\"\n[training]\nseq_len = 4096\n");
        EXPECT_FALSE(assumes(imported, "/model")) << name;
        return at(imported, "/model");
    };
    for (const char *const name : {"llama2", "llama"}) {
        EXPECT_EQ(model(name)["hidden"], 8192) << name;
        EXPECT_EQ(model(name)["vocabulary"], 32000) << name;
    }
    EXPECT_EQ(model("llama3")["vocabulary"], 128256);
}

TEST(TorchtitanImport, an_unknown_flavor_leaves_the_model_open) {
    const Imported imported = import_text(
        "run.toml", "[model]\nname = \"llama3\"\nflavor = \"9B\"\n[training]\nlocal_batch_size = 1\nseq_len = 2048\n");
    EXPECT_TRUE(assumes(imported, "/model"));
    EXPECT_NE(account_of(imported, "model.flavor").find("9B"), std::string::npos);
    const Imported large = import_text(
        "run.toml", "[model]\nname = \"mine\"\nflavor = \"70B\"\n[training]\nlocal_batch_size = 1\nseq_len = 2048\n");
    EXPECT_NE(at(large, "/model"), "llama-3.1-8b"); // the flavor's name states the size
}

TEST(TorchtitanImport, the_local_batch_of_a_pipeline_is_several_microbatches) {
    const Imported imported = torchtitan({{"training", "local_batch_size = 8"},
                                          {"parallelism",
                                           "pipeline_parallel_degree = 2\npipeline_parallel_microbatch_size = 2\n"
                                           "data_parallel_shard_degree = 4"}});
    EXPECT_EQ(at(imported, "/batch/micro_sequences"), 2);
    EXPECT_EQ(at(imported, "/batch/global_sequences"), 32);
    EXPECT_EQ(at(imported, "/parallelism/data"), 4);
    EXPECT_EQ(at(imported, "/cluster/tiers/0/accelerators"), 8);
    EXPECT_TRUE(imported.faults.empty()) << faults_of(imported);
}

TEST(TorchtitanImport, without_a_pipeline_the_local_batch_is_one_microbatch) {
    const Imported imported = torchtitan({{"training", "local_batch_size = 8\nglobal_batch_size = 256"},
                                          {"parallelism",
                                           "data_parallel_shard_degree = 4\n"
                                           "pipeline_parallel_microbatch_size = 2"}});
    EXPECT_EQ(at(imported, "/batch/micro_sequences"), 8);
    EXPECT_EQ(at(imported, "/batch/global_sequences"), 256);
    EXPECT_EQ(account_of(imported, "parallelism.pipeline_parallel_microbatch_size").substr(0, 7), "ignored");
}

TEST(TorchtitanImport, a_batch_that_does_not_divide_is_a_fault) {
    EXPECT_NE(fault_of(torchtitan({{"training", "local_batch_size = 8\nglobal_batch_size = 100"},
                                   {"parallelism", "data_parallel_shard_degree = 4"}}),
                       "training.global_batch_size"),
              "");
    EXPECT_NE(fault_of(torchtitan({{"training", "local_batch_size = 9"},
                                   {"parallelism",
                                    "pipeline_parallel_degree = 2\n"
                                    "pipeline_parallel_microbatch_size = 2"}}),
                       "training.local_batch_size"),
              "");
}

TEST(TorchtitanImport, weights_stay_gathered_in_a_pipeline_unless_the_file_says_otherwise) {
    const auto stage = [](const std::string &lines) {
        return at(torchtitan({{"parallelism", lines}}), "/parallelism/zero_stage").get<int>();
    };
    EXPECT_EQ(stage(""), 3);
    EXPECT_EQ(stage("fsdp_reshard_after_forward = \"default\""), 3);
    EXPECT_EQ(stage("fsdp_reshard_after_forward = \"never\""), 2);
    EXPECT_EQ(stage("pipeline_parallel_degree = 2"), 2);
    EXPECT_EQ(stage("pipeline_parallel_degree = 2\nfsdp_reshard_after_forward = \"always\""), 3);
    EXPECT_EQ(stage("data_parallel_shard_degree = 1\ndata_parallel_replicate_degree = 8"), 0);
    EXPECT_EQ(stage("data_parallel_shard_degree = 1\ncontext_parallel_degree = 8"), 3);
}

TEST(TorchtitanImport, ddp_with_other_parallelism_is_a_fault) {
    const std::string replicas = "data_parallel_shard_degree = 1\ndata_parallel_replicate_degree = 8\n";
    EXPECT_EQ(faults_of(torchtitan({{"parallelism", replicas}})), "");
    EXPECT_EQ(faults_of(torchtitan({{"parallelism", replicas + "context_parallel_degree = 2"}})), "");
    for (const char *const other : {"tensor_parallel_degree = 2", "pipeline_parallel_degree = 2"})
        EXPECT_NE(faults_of(torchtitan({{"parallelism", replicas + other}})).find("refuses DDP"), std::string::npos)
            << other;
}

// fsdp_enabled in torchtitan/distributed/parallel_dims.py
TEST(TorchtitanImport, a_resolved_shard_degree_of_one_shards_nothing) {
    const auto on_a_node = [](const std::string &lines) {
        return import_texts({{.name = "run.toml", .text = torchtitan_toml({{"parallelism", lines}})},
                             {.name = "run.sh",
                              .text = "torchrun --nnodes=1 --nproc_per_node=8 -m torchtitan.train "
                                      "--job.config_file run.toml\n"}});
    };
    for (const char *const lines :
         {"tensor_parallel_degree = 8", "tensor_parallel_degree = 2\ndata_parallel_replicate_degree = 4"}) {
        const Imported imported = on_a_node(lines);
        EXPECT_EQ(at(imported, "/parallelism/zero_stage"), 0) << lines;
        EXPECT_TRUE(assumes(imported, "/parallelism/zero_stage")) << lines;
        EXPECT_EQ(at(imported, "/parallelism/shard_group"), nullptr) << lines;
    }
    EXPECT_EQ(at(on_a_node("tensor_parallel_degree = 4"), "/parallelism/zero_stage"), 3);
    // Without a launcher, eight accelerators are only an assumption.
    const Imported alone = torchtitan({{"parallelism", "tensor_parallel_degree = 8"}});
    EXPECT_EQ(at(alone, "/cluster/tiers/0/accelerators"), 8);
    EXPECT_EQ(at(alone, "/parallelism/zero_stage"), 3);
    EXPECT_EQ(at(alone, "/precision/compute"), "bf16");
}

TEST(TorchtitanImport, hybrid_sharding_spans_the_ranks_of_shard_and_context_degree) {
    const Imported stated = torchtitan({{"parallelism",
                                         "data_parallel_replicate_degree = 2\n"
                                         "data_parallel_shard_degree = 4\ncontext_parallel_degree = 2"}});
    EXPECT_EQ(at(stated, "/parallelism/data"), 8);
    EXPECT_EQ(at(stated, "/parallelism/shard_group"), 8);
    // A degree of -1 uses the accelerators that the other degrees leave, out of the number stated in a comment.
    const Imported rest = import_texts({example("torchtitan.toml")});
    EXPECT_EQ(at(rest, "/parallelism/data"), 4);
    EXPECT_EQ(at(rest, "/parallelism/shard_group"), 2);
    EXPECT_TRUE(rest.faults.empty()) << faults_of(rest);
}

TEST(TorchtitanImport, schedules_have_their_names_in_any_case) {
    for (const TorchtitanSchedule &each : torchtitan_schedules) {
        std::string name(each.torchtitan);
        std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
        const Imported imported = torchtitan(
            {{"training", "local_batch_size = 8"},
             {"parallelism", "pipeline_parallel_degree = 2\npipeline_parallel_schedule = \"" + name + "\""}});
        EXPECT_EQ(at(imported, "/parallelism/schedule"), std::string(each.plan));
        EXPECT_EQ(at(imported, "/parallelism/chunks"), each.several_stages ? 2 : 1) << name;
        EXPECT_TRUE(is_accepted(imported)) << name << faults_of(imported);
    }
    EXPECT_NE(fault_of(torchtitan({{"parallelism",
                                    "pipeline_parallel_degree = 2\n"
                                    "pipeline_parallel_schedule = \"Sideways\""}}),
                       "parallelism.pipeline_parallel_schedule"),
              "");
}

TEST(TorchtitanImport, embedding_and_head_count_as_layers_of_their_stages) {
    // 32 layers and one extra at each end on 4 stages: 9, 9, 8, 8.
    const Imported imported = torchtitan({{"parallelism", "pipeline_parallel_degree = 4"}});
    EXPECT_EQ(at(imported, "/parallelism/layout"), Json({8, 9, 8, 7}));
    const Imported heavier = torchtitan({{"parallelism",
                                          "pipeline_parallel_degree = 4\n"
                                          "pipeline_parallel_first_stage_less_layers = 0\n"
                                          "pipeline_parallel_last_stage_less_layers = 4"}});
    EXPECT_EQ(at(heavier, "/parallelism/layout"), Json({9, 9, 9, 5}));
}

TEST(TorchtitanImport, dealt_layers_are_all_layers_of_the_model) {
    rc::check([] {
        const int pipeline = *rc::gen::inRange(2, 9);
        const int first = *rc::gen::inRange(0, 4);
        const int last = *rc::gen::inRange(0, 4);
        const bool several = *rc::gen::arbitrary<bool>();
        const Imported imported = torchtitan(
            {{"training", "local_batch_size = 64"},
             {"parallelism",
              "pipeline_parallel_degree = " + std::to_string(pipeline) + "\npipeline_parallel_schedule = \""
                  + (several ? "Interleaved1F1B" : "1F1B") + "\"\npipeline_parallel_first_stage_less_layers = "
                  + std::to_string(first) + "\npipeline_parallel_last_stage_less_layers = " + std::to_string(last)}});
        const Json layout = at(imported, "/parallelism/layout");
        if (layout.is_null()) {
            RC_ASSERT(!imported.faults.empty());
            return;
        }
        const auto stages = layout.get<std::vector<int>>();
        RC_ASSERT(stages.size() == static_cast<std::size_t>(pipeline * (several ? 2 : 1)));
        RC_ASSERT(std::accumulate(stages.begin(), stages.end(), 0) == 32);
        RC_ASSERT(stages.front() + first >= stages.back() + last);
    });
}

TEST(TorchtitanImport, layers_per_stage_give_the_number_of_chunks) {
    // (32 + 2) / 5 rounds up to 7 stages; (32 + 2) / 9 rounds up to 4.
    const Imported imported = torchtitan({{"training", "local_batch_size = 8"},
                                          {"parallelism",
                                           "pipeline_parallel_degree = 2\n"
                                           "pipeline_parallel_schedule = \"Interleaved1F1B\"\n"
                                           "pipeline_parallel_layers_per_stage = 9"}});
    EXPECT_EQ(at(imported, "/parallelism/chunks"), 2);
    EXPECT_TRUE(imported.faults.empty()) << faults_of(imported);
    EXPECT_NE(fault_of(torchtitan({{"parallelism",
                                    "pipeline_parallel_degree = 2\n"
                                    "pipeline_parallel_schedule = \"Interleaved1F1B\"\n"
                                    "pipeline_parallel_layers_per_stage = 5"}}),
                       "parallelism.pipeline_parallel_layers_per_stage"),
              "");
}

TEST(TorchtitanImport, module_names_say_the_layers_of_each_stage) {
    const std::string parts = "module_fqns_per_model_part = [[\"tok_embeddings\", \"layers.0\", \"layers.1\"], "
                              "[\"layers.2\"], [\"layers.3\", \"layers.4\"], [\"layers.5\", \"norm\", \"output\"]]";
    const Imported imported = import_text(
        "run.toml",
        "[model]\nname = \"llama3\"\nflavor = \"debugmodel\"\n[training]\nlocal_batch_size = 4\nseq_len = 2048\n"
        "[parallelism]\npipeline_parallel_degree = 2\npipeline_parallel_schedule = \"Interleaved1F1B\"\n"
            + parts + "\n");
    EXPECT_EQ(at(imported, "/parallelism/layout"), Json({2, 1, 2, 1}));
    EXPECT_EQ(at(imported, "/parallelism/chunks"), 2);
    EXPECT_TRUE(imported.faults.empty()) << faults_of(imported);
}

TEST(TorchtitanImport, experts_are_split_as_all_layers_without_expert_parallelism) {
    const auto experts = [](const std::string &lines) {
        return import_text("run.toml",
                           "[model]\nname = \"deepseek_v3\"\nflavor = \"16B\"\n[training]\nseq_len = 4096\n"
                           "[parallelism]\ntensor_parallel_degree = 4\n"
                               + lines);
    };
    const Imported plain = experts("expert_tensor_parallel_degree = 4\n");
    EXPECT_EQ(at(plain, "/parallelism/expert"), 1);
    EXPECT_EQ(at(plain, "/parallelism/expert_tensor"), 4);
    const Imported parallel = experts("expert_parallel_degree = 16\n");
    EXPECT_EQ(at(parallel, "/parallelism/expert"), 16);
    EXPECT_EQ(at(parallel, "/parallelism/expert_tensor"), 1);
    EXPECT_TRUE(is_accepted(parallel)) << faults_of(parallel);
    EXPECT_NE(fault_of(experts("expert_parallel_degree = 4\nexpert_tensor_parallel_degree = 2\n"),
                       "parallelism.expert_tensor_parallel_degree"),
              "");
    EXPECT_NE(
        fault_of(torchtitan({{"parallelism", "expert_parallel_degree = 2"}}), "parallelism.expert_parallel_degree"),
        "");
}

TEST(TorchtitanImport, converters_set_the_format_of_the_multiplies) {
    const auto compute = [](const std::string &converters) {
        return at(torchtitan({{"model", "converters = " + converters}}), "/precision/compute").get<std::string>();
    };
    EXPECT_EQ(compute("[]"), "bf16");
    EXPECT_EQ(compute("[\"float8\"]"), "fp8");
    EXPECT_EQ(compute("[\"quantize.linear.float8\", \"quantize.grouped_mm.float8\"]"), "fp8");
    EXPECT_EQ(compute("[\"mx\"]"), "mxfp8");
    const Imported without = torchtitan({{"quantize.linear.float8", "recipe_name = \"rowwise\""}});
    EXPECT_EQ(account_of(without, "quantize.linear.float8.recipe_name"),
              "ignored: applies only with the converter in model.converters");
}

TEST(TorchtitanImport, training_in_bfloat16_keeps_no_master_copy) {
    const Imported usual = torchtitan({});
    EXPECT_EQ(
        at(usual, "/precision"),
        Json::parse(R"({"compute":"bf16","weights":"bf16","gradients":"fp32","master":"fp32","moments":"fp32"})"));
    const Imported half = torchtitan({{"training", "dtype = \"bfloat16\""}});
    EXPECT_EQ(at(half, "/precision/master"), "none");
    EXPECT_EQ(at(half, "/precision/moments"), "bf16");
    const Imported whole = torchtitan({{"training", "mixed_precision_param = \"float32\""}});
    EXPECT_EQ(at(whole, "/precision/compute"), "fp32");
}

// maybe_enable_amp() in torchtitan/distributed/utils.py
TEST(TorchtitanImport, calculates_in_the_format_of_the_states_in_stages_without_fsdp) {
    const auto precision = [](const std::string &degrees, const std::string &training = "",
                              const std::string &converters = "[]") {
        return at(torchtitan({{"parallelism", "data_parallel_shard_degree = 1\n" + degrees},
                              {"training", training},
                              {"model", "converters = " + converters}}),
                  "/precision");
    };
    const Json fp32 =
        Json::parse(R"({"compute":"fp32","weights":"fp32","gradients":"fp32","master":"none","moments":"fp32"})");
    EXPECT_EQ(precision("tensor_parallel_degree = 8"), fp32);
    EXPECT_EQ(precision("pipeline_parallel_degree = 2"), fp32);
    EXPECT_EQ(precision("tensor_parallel_degree = 8", "", "[\"float8\"]")["compute"], "fp8");
    EXPECT_EQ(precision("tensor_parallel_degree = 8", "", "[\"float8\"]")["weights"], "fp32");
    EXPECT_EQ(precision("tensor_parallel_degree = 8", "dtype = \"bfloat16\"")["compute"], "bf16");
    EXPECT_EQ(precision("tensor_parallel_degree = 8\ncontext_parallel_degree = 2")["compute"], "bf16");
    EXPECT_EQ(precision("data_parallel_replicate_degree = 8")["compute"], "bf16");
    const Imported stated = torchtitan({{"parallelism", "data_parallel_shard_degree = 1\ntensor_parallel_degree = 8"},
                                        {"training", "mixed_precision_param = \"bfloat16\""}});
    EXPECT_TRUE(account_of(stated, "training.mixed_precision_param").starts_with("ignored: "));
    EXPECT_TRUE(assumes(stated, "/precision/compute"));
}

TEST(TorchtitanImport, recomputation_of_every_second_layer_is_half_of_the_layers) {
    const auto recompute = [](const std::string &lines) {
        return at(torchtitan({{"activation_checkpoint", lines}}), "/recompute");
    };
    EXPECT_EQ(recompute("mode = \"full\"")["mode"], "full");
    EXPECT_EQ(recompute("mode = \"none\"")["mode"], "none");
    EXPECT_EQ(recompute("mode = \"selective\"\nselective_ac_option = \"op\"")["mode"], "selective");
    EXPECT_EQ(recompute("mode = \"selective\"\nselective_ac_option = \"2\""),
              Json::parse(R"({"mode":"layers","layers":16})"));
    EXPECT_EQ(recompute("mode = \"memory_budget\"\nmemory_budget = 0.3")["mode"], "selective");
    EXPECT_EQ(at(torchtitan({}), "/recompute/layers"), 16); // the default of torchtitan
}

TEST(TorchtitanImport, fault_tolerance_with_diloco_is_an_outer_loop) {
    const Imported imported = import_texts({example("torchtitan_diloco.toml")});
    EXPECT_EQ(at(imported, "/cluster/sites"), 4);
    EXPECT_EQ(at(imported, "/cluster/tiers/0/accelerators"), 8); // accelerators of one replica group
    EXPECT_TRUE(assumes(imported, "/cluster/wan"));
    EXPECT_EQ(at(imported, "/outer"), Json::parse(R"({"quorum":3,"method":"streaming-diloco","inner_steps":40,
        "fragments":4,"overlap_steps":2,"pattern":"sequential","up":{"bits":8,"density":1,"index":"none"},
        "down":{"bits":8,"density":1,"index":"none"}})"));
    EXPECT_EQ(at(imported, "/aggregation/topology"), "ring");
    EXPECT_TRUE(imported.faults.empty()) << faults_of(imported);
    EXPECT_TRUE(is_accepted(imported));
    const Imported off = torchtitan({{"fault_tolerance", "enable = false\nsync_steps = 10"}});
    EXPECT_EQ(at(off, "/outer"), nullptr);
    EXPECT_EQ(account_of(off, "fault_tolerance.sync_steps"), "ignored: applies only with fault_tolerance.enable");
}

TEST(TorchtitanImport, the_main_branch_counts_tokens) {
    const Imported imported = import_texts({example("torchtitan_main.json")});
    EXPECT_EQ(at(imported, "/batch/sequence_length"), 4096);
    EXPECT_EQ(at(imported, "/batch/micro_sequences"), 4);
    EXPECT_EQ(at(imported, "/batch/global_sequences"), 1024);
    EXPECT_EQ(at(imported, "/parallelism/expert"), 16);
    EXPECT_EQ(at(imported, "/parallelism/expert_tensor"), 1);
    EXPECT_EQ(at(imported, "/recompute/mode"), "full"); // only fields of FullAC are set
    EXPECT_EQ(at(imported, "/stack"), "torchtitan-2024");
    EXPECT_EQ(account_of(imported, "model_spec.model.dim"), "ignored: set by the flavor");
    EXPECT_TRUE(imported.faults.empty()) << faults_of(imported);
}

TEST(TorchtitanImport, the_main_branch_names_a_function_on_the_command_line) {
    const Imported imported = import_texts({example("torchtitan.sh")});
    EXPECT_EQ(imported.kind, "torchtitan");
    EXPECT_EQ(at(imported, "/model/hidden"), 16384);
    EXPECT_EQ(at(imported, "/precision/compute"), "fp8"); // follows from the function's name
    EXPECT_EQ(at(imported, "/parallelism/tensor"), 8);
    EXPECT_EQ(at(imported, "/parallelism/data"), 4);
    EXPECT_EQ(at(imported, "/cluster/tiers/1/accelerators"), 32);
    EXPECT_EQ(at(imported, "/batch/micro_sequences"), 1);
    EXPECT_EQ(at(imported, "/offload"), nullptr);
    EXPECT_EQ(account_of(imported, "--training.no-enable-cpu-offload"), "/offload/optimizer");
    EXPECT_TRUE(imported.faults.empty()) << faults_of(imported);
}

TEST(TorchtitanImport, pipeline_microbatches_of_the_main_branch_are_counted) {
    const Imported imported = import_text("config.json", R"({"_config": "llama3 llama3_8b",
        "training": {"num_tokens_per_microbatch_per_dp_rank": 8192, "num_tokens_per_train_step": -1,
                     "max_context_length": 8192},
        "parallelism": {"data_parallel_shard_degree": 2, "pipeline_parallel_degree": 4, "num_pp_microbatches": 16},
        "activation_checkpoint": null})");
    EXPECT_EQ(at(imported, "/batch/global_sequences"), 32);
    EXPECT_EQ(at(imported, "/recompute/mode"), "none");
    EXPECT_EQ(at(imported, "/parallelism/zero_stage"), 2);
}

TEST(TorchtitanImport, words_of_a_script_take_effect_over_the_file) {
    const Imported imported =
        import_texts({{.name = "run.toml", .text = torchtitan_toml({{"training", "local_batch_size = 8"}})},
                      {.name = "run.sh",
                       .text = "torchrun --nproc_per_node=8 -m torchtitan.train --job.config_file run.toml "
                               "--training.local_batch_size 2 --parallelism.tensor-parallel-degree=2\n"}});
    EXPECT_EQ(at(imported, "/batch/micro_sequences"), 2);
    EXPECT_EQ(at(imported, "/parallelism/tensor"), 2);
    EXPECT_EQ(at(imported, "/parallelism/data"), 4);
    EXPECT_EQ(account_of(imported, "training.local_batch_size"), "ignored: overridden by --training.local_batch_size");
    EXPECT_EQ(account_of(imported, "--training.local_batch_size"), "/batch/micro_sequences");
}

TEST(TorchtitanImport, a_script_may_only_name_the_function_that_configures_the_run) {
    const Imported imported = import_text(
        "job.slurm",
        "#!/bin/bash\n#SBATCH --nodes=4\nCONFIG=${CONFIG:-\"llama3_8b\"}\n"
        "srun torchrun --nnodes 4 --nproc_per_node 8 -m torchtitan.train --module llama3 --config ${CONFIG}\n");
    EXPECT_EQ(imported.kind, "torchtitan");
    EXPECT_EQ(at(imported, "/cluster/tiers").back()["accelerators"], 32);
    EXPECT_EQ(account_of(imported, "--config"), "/model");
}

TEST(TorchtitanImport, configurations_in_python_are_said_to_be_unread) {
    const std::string python = "from torchtitan.config import ParallelismConfig, TrainingConfig\n\n"
                               "def mine() -> Trainer.Config:\n"
                               "    return Trainer.Config(training=TrainingConfig(steps=10))\n";
    for (const char *const kind : {"", "torchtitan"}) {
        const std::string line = import_rejection_of(python, kind);
        EXPECT_NE(line.find("configurations in Python are not read"), std::string::npos) << line;
        EXPECT_NE(line.find("--debug.save-config-file"), std::string::npos) << line;
    }
}

TEST(TorchtitanImport, a_function_may_spell_the_point_of_a_size_as_a_letter) {
    const Imported imported =
        import_text("run.sh", "torchrun --nproc_per_node=8 -m torchtitan.train --module qwen3 --config qwen3_1p7b\n");
    EXPECT_EQ(account_of(imported, "--config"), "/model");
    EXPECT_EQ(at(imported, "/model/hidden"), 2048);
}

TEST(TorchtitanImport, a_script_may_contain_python) {
    const Imported imported =
        import_text("run.sh",
                    "#!/bin/bash\npython3 - <<EOF\nimport torchtitan\nprint(torchtitan.__file__)\nEOF\n"
                    "torchrun --nproc_per_node=8 -m torchtitan.train --module llama3 --config llama3_8b "
                    "--parallelism.tensor_parallel_degree 2\n");
    EXPECT_EQ(imported.kind, "torchtitan");
    EXPECT_EQ(at(imported, "/parallelism/tensor"), 2);
}

TEST(TorchtitanImport, work_other_than_training_is_reported) {
    const Imported imported = import_text("run.sh",
                                          "torchrun --nproc_per_node=8 scripts/generate.py --training.seq_len 4096 "
                                          "--parallelism.tensor_parallel_degree 2\n");
    EXPECT_TRUE(fault_of(imported, "generate.py").starts_with("launches inference, not training"))
        << faults_of(imported);
}

TEST(TorchtitanImport, sections_of_older_releases_are_understood) {
    const Imported imported = import_text("run.toml", R"([model]
name = "llama3"
flavor = "8B"
[training]
batch_size = 2
seq_len = 8192
tensor_parallel_degree = 2
data_parallel_shard_degree = 4
compile = true
[experimental]
pipeline_parallel_degree = 1
context_parallel_degree = 2
[float8]
enable_float8_linear = true
)");
    EXPECT_EQ(at(imported, "/parallelism/tensor"), 2);
    EXPECT_EQ(at(imported, "/parallelism/context"), 2);
    EXPECT_EQ(at(imported, "/parallelism/data"), 4);
    EXPECT_EQ(at(imported, "/batch/micro_sequences"), 2);
    EXPECT_EQ(at(imported, "/precision/compute"), "fp8");
    EXPECT_EQ(at(imported, "/stack"), "torchtitan-2024");
}

TEST(TorchtitanImport, a_file_that_is_no_toml_is_rejected_with_its_line) {
    EXPECT_NE(import_rejection_of("[training]\nseq_len = \n[model]\nname = \"llama3\"\n").find("line 2"),
              std::string::npos);
}

TEST(TorchtitanImport, a_flavor_of_a_python_file_beside_has_the_sizes_of_its_arguments) {
    const auto imported = [](const std::string &family, const std::string &python) {
        return import_texts({{.name = "run.toml",
                              .text = "[model]\nname = \"" + family
                                  + "\"\nflavor = \"mine\"\n[training]\nseq_len = 2048\n"
                                    "[parallelism]\ntensor_parallel_degree = 1\n"},
                             {.name = "mine.py", .text = python}});
    };
    // 8/3 x 1,024 = 2,730, times 1.5 = 4,095, rounded up to a multiple of 256.
    const Imported llama =
        imported("llama3",
                 "from torchtitan.models.llama3 import TransformerModelArgs, llama3_args\n"
                 "llama3_args[\"mine\"] = TransformerModelArgs(\n"
                 "    dim=1024,  # not dim=1,\n    n_layers=8, n_heads=8, n_kv_heads=2,\n"
                 "    vocab_size=32000, multiple_of=256, ffn_dim_multiplier=1.5, rope_theta=1e4,\n)\n"
                 "dim = 7\n");
    EXPECT_EQ(at(llama, "/model/hidden"), 1024);
    EXPECT_EQ(at(llama, "/model/layers"), 8);
    EXPECT_EQ(at(llama, "/model/blocks/0/mixer/kv_heads"), 2);
    EXPECT_EQ(at(llama, "/model/blocks/0/transform/hidden"), 4096);
    const Imported qwen =
        imported("qwen3",
                 "from torchtitan.models.qwen3 import Qwen3ModelArgs, qwen3_args\n"
                 "qwen3_args[\"mine\"] = Qwen3ModelArgs(dim=512, n_layers=4, n_heads=4, head_dim=64,\n"
                 "    hidden_dim=1024, vocab_size=1000, qk_norm=True, moe_enabled=True,\n"
                 "    moe_inter_dim=256, moe_args=MoEArgs(num_experts=16, top_k=2))\n");
    EXPECT_EQ(at(qwen, "/model/blocks/0/transform/experts"), 16);
    EXPECT_EQ(at(qwen, "/model/blocks/0/transform/experts_per_token"), 2);
    EXPECT_EQ(at(qwen, "/model/blocks/0/mixer/query_key_norm"), "per-head");
}

TEST(TorchtitanImport, sizes_of_any_magnitude_in_a_python_file_end_in_a_plan_with_faults) {
    for (const char *const size : {"-1", "0", "9000000000000000000", "1e300", "nan", "True", "x(", "\"", ""}) {
        std::string arguments;
        for (const char *const name : {"dim", "n_layers", "n_heads", "n_kv_heads", "vocab_size", "inter_dim",
                                       "kv_lora_rank", "moe_inter_dim", "n_dense_layers", "num_shared_experts"})
            arguments += std::string(name) + "=" + size + ",";
        const Imported imported =
            import_texts({{.name = "run.toml",
                           .text = "[model]\nname = \"deepseek_v3\"\nflavor = \"mine\"\n[training]\nseq_len = 2048\n"
                                   "[parallelism]\npipeline_parallel_degree = 2\n"},
                          {.name = "mine.py",
                           .text = "from torchtitan.models.deepseek_v3 import A, deepseekv3_args\n"
                                   "deepseekv3_args[\"mine\"] = A(num_experts=4, "
                               + arguments + ")"}});
        EXPECT_EQ(imported.what, "plan");
        EXPECT_TRUE(is_accepted(imported) || !imported.faults.empty()) << size;
    }
}
