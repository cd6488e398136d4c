// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/exporters.h"

#include "cost/placement.h"
#include "evaluate/evaluate.h"
#include "imported_plan.h"
#include "launch/export_text.h"
#include "launch/launch_environment.h"
#include "launch/megatron_target.h"
#include "launch/rank_order.h"
#include "launch/run_steps.h"
#include "random_plans.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <regex>
#include <set>

using namespace meshwright;
using meshwright::testing_launch::import_texts;
using Json = nlohmann::ordered_json;

namespace {

std::vector<Dimension> random_placement() {
    std::vector<Dimension> placement = Parallelism{}.placement;
    for (std::size_t left = placement.size(); left > 1; --left)
        std::swap(placement[left - 1], placement[*rc::gen::inRange<std::size_t>(0, left)]);
    return placement;
}

Result result_of(const char *preset, const char *patch = "{}") {
    Json document = shipped_presets().json(PresetKind::plan, preset);
    merge_patch(document, Json::parse(patch));
    return evaluate(plan_of(document), Depth::closed_forms);
}

LaunchExport exported(const Result &result, const char *target) {
    return export_target(target)->write(result, shipped_presets());
}

std::string text_of(const LaunchExport &written, const char *name) {
    for (const ExportFile &file : written.files)
        if (file.name == name)
            return file.text();
    return "no file " + std::string(name);
}

bool holds(const std::string &text, const std::string &part) {
    return text.find(part) != std::string::npos;
}

const ExportLine *line_with(const LaunchExport &written, const std::string &part) {
    for (const ExportFile &file : written.files)
        for (const ExportLine &line : file.lines)
            if (holds(line.text, part))
                return &line;
    return nullptr;
}

/// Returns all lines except comments and the job's name.
std::vector<std::string> working_lines(const LaunchExport &written) {
    std::vector<std::string> lines;
    for (const ExportFile &file : written.files)
        for (const ExportLine &line : file.lines)
            if ((!line.text.starts_with("#") || line.text.starts_with("#SBATCH"))
                && !line.text.starts_with("#SBATCH --job-name="))
                lines.push_back(file.name + ": " + line.text);
    return lines;
}

const char *const written_targets[]{"megatron", "megatron-bridge", "torchtitan", "deepspeed",
                                    "nanotron", "accelerate",      "slurm"};

} // namespace

TEST(ExportTargets, are_found_by_the_names_of_the_command_line) {
    std::set<std::string_view> ids;
    for (const ExportTarget &target : export_targets()) {
        EXPECT_TRUE(ids.insert(target.id).second);
        EXPECT_EQ(export_target(target.id), &target);
    }
    EXPECT_EQ(export_target("paper"), nullptr);
    EXPECT_EQ(ids.size(), 9);
}

RC_GTEST_PROP(ExportedText, never_takes_a_name_of_the_plan_for_more_than_a_comment, ()) {
    const Result plain = result_of("smollm3-3b");
    Result named = plain;
    named.plan.name = *rc::gen::string<std::string>() + "\n`reboot`; $(reboot)\n'\"";
    named.plan.model.name = *rc::gen::string<std::string>() + "\n[training]\n\"";
    named.plan.cluster.tiers.front().name = "\n)\nreboot '";
    for (const char *target : written_targets) {
        RC_ASSERT(working_lines(exported(named, target)) == working_lines(exported(plain, target)));
        for (const ExportFile &file : exported(named, target).files)
            for (const ExportLine &line : file.lines)
                RC_ASSERT(line.text.find('\n') == std::string::npos);
    }
}

TEST(ExportedText, quotes_what_a_shell_would_take_apart) {
    EXPECT_EQ(shell_word("Et*3|t"), "'Et*3|t'");
    EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
    EXPECT_EQ(shell_word(""), "''");
    EXPECT_EQ(shell_word("a/b-c.d:e=f,g"), "a/b-c.d:e=f,g");
    EXPECT_EQ(shell_words(Json{"mlp", 3}), (std::vector<std::string>{"mlp", "3"}));
    EXPECT_TRUE(shell_words(Json(true)).empty());
}

