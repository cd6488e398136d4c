// SPDX-License-Identifier: GPL-3.0-or-later
// Configurations whose machines are given by an accompanying script or batch job.
#include "imported_plan.h"

#include "evaluate/evaluate.h"
#include "launch/exporters.h"
#include "random_plans.h"

#include <gtest/gtest.h>

using namespace meshwright;
using namespace meshwright::testing_launch;

namespace {

const LaunchFile bridge_config{.name = "overrides.yaml",
                               .text = "model:\n  num_layers: 12\n  hidden_size: 1024\n  num_attention_heads: 16\n"
                                       "  vocab_size: 32000\n  seq_length: 2048\n  tensor_model_parallel_size: 2\n"
                                       "  pipeline_model_parallel_size: 1\ntrain:\n  micro_batch_size: 1\n"
                                       "  global_batch_size: 64\n"};
const LaunchFile nanotron_config{
    .name = "config.yaml",
    .text = "model:\n  dtype: bfloat16\n  model_config: {is_llama_config: true, hidden_size: 1024, "
            "num_hidden_layers: 12, num_attention_heads: 16, vocab_size: 32000, intermediate_size: 4096}\n"
            "parallelism: {dp: 16, tp: 2, pp: 1}\noptimizer: {accumulate_grad_in_fp32: true, zero_stage: 1}\n"
            "tokens: {sequence_length: 2048, micro_batch_size: 1, batch_accumulation_per_replica: 4, "
            "train_steps: 100}\n"};
const LaunchFile accelerate_config{.name = "accelerate.yaml",
                                   .text = "compute_environment: LOCAL_MACHINE\ndistributed_type: FSDP\n"
                                           "mixed_precision: bf16\n"};
const LaunchFile titan_config{.name = "train.toml",
                              .text = torchtitan_toml({{"parallelism", "tensor_parallel_degree = 2"}})};

LaunchFile train_script(const std::string &command) {
    return {.name = "train.sh", .text = "#!/bin/bash\n" + command + "\n"};
}
LaunchFile batch_job(const std::string &directives, const std::string &command = "srun bash train.sh") {
    return {.name = "run.sbatch", .text = "#!/bin/bash\n" + directives + "\n" + command + "\n"};
}

/// Accelerators per node and per site of a plan.
std::string machines_of(const Imported &imported) {
    return at(imported, "/cluster/accelerators_per_node").dump() + " of "
        + at(imported, "/cluster/tiers/1/accelerators").dump();
}

const LaunchFile *const configurations[]{&bridge_config, &nanotron_config, &accelerate_config, &titan_config};

} // namespace

TEST(LauncherBeside, torchrun_gives_the_accelerators_per_node) {
    for (const LaunchFile *const each : configurations) {
        const Imported imported =
            import_texts({*each, train_script("torchrun --nproc_per_node=16 --nnodes 2 run.py --config-file x.yaml")});
        EXPECT_EQ(machines_of(imported), "16 of 32") << each->name;
        EXPECT_EQ(account_of(imported, "--nproc_per_node"), "/cluster/accelerators_per_node") << each->name;
        EXPECT_EQ(account_of(imported, "--nnodes"), "/cluster/tiers/1/accelerators") << each->name;
        EXPECT_EQ(account_of(imported, "--config-file"), "ignored: an option of the training program") << each->name;
        EXPECT_FALSE(assumes(imported, "/cluster/accelerators_per_node")) << each->name;
        EXPECT_EQ(faults_of(imported), "") << each->name;
    }
}

TEST(LauncherBeside, batch_jobs_give_them_in_any_of_their_ways) {
    for (const LaunchFile *const each : configurations)
        for (const char *const directives :
             {"#SBATCH --nodes=8\n#SBATCH --gpus-per-node=4", "#SBATCH -N 8\n#SBATCH --gres=gpu:h100:4",
              "#SBATCH --nodes=8\n#SBATCH --ntasks-per-node=4"})
            EXPECT_EQ(machines_of(import_texts({*each, batch_job(directives)})), "4 of 32") << each->name << directives;
}

TEST(LauncherBeside, variables_of_a_missing_script_count_too) {
    for (const LaunchFile *const each : configurations) {
        const Imported imported = import_texts({*each, batch_job("", "NNODES=8 NPROC_PER_NODE=4 bash launch.sh")});
        EXPECT_EQ(machines_of(imported), "4 of 32") << each->name;
        EXPECT_EQ(account_of(imported, "NPROC_PER_NODE"), "/cluster/accelerators_per_node") << each->name;
    }
}

TEST(LauncherBeside, a_job_and_the_script_that_it_calls_are_read_together) {
    const LaunchFile train =
        train_script("torchrun --nproc-per-node=${GPUS:-8} --nnodes=8 run.py --config-file x.yaml");
    for (const LaunchFile *const each : configurations) {
        const Imported imported =
            import_texts({*each, train, batch_job("#SBATCH --time=1:00:00", "GPUS=4 bash train.sh")});
        EXPECT_EQ(machines_of(imported), "4 of 32") << each->name;
        EXPECT_EQ(account_of(imported, "--time"), "ignored: an option of the launcher") << each->name;
    }
}

TEST(LauncherBeside, overrides_of_a_bridge_script_take_effect_over_the_file) {
    const Imported imported =
        import_texts({bridge_config,
                      train_script("torchrun --nproc-per-node=8 train.py model.tensor_model_parallel_size=4 "
                                   "train.train_iters=10")});
    EXPECT_EQ(at(imported, "/parallelism/tensor"), 4);
    EXPECT_EQ(at(imported, "/run/tokens"), 10.0 * 64 * 2048);
}

TEST(LauncherBeside, options_of_accelerate_launch_take_effect_over_its_file) {
    LaunchFile file = accelerate_config;
    file.text += "num_machines: 1\nnum_processes: 8\n";
    const Imported imported =
        import_texts({file, train_script("accelerate launch --num_machines 2 --num_processes 8 train.py")});
    EXPECT_EQ(machines_of(imported), "4 of 8");
    EXPECT_EQ(account_of(imported, "num_machines"), "ignored: overridden by --num_machines");
}

TEST(LauncherBeside, exported_files_come_back_with_their_nodes_whatever_is_given_of_them) {
    nlohmann::ordered_json document = shipped_presets().json(PresetKind::plan, "pretrain-8b");
    for (const std::int64_t node : {4, 16}) {
        Plan plan = plan_of(document);
        plan.cluster.accelerators_per_node = node;
        ASSERT_EQ(plan.site_accelerators() % node, 0);
        const Result result = evaluate(plan, Depth::closed_forms);
        for (const auto &[target, main] :
             {std::pair("megatron-bridge", "overrides.yaml"), std::pair("nanotron", "config.yaml"),
              std::pair("torchtitan", "train.toml"), std::pair("accelerate", "accelerate.yaml")}) {
            const LaunchExport written = export_target(target)->write(result, shipped_presets());
            const auto file = [&](std::string_view name) {
                for (const ExportFile &each : written.files)
                    if (each.name == name)
                        return LaunchFile{.name = each.name, .text = each.text()};
                return LaunchFile{};
            };
            for (const std::vector<LaunchFile> &given :
                 {std::vector{file(main), file("train.sh")}, std::vector{file(main), file("run.sbatch")},
                  std::vector{file(main), file("train.sh"), file("run.sbatch")}}) {
                const Imported imported = import_texts(given);
                EXPECT_EQ(at(imported, "/cluster/accelerators_per_node"), node) << target << " " << given.back().name;
                EXPECT_EQ(faults_of(imported), "") << target << " " << given.back().name;
            }
        }
    }
}
