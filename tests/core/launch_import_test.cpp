// SPDX-License-Identifier: GPL-3.0-or-later
// Tests rules that hold for all kinds of launch configurations.
#include "imported_plan.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <set>
#include <sstream>

using namespace meshwright;
using namespace meshwright::testing_launch;

namespace {

/// For each example, the recognized kind; examples are found by the beginning of their names.
const std::vector<std::pair<std::string, std::string>> kinds_of_examples{
    {"megatron", "megatron"}, {"bridge", "megatron-bridge"}, {"nemo", "megatron-bridge"},  {"torchtitan", "torchtitan"},
    {"nanotron", "nanotron"}, {"deepspeed", "deepspeed"},    {"accelerate", "accelerate"}, {"trainer", "hf-trainer"}};

/// Returns an option that is listed twice; empty if there is none.
std::string repeated_option(const Imported &imported) {
    std::set<std::string> seen;
    for (const UnderstoodOption &each : imported.understood)
        if (!seen.insert(each.option).second)
            return each.option;
    for (const IgnoredOption &each : imported.ignored)
        if (!seen.insert(each.option).second)
            return each.option;
    return {};
}

std::vector<std::string> lines_of(const std::string &text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

/// Checks that every option sets a known field of the plan or has a reason, and that every assumed field has one too.
void expect_whole_account(const Imported &imported, const std::string &name) {
    EXPECT_EQ(repeated_option(imported), "") << name;
    for (const UnderstoodOption &each : imported.understood)
        EXPECT_TRUE(each.field.empty() || each.field.front() == '/') << name << " " << each.option;
    for (const IgnoredOption &each : imported.ignored)
        EXPECT_FALSE(each.why.empty()) << name << " " << each.option;
    for (const AssumedField &each : imported.assumed)
        EXPECT_FALSE(each.why.empty()) << name << " " << each.field;
}

} // namespace

TEST(LaunchImport, each_form_is_recognized_by_its_text) {
    const std::vector<std::string> names = example_names();
    ASSERT_GE(names.size(), 15u);
    for (const std::string &name : names) {
        const auto kind = std::find_if(kinds_of_examples.begin(), kinds_of_examples.end(),
                                       [&](const auto &each) { return name.starts_with(each.first); });
        ASSERT_NE(kind, kinds_of_examples.end()) << name;
        const Imported imported = import_texts({example(name)});
        EXPECT_EQ(imported.kind, kind->second) << name;
        EXPECT_EQ(imported.what, "plan") << name;
        EXPECT_TRUE(imported.faults.empty()) << name << "\n" << faults_of(imported);
        EXPECT_TRUE(is_accepted(imported)) << name;
        expect_whole_account(imported, name);
    }
}

TEST(LaunchImport, a_kind_can_be_named_and_an_unknown_one_is_rejected) {
    EXPECT_EQ(import_texts({example("deepspeed.json")}, "deepspeed").kind, "deepspeed");
    EXPECT_NE(import_rejection_of("x", "no-such-kind").find("megatron"), std::string::npos);
    EXPECT_NE(import_rejection_of("nothing that a launcher reads").find("--from"), std::string::npos);
}

TEST(LaunchImport, a_document_without_options_is_rejected) {
    for (const char *const kind : {"torchtitan", "nanotron", "accelerate", "deepspeed"})
        EXPECT_NE(import_rejection_of("{}", kind).find("no options"), std::string::npos) << kind;
    for (const char *const text : {"", "# nothing\n"})
        EXPECT_THROW(import_text("run.toml", text, "torchtitan"), InputError) << text;
}

TEST(LaunchImport, a_log_that_prints_a_model_s_configuration_is_not_taken_for_one) {
    const std::string log = "loading config.json\n{\"model_type\": \"llama\", \"hidden_size\": 64}\n";
    EXPECT_NE(import_rejection_of(log).find("not recognized"), std::string::npos);
}

TEST(LaunchImport, what_a_file_leaves_open_is_named_with_a_reason) {
    const Imported imported = import_text("ds.json", R"({"train_batch_size": 8, "zero_optimization": {"stage": 1}})");
    for (const char *field : {"/model", "/batch/sequence_length", "/cluster/accelerator", "/cluster/tiers"})
        EXPECT_TRUE(assumes(imported, field)) << field;
}

TEST(LaunchImport, accelerators_that_nobody_states_are_a_node_or_what_the_degrees_take) {
    const auto accelerators = [](const std::string &options) {
        const Imported imported =
            import_text("args",
                        "--num-layers 32 --hidden-size 4096 --num-attention-heads 32 --seq-length 4096 "
                        "--max-position-embeddings 4096 --micro-batch-size 2 --train-iters 10 "
                            + options);
        EXPECT_TRUE(imported.faults.empty()) << options << faults_of(imported);
        return at(imported, "/cluster/tiers").back()["accelerators"].get<int>();
    };
    EXPECT_EQ(accelerators(""), 8);
    EXPECT_EQ(accelerators("--global-batch-size 8"), 4); // eight accelerators would need sixteen sequences
    EXPECT_EQ(accelerators("--tensor-model-parallel-size 4 --pipeline-model-parallel-size 4"), 16);
    EXPECT_EQ(accelerators("--tensor-model-parallel-size 2 --num-experts 64 --moe-router-topk 2 --disable-bias-linear "
                           "--expert-model-parallel-size 16 --expert-tensor-parallel-size 1"),
              16);
}

TEST(LaunchImport, torchrun_starts_one_node_unless_told_otherwise) {
    const auto run = [](const std::string &launcher, const std::string &options) {
        return import_text("run.sh",
                           launcher
                               + " pretrain_gpt.py --num-layers 32 --hidden-size 4096 --num-attention-heads 32 "
                                 "--seq-length 4096 --max-position-embeddings 4096 --micro-batch-size 1 "
                               + options + "\n");
    };
    const Imported imported = run("torchrun --nproc_per_node=8", "--global-batch-size 2");
    EXPECT_EQ(at(imported, "/parallelism/data"), 8);
    EXPECT_TRUE(assumes(imported, "/cluster/tiers/1/accelerators"));
    EXPECT_FALSE(imported.faults.empty()); // two sequences do not feed eight replicas
    const Imported spread =
        run("torchrun --nproc_per_node=8",
            "--global-batch-size 16 --tensor-model-parallel-size 8 --pipeline-model-parallel-size 2");
    EXPECT_EQ(at(spread, "/cluster/tiers").back()["accelerators"], 16);
    EXPECT_NE(fault_of(spread, "--nnodes"), "");
    EXPECT_EQ(fault_of(run("torchrun --nnodes $NODES --nproc_per_node=8",
                           "--global-batch-size 16 --tensor-model-parallel-size 8 --pipeline-model-parallel-size 2"),
                       "--nnodes"),
              "");
}

TEST(LaunchImport, the_machines_of_a_file_stay_as_stated_where_the_degrees_do_not_divide_them) {
    const Imported imported =
        import_text("run.sh",
                    "torchrun --nproc_per_node 8 --nnodes 1 pretrain_gpt.py --num-layers 96 --hidden-size 12288 "
                    "--num-attention-heads 96 --seq-length 2048 --max-position-embeddings 2048 "
                    "--micro-batch-size 1 --global-batch-size 1536 --train-iters 10 "
                    "--tensor-model-parallel-size 8 --pipeline-model-parallel-size 16\n");
    EXPECT_EQ(at(imported, "/cluster/tiers/0/accelerators"), 8);
    EXPECT_EQ(at(imported, "/parallelism/pipeline"), 16);
    EXPECT_FALSE(imported.faults.empty());
    EXPECT_FALSE(is_accepted(imported));
}

TEST(LaunchImport, long_lists_of_options_take_no_longer_than_they_are) {
    std::string text = "distributed_type: FSDP\nnum_processes: 8\ncompute_environment: LOCAL_MACHINE\n";
    for (int i = 0; i < 100'000; ++i)
        text += "option_" + std::to_string(i) + ": " + std::to_string(i) + "\n";
    const Imported imported = import_text("a.yaml", text);
    EXPECT_EQ(imported.ignored.size() + imported.understood.size(), 100'003u);
}

TEST(LaunchImport, sizes_of_any_magnitude_end_in_a_plan_with_faults) {
    const std::vector<std::string> values{"0",      "-1",   "1e18", "9000000000000000", "0.5", "true", "\"x\"",
                                          "[1, 2]", "null", "${X}"};
    rc::check([&] {
        const std::vector<std::string> names = example_names();
        const LaunchFile original = example(*rc::gen::elementOf(names));
        std::vector<std::string> lines = lines_of(original.text);
        const int changes = *rc::gen::inRange(1, 5);
        for (int i = 0; i < changes; ++i) {
            std::string &line = lines[*rc::gen::inRange<std::size_t>(0, lines.size())];
            const std::size_t digit = line.find_first_of("0123456789");
            const std::string value = *rc::gen::elementOf(values);
            if (digit != std::string::npos)
                line.replace(digit, line.find_first_not_of("0123456789", digit) - digit, value);
            else if (*rc::gen::arbitrary<bool>())
                line.clear();
        }
        std::string text;
        for (const std::string &line : lines)
            text += line + "\n";
        try {
            const Imported imported = import_text(original.name, text);
            RC_ASSERT(repeated_option(imported) == "");
            RC_ASSERT(imported.what == "plan");
            RC_ASSERT(is_accepted(imported) || !imported.faults.empty());
        } catch (const InputError &error) {
            RC_ASSERT(!error.diagnostics().empty());
        }
    });
}