TEST(ExportedText, wraps_comments_and_keeps_control_characters_out) {
    ExportText text;
    text.comment("one\ntwo");
    text.comment(std::string(60, 'a') + " " + std::string(60, 'b'), 2);
    const std::vector<ExportLine> lines = std::move(text).take();
    ASSERT_EQ(lines.size(), 3);
    EXPECT_EQ(lines[0].text, "# one two");
    EXPECT_EQ(lines[1].text, "# " + std::string(60, 'a'));
    EXPECT_EQ(lines[2].text, "#   " + std::string(60, 'b'));
}

TEST(ExportedLines, name_the_plan_field_that_an_importer_takes_from_them) {
    const std::pair<const char *, std::vector<const char *>> targets[]{{"megatron", {"train.sh"}},
                                                                       {"megatron-bridge", {"overrides.yaml"}},
                                                                       {"torchtitan", {"train.toml"}},
                                                                       {"nanotron", {"config.yaml"}},
                                                                       {"deepspeed", {"train.sh", "ds_config.json"}}};
    for (const auto &[target, names] : targets) {
        const Result result = result_of("pretrain-70b-1k-design");
        const LaunchExport written = exported(result, target);
        std::vector<LaunchFile> files;
        for (const char *name : names)
            files.push_back({.name = name, .text = text_of(written, name)});
        for (const UnderstoodOption &option : import_texts(files).understood) {
            // Compares the last key of a nested name, or the option itself on a command line.
            const std::string key = option.option.substr(option.option.rfind('.') + 1);
            const bool agrees = std::any_of(written.files.begin(), written.files.end(), [&](const ExportFile &file) {
                return std::any_of(file.lines.begin(), file.lines.end(), [&](const ExportLine &line) {
                    return holds(line.text, key) && !line.field.empty()
                        && (line.field.starts_with(option.field) || option.field.starts_with(line.field));
                });
            });
            EXPECT_TRUE(agrees) << target << ": " << option.option << " sets " << option.field;
        }
    }
}

TEST(ExportedLines, say_how_many_steps_lie_between_checkpoints_and_why) {
    Result result = result_of("bloom-176b");
    result.step.seconds = 100;
    const RunSteps steps = run_steps(result.plan, result);
    EXPECT_EQ(steps.save_interval, 105); // a checkpoint interval of 10,500 s
    EXPECT_TRUE(holds(steps.why_interval, "per step, rounded")) << steps.why_interval;
    const LaunchExport written = exported(result, "megatron");
    const ExportLine *const line = line_with(written, "--save-interval");
    ASSERT_NE(line, nullptr);
    EXPECT_EQ(line->field, "/faults/checkpoint_interval_seconds");
    EXPECT_TRUE(holds(line->text, "--save-interval 105 # ")) << line->text;
    EXPECT_EQ(steps.steps, std::llround(result.plan.run.tokens / (2048.0 * 2048.0)));
}

TEST(ExportedPlans, of_several_sites_start_the_job_of_one) {
    const Result result = result_of("ten-to-25");
    const LaunchExport written = exported(result, "megatron");
    ASSERT_FALSE(written.lost.empty());
    EXPECT_TRUE(holds(written.lost.front().sentence, "streaming-diloco between 72 sites"))
        << written.lost.front().sentence;
    EXPECT_TRUE(holds(text_of(written, "train.sh"), "72 sites"));
    EXPECT_TRUE(holds(text_of(written, "run.sbatch"), "#SBATCH --nodes=1\n"));
}

TEST(ExportedPlans, of_tpus_are_said_to_need_gpus) {
    const auto says_so = [](const char *preset) {
        const std::vector<Loss> lost = exported(result_of(preset), "megatron").lost;
        return std::any_of(lost.begin(), lost.end(), [](const Loss &loss) {
            return loss.sentence == "Megatron-LM does not run on TPUs; instead: the same number of GPUs."
                && loss.fields == std::vector<std::string>{"/cluster/accelerator"};
        });
    };
    EXPECT_TRUE(says_so("palm-540b"));
    EXPECT_FALSE(says_so("bloom-176b"));
}

TEST(ExportedPlans, keep_pipelines_of_other_software_as_near_as_the_target_comes) {
    const LaunchExport written = exported(result_of("deepseek-v3"), "megatron");
    const std::string script = text_of(written, "train.sh");
    EXPECT_TRUE(holds(script, "--pipeline-model-parallel-layout 'Et*2|t*4|")) << script;
    EXPECT_TRUE(holds(script, "|t*3mL'")) << script;
    EXPECT_TRUE(std::any_of(written.lost.begin(), written.lost.end(), [](const Loss &loss) {
        return holds(loss.sentence, "does not support the schedule dualpipe; instead: 1f1b");
    }));
}

TEST(ExportedPlans, turn_off_the_sharding_that_a_recipe_of_megatron_bridge_turns_on) {
    const LaunchExport written = exported(result_of("smollm-135m"), "megatron-bridge");
    const std::string overrides = text_of(written, "overrides.yaml");
    const std::string off = "\n  use_distributed_optimizer: false";
    EXPECT_NE(overrides.find(off), overrides.rfind(off)) << overrides; // of the gradient buffers and of the optimizer
    EXPECT_FALSE(holds(overrides, "use_distributed_optimizer: true"));
    EXPECT_TRUE(holds(text_of(exported(result_of("pretrain-70b-1k-design"), "megatron-bridge"), "overrides.yaml"),
                      "use_distributed_optimizer: true"));
}

TEST(ExportedPlans, shard_muon_by_whole_layers) {
    const std::string bridge = text_of(exported(result_of("kimi-k2"), "megatron-bridge"), "overrides.yaml");
    EXPECT_TRUE(holds(bridge, "\n  optimizer: \"dist_muon\"")) << bridge;
    EXPECT_TRUE(holds(bridge, "\n  use_distributed_optimizer: false"));
    EXPECT_TRUE(holds(bridge, "\n  overlap_param_gather: false"));
    EXPECT_FALSE(holds(bridge, "use_distributed_optimizer: true"));
    const Imported imported = import_texts({{.name = "overrides.yaml", .text = bridge}});
    EXPECT_EQ(imported.document["parallelism"]["zero_stage"], 1);
    EXPECT_EQ(imported.document["optimizer"]["name"], "muon");
    const std::string megatron = text_of(exported(result_of("kimi-k2"), "megatron"), "train.sh");
    EXPECT_TRUE(holds(megatron, "--use-distributed-optimizer"));
    EXPECT_TRUE(holds(megatron, "--optimizer muon"));
}

TEST(ExportedPlans, with_experts_give_deepspeed_their_parameter_groups) {
    const auto script = [](const char *preset) {
        return text_of(exported(result_of(preset), "deepspeed"), "train.sh");
    };
    EXPECT_TRUE(holds(script("qwen3-235b-256"), "\n    --create-moe-param-group"));
    EXPECT_FALSE(holds(script("pretrain-70b-1k-design"), "--create-moe-param-group"));
}

TEST(ExportedPlans, with_a_pipeline_give_accelerates_script_only_words_that_it_knows) {
    const Result result = result_of("pretrain-70b-1k-design");
    const LaunchExport written = exported(result, "accelerate");
    const std::string script = text_of(written, "train.sh");
    const std::string settings = text_of(written, "accelerate.yaml");
    EXPECT_TRUE(holds(settings, "distributed_type: \"MEGATRON_LM\"")) << settings;
    for (const char *const word : {"--max_train_steps ", "--num_warmup_steps "})
        EXPECT_TRUE(holds(script, word)) << word << "\n" << script;
    EXPECT_EQ(holds(script, "--checkpointing_steps "), run_steps(result.plan, result).save_interval > 0);
    for (const char *const word : {"--do_train", "--max_steps", "--optim ", "--warmup_steps ", "--save_strategy",
                                   "--save_steps", "--logging_steps", "--gradient_accumulation_steps"})
        EXPECT_FALSE(holds(script, word)) << word;
    const Imported back =
        import_texts({{.name = "train.sh", .text = script}, {.name = "accelerate.yaml", .text = settings}});
    EXPECT_EQ(back.document["parallelism"]["pipeline"], 4);
    EXPECT_EQ(back.document["batch"]["global_sequences"], 2048);
    EXPECT_EQ(back.document["recompute"]["mode"], "full");
}

TEST(ExportedPlans, with_a_pipeline_name_what_accelerate_does_not_pass_to_megatron) {
    const auto is_lost = [](const LaunchExport &written, const char *field, const char *part) {
        return std::any_of(written.lost.begin(), written.lost.end(), [&](const Loss &loss) {
            return holds(loss.sentence, part) && loss.fields == std::vector<std::string>{field};
        });
    };
    const LaunchExport llama = exported(result_of("pretrain-70b-1k-design"), "accelerate");
    EXPECT_TRUE(
        is_lost(llama, "/model", "instead: multi-head attention, feed-forward networks of 32768 without gates"));
    EXPECT_TRUE(is_lost(llama, "/recompute/mode", "Accelerate with Megatron-LM cannot turn off recomputation"));
    EXPECT_TRUE(holds(text_of(llama, "accelerate.yaml"), "megatron_lm_use_rotary_position_embeddings: true"));
    EXPECT_TRUE(holds(text_of(llama, "accelerate.yaml"), "megatron_lm_context_parallel_size: 1"));
    const LaunchExport gpt = exported(result_of("gpt3-175b-1k"), "accelerate");
    EXPECT_FALSE(is_lost(gpt, "/model", "Accelerate passes only"));
    EXPECT_TRUE(holds(text_of(gpt, "accelerate.yaml"), "megatron_lm_use_rotary_position_embeddings: false"));
}

/// The Llama 3 software shards gradients with a pipeline. Megatron-LM does not, so its run needs more memory.
TEST(ExportedPlans, predict_the_run_that_their_files_start) {
    const Result result = result_of("llama3-405b-16k");
    ASSERT_TRUE(result.verdict.fits);
    const std::string script =
        std::regex_replace(text_of(exported(result, "megatron"), "train.sh"), std::regex("\n# *"), " ");
    EXPECT_TRUE(holds(script, "does not support ZeRO 2 with pipeline parallelism; instead: ZeRO 1.")) << script;
    EXPECT_TRUE(holds(script, "This run does not fit: it needs ")) << script;
    EXPECT_TRUE(holds(script, "As planned, it fits.")) << script;
    EXPECT_FALSE(holds(script, "stay free at the memory peak")) << script;
    const std::string same = text_of(exported(result_of("pretrain-8b"), "megatron"), "train.sh");
    EXPECT_FALSE(holds(same, "as planned")) << same;
}

/// training.py divides by the interval, even without evaluation.
TEST(ExportedPlans, give_megatron_an_evaluation_interval) {
    EXPECT_TRUE(holds(text_of(exported(result_of("pretrain-8b"), "megatron"), "train.sh"),
                      "--eval-interval 1000 --eval-iters 0"));
}

TEST(LaunchEnvironment, has_one_connection_before_blackwell_with_tensor_parallelism_and_several_with_fsdp) {
    const auto value = [](const Result &result) {
        const TargetPlan target = megatron_target(result.plan, *shipped_presets().stack("megatron-core-2025"));
        for (const LaunchVariable &variable : program_environment(target, true))
            if (variable.name == "CUDA_DEVICE_MAX_CONNECTIONS")
                return variable.value.empty() ? std::string("unset") : variable.value;
        return std::string("free");
    };
    EXPECT_EQ(value(result_of("pretrain-70b-1k-design")), "1");
    EXPECT_EQ(value(result_of("pretrain-8b", R"({"parallelism": {"zero_stage": 3}})")), "unset");
    EXPECT_EQ(value(result_of("pretrain-70b-1k-design", R"({"cluster": {"accelerator": "b200"}})")), "free");
    EXPECT_EQ(value(result_of("smollm-135m")), "free");
}

TEST(LaunchEnvironment, of_megatron_deepspeed_has_one_connection_with_sequence_parallelism_only) {
    const auto script = [](const char *parallelism) {
        return text_of(exported(result_of("pretrain-70b-1k-design", parallelism), "deepspeed"), "train.sh");
    };
    const char *const variable = "CUDA_DEVICE_MAX_CONNECTIONS";
    EXPECT_TRUE(holds(script(R"({"parallelism": {"tensor": 8, "pipeline": 1, "chunks": 1, "data": 128, "layout": null,
                                                 "schedule": "1f1b", "zero_stage": 3, "sequence_parallel": true}})"),
                      "export CUDA_DEVICE_MAX_CONNECTIONS=\"${CUDA_DEVICE_MAX_CONNECTIONS:-1}\""));
    EXPECT_FALSE(holds(script(R"({"parallelism": {"tensor": 1, "pipeline": 1, "chunks": 1, "data": 1024, "layout": null,
                                                  "schedule": "1f1b", "zero_stage": 3, "sequence_parallel": false}})"),
                       variable));
}

TEST(LaunchEnvironment, states_the_memory_that_is_missing) {
    const Result fits = result_of("pretrain-70b-1k-design");
    const Result exceeds = result_of("pretrain-70b-1k-design", R"({"cluster": {"accelerator": "v100-sxm2-32gb"}})");
    ASSERT_LT(exceeds.verdict.headroom_bytes, 0);
    const std::string script = text_of(exported(exceeds, "megatron"), "train.sh");
    EXPECT_TRUE(holds(script, "# Reduces fragmentation. The memory peak exceeds the capacity of 34.4 GB by "))
        << script;
    EXPECT_FALSE(holds(script, "by -"));
    EXPECT_FALSE(holds(text_of(exported(fits, "megatron"), "train.sh"), "exceeds the"));
}

TEST(ExportedPlans, write_checkpoints_of_fsdp_in_the_background_where_the_plan_does) {
    const auto script = [](const char *patch) {
        return text_of(exported(result_of("pretrain-8b", patch), "megatron"), "train.sh");
    };
    const std::string background =
        script(R"({"parallelism": {"zero_stage": 3}, "faults": {"checkpoint_blocking_share": 0}})");
    EXPECT_TRUE(holds(background, "--ckpt-format fsdp_dtensor")) << background;
    EXPECT_TRUE(holds(background, "--async-save")) << background;
    EXPECT_FALSE(holds(script(R"({"parallelism": {"zero_stage": 3}, "faults": {"checkpoint_blocking_share": 1}})"),
                       "--async-save"));
}

TEST(LaunchEnvironment, gives_a_reason_for_each_variable) {
    for (const std::string &id : evaluable_plans()) {
        const Result result = result_of(id.c_str());
        const TargetPlan target = megatron_target(result.plan, *shipped_presets().stack("megatron-core-2025"));
        for (const LaunchVariable &variable : network_environment(target, result))
            EXPECT_GT(variable.why.size(), 20) << variable.name;
    }
}

/// Every accelerator is assigned exactly one rank. Accelerators are numbered in the plan's order of dimensions, ranks
/// in the order that the software expects.
RC_GTEST_PROP(RankOrder, puts_each_dimension_where_the_plan_places_it, ()) {
    Plan planned;
    Parallelism &parallelism = planned.parallelism;
    parallelism.tensor = *rc::gen::element<std::int64_t>(1, 2, 4);
    parallelism.context = *rc::gen::element<std::int64_t>(1, 2);
    parallelism.pipeline = *rc::gen::element<std::int64_t>(1, 2, 3);
    parallelism.data = *rc::gen::element<std::int64_t>(1, 2, 4, 8);
    parallelism.expert = *rc::gen::element<std::int64_t>(1, 2, 8);
    parallelism.placement = random_placement();
    Plan target = planned;
    target.parallelism.placement = random_placement();
    const std::int64_t all = parallelism.tensor * parallelism.context * parallelism.pipeline * parallelism.data;
    planned.cluster.tiers = {{.name = "node", .accelerators = all, .bandwidth_bytes_per_second = 1}};

    const std::vector<RankDigit> digits = rank_digits(planned, target);
    std::set<std::int64_t> ranks;
    for (std::int64_t slot = 0; slot < all; ++slot) {
        std::int64_t rank = 0;
        for (const RankDigit &digit : digits)
            rank += slot / digit.slot_stride % digit.size * digit.rank_stride;
        ranks.insert(rank);
        RC_ASSERT(rank >= 0 && rank < all);
    }
    RC_ASSERT(static_cast<std::int64_t>(ranks.size()) == all);
    for (const RankDigit &digit : digits)
        if (digit.name == "tensor") {
            RC_ASSERT(digit.slot_stride == groups_of(planned).tensor.stride);
            RC_ASSERT(digit.rank_stride == groups_of(target).tensor.stride);
        } else if (digit.name == "pipeline") {
            RC_ASSERT(digit.slot_stride == groups_of(planned).pipeline.stride);
            RC_ASSERT(digit.rank_stride == groups_of(target).pipeline.stride);
        }
}

TEST(SlurmJob, asks_for_the_nodes_of_a_site_and_maps_ranks_to_the_plans_order) {
    const LaunchExport written = exported(result_of("deepseek-v3"), "slurm");
    EXPECT_EQ(written.files.front().name, "run.sbatch");
    const std::string job = written.files.front().text();
    EXPECT_TRUE(holds(job, "#SBATCH --nodes=256\n"));
    EXPECT_TRUE(holds(job, "#SBATCH --ntasks-per-node=8\n"));
    EXPECT_TRUE(holds(job, "##SBATCH --cpus-per-task=FILL_IN   # cores per node / 8;"));
    EXPECT_TRUE(holds(job, "srun --kill-on-bad-exit=1 --cpus-per-task=\"${SLURM_CPUS_PER_TASK:-1}\" "));
    // Expert-parallel ranks come first, then pipeline, then the rest of data parallelism; in Megatron, pipeline is
    // outermost.
    EXPECT_TRUE(holds(job, "expert=$((slot % 64)) slot=$((slot / 64))\n"));
    EXPECT_TRUE(holds(job, "export RANK=$((expert * 1 + pipeline * 128 + data * 64))\n")) << job;
    const std::string in_order = text_of(exported(result_of("pretrain-70b-1k-design"), "megatron"), "run.sbatch");
    EXPECT_TRUE(holds(in_order, "export RANK=$SLURM_PROCID\n"));
}

TEST(SlurmJob, keeps_nodes_of_one_nvlink_domain_together) {
    const char *const racks = R"({"cluster": {"accelerator": "gb200", "accelerators_per_node": 4, "tiers": [
        {"name": "nvlink", "accelerators": 64, "bandwidth_bytes_per_second": 900e9, "latency_seconds": 3e-6},
        {"name": "infiniband", "accelerators": 1024, "bandwidth_bytes_per_second": 50e9, "latency_seconds": 5e-6}]}})";
    const std::string job = text_of(exported(result_of("pretrain-70b-1k-design", racks), "megatron"), "run.sbatch");
    EXPECT_TRUE(holds(job, "#SBATCH --segment=16\n")) << job;
}

TEST(SlurmJob, reads_the_first_node_without_a_pipe) {
    // `set -o pipefail` ends a job whose list of nodes is longer than the pipe's reader takes.
    const std::string job = text_of(exported(result_of("deepseek-v3"), "slurm"), "run.sbatch");
    EXPECT_TRUE(holds(job,
                      "NODES=\"$(scontrol show hostnames \"$SLURM_JOB_NODELIST\")\"\n"
                      "MASTER_ADDR=\"${NODES%%$'\\n'*}\"\n"))
        << job;
}

TEST(Tables, hold_every_figure_and_every_operation) {
    const LaunchExport written = exported(result_of("pretrain-70b-1k-design"), "csv");
    ASSERT_EQ(written.files.size(), 3);
    EXPECT_TRUE(holds(written.files[0].text(), "\nstep.seconds,"));
    EXPECT_EQ(written.files[1].lines.size(), 5); // a header and four stages
    const std::string operations = written.files[2].text();
    // 32 microbatches x 5 chunks, forward and backward, on 4 ranks.
    EXPECT_EQ(std::count(operations.begin(), operations.end(), '\n'), 1 + 32 * 5 * 2 * 4);
}
