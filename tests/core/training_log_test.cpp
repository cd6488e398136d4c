// SPDX-License-Identifier: GPL-3.0-or-later
// Imports training logs as measured runs.
#include "catalog/library.h"
#include "evidence/csv_table.h"
#include "evidence/measured_run.h"
#include "evidence/run_plan.h"
#include "input/diagnostic.h"
#include "launch/importers.h"
#include "measured/log_text.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace meshwright;
using Json = nlohmann::ordered_json;

namespace {

/// A log of two nodes with TP 2, PP 2 and an interleaved pipeline, in the format of Megatron-LM of 2026.
const char *const megatron_log =
    "using world size: 16, data-parallel size: 4, context-parallel size: 1, tensor-model-parallel size: 2\n"
    "------------------------ arguments ------------------------\n"
    "  add_bias_linear ................................. False\n"
    "  adam_beta1 ...................................... 0.9\n"
    "  bf16 ............................................ True\n"
    "  data_parallel_size .............................. 4\n"
    "  ffn_hidden_size ................................. 14336\n"
    "  fp8 ............................................. None\n"
    "  global_batch_size ............................... 128\n"
    "  group_query_attention ........................... True\n"
    "  hidden_size ..................................... 4096\n"
    "  micro_batch_size ................................ 1\n"
    "  num_attention_heads ............................. 32\n"
    "  num_layers ...................................... 32\n"
    "  num_query_groups ................................ 8\n"
    "  padded_vocab_size ............................... 128256\n"
    "  pipeline_model_parallel_size .................... 2\n"
    "  recompute_granularity ........................... None\n"
    "  seq_length ...................................... 8192\n"
    "  sequence_parallel ............................... True\n"
    "  swiglu .......................................... True\n"
    "  tensor_model_parallel_size ...................... 2\n"
    "  train_iters ..................................... 1000\n"
    "  untie_embeddings_and_output_weights ............. True\n"
    "  use_distributed_optimizer ....................... True\n"
    "  virtual_pipeline_model_parallel_size ............ 4\n"
    "  world_size ...................................... 16\n"
    "-------------------- end of arguments ---------------------\n"
    " [2026-05-01 10:00:09.123] iteration        1/    1000 | consumed samples:          128 | elapsed time per "
    "iteration (ms): 24000.0 | throughput per GPU (TFLOP/s/GPU): 150.1 | learning rate: 1.000000E-06 | global batch "
    "size:   128 | lm loss: 1.179000E+01 | loss scale: 1.0 | grad norm: 5.1 | number of skipped iterations:   0 | "
    "number "
    "of nan iterations:   0 |\n"
    "[Rank 0] (after 1 iterations) memory (MB) | allocated: 20000.00 | max allocated: 50000.00 | reserved: 61000.00 | "
    "max reserved: 61000.00\n"
    "[Rank 8] (after 1 iterations) memory (MB) | allocated: 18000.00 | max allocated: 44000.00 | reserved: 52000.00 | "
    "max reserved: 52000.00\n"
    " [2026-05-01 10:00:19.123] iteration        2/    1000 | consumed samples:          256 | elapsed time per "
    "iteration (ms): 10200.0 | throughput per GPU (TFLOP/s/GPU): 390.1 | global batch size:   128 | lm loss: "
    "1.170000E+01 |\n"
    "    forward-backward ...............................: (9000.10, 9100.00)\n"
    "    optimizer ......................................: (70.10, 80.00)\n"
    " [2026-05-01 10:00:29.123] iteration        3/    1000 | consumed samples:          384 | elapsed time per "
    "iteration (ms): 10000.0 | throughput per GPU (TFLOP/s/GPU): 400.1 | global batch size:   128 | lm loss: "
    "1.160000E+01 |\n"
    "    forward-backward ...............................: (9000.10, 9200.00)\n"
    "    optimizer ......................................: (70.10, 82.00)\n";

const char *const titan_log =
    "[rank0]:[titan] 2026-01-05 10:00:00,000 - root - INFO - Building 2-D device mesh with ['dp_shard', 'tp'], [4, 2]\n"
    "[rank0]:[titan] 2026-01-05 10:00:01,000 - root - INFO - CUDA capacity: NVIDIA H100 80GB HBM3 with 79.10GiB "
    "memory\n"
    "[rank0]:[titan] 2026-01-05 10:00:02,000 - root - INFO - Building llama3 8B with ModelArgs(dim=4096, n_layers=32, "
    "n_heads=32, n_kv_heads=8, vocab_size=128256, multiple_of=1024)\n"
    "[rank0]:[titan] 2026-01-05 10:00:03,000 - root - INFO - \x1b[34mModel llama3 8B \x1b[31msize: 8,030,261,248 total "
    "parameters\x1b[39m\n"
    "[rank0]:[titan] 2026-01-05 10:00:04,000 - root - INFO - Applied selective activation checkpointing to the model\n"
    "[rank0]:[titan] 2026-01-05 10:00:04,500 - root - INFO - Applied FSDP to the model\n"
    "[rank0]:[titan] 2026-01-05 10:00:05,000 - root - INFO - Trainer is initialized with local batch size 2, global "
    "batch size 16, gradient accumulation steps 2, sequence length 4096, total steps 1000 (warmup 200)\n"
    "[rank0]:[titan] 2026-01-05 10:00:09,000 - root - INFO - \x1b[31mstep:  1  \x1b[32mloss: 12.2  \x1b[33mmemory: "
    "40.10GiB(50.70%)  \x1b[34mtps: 900  \x1b[36mtflops: 50.10  \x1b[35mmfu: 5.06%\x1b[39m\n"
    "[rank0]:[titan] 2026-01-05 10:00:19,000 - root - INFO - \x1b[31mstep: 10  \x1b[32mloss: 10.9  \x1b[33mmemory: "
    "44.00GiB(55.63%)  \x1b[34mtps: 8,192  \x1b[36mtflops: 380.25  \x1b[35mmfu: 38.40%\x1b[39m\n"
    "[rank1]:[titan] 2026-01-05 10:00:19,000 - root - INFO - \x1b[31mstep: 10  \x1b[32mloss: 10.9  \x1b[33mmemory: "
    "45.00GiB(56.89%)  \x1b[34mtps: 8,190  \x1b[36mtflops: 380.25  \x1b[35mmfu: 38.40%\x1b[39m\n"
    "[rank0]:[titan] 2026-01-05 10:00:20,000 - root - INFO - \x1b[31mvalidate step: 10  \x1b[32mloss: 10.9  "
    "\x1b[33mmemory: 99.00GiB(99%)  \x1b[34mtps: 99,192\n";

const char *const nano_log =
    "[default0]:01/05/2026 10:00:00 [INFO|DP=0|PP=0|TP=0|node-1]: Config(general=GeneralArgs(project='run', seed=42),\n"
    "[default0]:  parallelism=ParallelismArgs(dp=4, pp=1,\n"
    "[default0]:  tp=2, pp_engine=<nanotron.parallel.pipeline_parallel.engine.AllForwardAllBackwardPipelineEngine "
    "object "
    "at 0x7f8c2a4b1c10>, tp_mode=<TensorParallelLinearMode.REDUCE_SCATTER: 2>),\n"
    "[default0]:  model=ModelArgs(model_config=LlamaConfig(hidden_size=2048, intermediate_size=8192, "
    "num_attention_heads=32, num_hidden_layers=16, num_key_value_heads=8, tie_word_embeddings=True, vocab_size=49152), "
    "dtype=torch.bfloat16), tokens=TokensArgs(sequence_length=2048, micro_batch_size=4, "
    "batch_accumulation_per_replica=2), zero_stage=1)\n"
    "[default0]:01/05/2026 10:00:05 [INFO|DP=0|PP=0|TP=0|node-1]: iteration: 1 / 20 | consumed_tokens: 65.5K | "
    "time_per_iteration_ms: 4.1K | tokens_per_sec: 16K | tokens_per_sec_per_gpu: 2K | global_batch_size: 65.5K | "
    "lm_loss: 11 | lr: 3e-05 | model_tflops_per_gpu: 20.1 | eta: 0:01:00\n"
    "[default0]:01/05/2026 10:00:06 [INFO|DP=0|PP=0|TP=0|node-1]:  Memory usage: 4000.00MiB. Peak allocated "
    "20000.00MiB. Peak reserved: 24000.00MiB\n"
    "[default0]:01/05/2026 10:00:06 [INFO|DP=0|PP=0|TP=0|node-1]: iteration: 2 / 20 | consumed_tokens: 131K | "
    "time_per_iteration_ms: 512 | tokens_per_sec: 128K | tokens_per_sec_per_gpu: 16K | global_batch_size: 65.5K | "
    "lm_loss: 10.8 | lr: 3e-05 | model_tflops_per_gpu: 161 | eta: 0:00:09\n";

Imported imported_log(const std::string &text, const std::string &name = "run_h100.log") {
    return import_files({{.name = name, .text = text}}, {}, Library::standard());
}

/// Reads the imported run as a row of a table of measured runs, because both have the same columns.
std::vector<MeasuredRun> as_table_row(const Json &run) {
    std::string names;
    std::string cells;
    for (const auto &[column, value] : run.items()) {
        names += (names.empty() ? "" : ",") + column;
        cells +=
            (cells.empty() ? "" : ",") + ("\"" + (value.is_string() ? value.get<std::string>() : value.dump()) + "\"");
    }
    return measured_runs(read_csv(names + "\n" + cells + "\n"));
}

void expect_every_entry_once(const Imported &imported) {
    std::vector<std::string> names;
    for (const UnderstoodOption &each : imported.understood)
        names.push_back(each.option);
    for (const IgnoredOption &each : imported.ignored)
        names.push_back(each.option);
    std::sort(names.begin(), names.end());
    EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end())
        << *std::adjacent_find(names.begin(), names.end());
}

} // namespace

TEST(TrainingLog, of_megatron_gives_the_median_step_without_the_first) {
    const Imported imported = imported_log(megatron_log);
    EXPECT_EQ(imported.kind, "log");
    EXPECT_EQ(imported.what, "run");
    const Json &run = imported.document;
    EXPECT_DOUBLE_EQ(run["step_seconds"], 10.1); // mean of 10.2 and 10.0
    EXPECT_DOUBLE_EQ(run["tokens_per_second_per_accelerator"], 128 * 8192 / 16 / 10.1);
    EXPECT_DOUBLE_EQ(run["published_tflops"], 395.1);
    EXPECT_EQ(imported.measured["iterations"], 3);
    EXPECT_EQ(imported.measured["first_iteration"], 1);
    EXPECT_EQ(imported.measured["total_iterations"], 1000);
    EXPECT_EQ(imported.measured["last_step_seconds"], 10);
    EXPECT_DOUBLE_EQ(imported.measured["timers_seconds"]["optimizer"], 0.082); // time of the slowest rank
    EXPECT_TRUE(imported.faults.empty());
    expect_every_entry_once(imported);
}

TEST(TrainingLog, of_megatron_gives_the_peak_of_the_rank_with_most) {
    const Imported imported = imported_log(megatron_log);
    EXPECT_EQ(imported.document["peak_memory_bytes"], 50000ll << 20);
    EXPECT_EQ(imported.document["memory_kind"], "allocated");
    EXPECT_EQ(imported.measured["max_reserved_bytes"], 61000ll << 20);
}

TEST(TrainingLog, of_megatron_has_model_and_layout_from_the_arguments) {
    const Json run = imported_log(megatron_log).document;
    EXPECT_EQ(run["framework"], "Megatron-LM");
    EXPECT_EQ(run["accelerator"], "h100-sxm-80gb"); // from the name of the file
    const Json expected{{"layers", 32},
                        {"hidden", 4096},
                        {"heads", 32},
                        {"kv_heads", 8},
                        {"ffn_hidden", 14336},
                        {"gated_mlp", 1},
                        {"vocabulary", 128256},
                        {"tied_embeddings", 0},
                        {"accelerators", 16},
                        {"tensor", 2},
                        {"pipeline", 2},
                        {"chunks", 4},
                        {"data", 4},
                        {"zero_stage", 1},
                        {"sequence_parallel", 1},
                        {"micro_batch", 1},
                        {"global_batch", 128},
                        {"sequence_length", 8192},
                        {"precision", "bf16"},
                        {"recompute", "none"}};
    for (const auto &[column, value] : expected.items())
        EXPECT_EQ(run.value(column, Json()), value) << column;
}

TEST(TrainingLog, of_megatron_is_a_row_of_measured_runs_with_a_plan) {
    const std::vector<MeasuredRun> rows = as_table_row(imported_log(megatron_log).document);
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows.front().measured_seconds(), 10.1);
    const RunPlan plan = plan_of(rows.front(), RunRules::standard(), Library::standard());
    EXPECT_EQ(plan.skipped, "");
    EXPECT_EQ(plan.plan.parallelism.tensor, 2);
    EXPECT_EQ(plan.plan.model.layer_count(), 32);
}

TEST(TrainingLog, of_an_older_megatron_names_what_it_leaves_open) {
    const Imported imported = imported_log(
        "r1i1n1:1:2 [0] NCCL INFO comm 0x14 rank 25 nranks 64 cudaDev 1 busId 1c000 - Init COMPLETE\n"
        "1:  iteration       25/  1000 | elapsed time per iteration (ms): 90.0 | global batch size:     2 |\n"
        "1:  iteration       26/  1000 | elapsed time per iteration (ms): 80.0 | global batch size:     2 |\n",
        "old.log");
    EXPECT_DOUBLE_EQ(imported.document["step_seconds"], 0.08);
    EXPECT_EQ(imported.document["accelerators"], 64);
    EXPECT_FALSE(imported.document.contains("tensor"));
    EXPECT_FALSE(imported.document.contains("tokens_per_second_per_accelerator"));
    ASSERT_EQ(imported.assumed.size(), 1u);
    EXPECT_EQ(imported.assumed.front().field, "/accelerators");
}

TEST(TrainingLog, of_nemo_is_read_like_megatron_s) {
    const Json run =
        imported_log("Training epoch 0, iteration 1/99 | lr: 1e-06 | global_batch_size: 512 | global_step: 1 | "
                     "reduced_train_loss: 11.7 | train_step_timing in s: 9.5\n"
                     "Training epoch 0, iteration 2/99 | lr: 1e-06 | global_batch_size: 512 | global_step: 2 | "
                     "reduced_train_loss: 11.6 | train_step_timing in s: 4.25\n")
            .document;
    EXPECT_EQ(run["framework"], "NeMo");
    EXPECT_DOUBLE_EQ(run["step_seconds"], 4.25);
    EXPECT_EQ(run["global_batch"], 512);
}

TEST(TrainingLog, takes_the_command_line_where_no_arguments_are_printed) {
    const Json run =
        imported_log("[INFO] cmd = python -u pretrain_gpt.py --tensor-model-parallel-size '4' --num-layers '24' "
                     "--hidden-size '2048' --num-attention-heads '16' --seq-length '2048' --micro-batch-size "
                     "'2' --global-batch-size '64' --deepspeed --zero-stage '1' --fp16\n"
                     " iteration 1/ 5 | elapsed time per iteration (ms): 900.0 |\n")
            .document;
    EXPECT_EQ(run["framework"], "Megatron-DeepSpeed");
    EXPECT_EQ(run["tensor"], 4);
    EXPECT_EQ(run["layers"], 24);
    EXPECT_EQ(run["precision"], "fp16");
    EXPECT_DOUBLE_EQ(run["step_seconds"], 0.9);
}

TEST(TrainingLog, of_torchtitan_has_rates_memory_and_mesh) {
    const Imported imported = imported_log(titan_log, "titan.log");
    const Json &run = imported.document;
    EXPECT_EQ(run["tokens_per_second_per_accelerator"], 8192);
    // 16 sequences of 4,096 tokens on 8 accelerators at 8,192 tokens/s each.
    EXPECT_DOUBLE_EQ(run["step_seconds"], 1.0);
    EXPECT_EQ(run["peak_memory_bytes"], 45ll << 30); // maximum over ranks; validation does not count
    EXPECT_EQ(run["memory_kind"], "reserved");
    EXPECT_DOUBLE_EQ(run["published_mfu"], 38.4);
    EXPECT_EQ(run["accelerators"], 8);
    EXPECT_EQ(run["tensor"], 2);
    EXPECT_EQ(run["data"], 4);
    EXPECT_EQ(run["zero_stage"], 3);
    EXPECT_EQ(run["micro_batch"], 2);
    EXPECT_EQ(run["recompute"], "selective");
    EXPECT_EQ(run["parameters"], 8030261248);
    EXPECT_EQ(run["layers"], 32);
    EXPECT_EQ(run["accelerator"], "h100-sxm-80gb");
    EXPECT_DOUBLE_EQ(imported.measured["reserved_fraction"], 0.5689);
    expect_every_entry_once(imported);
}

/// The printed size of a model with tied embeddings is too small by the embedding (torchtitan/models/utils.py).
TEST(TrainingLog, of_torchtitan_counts_tied_embeddings) {
    const Json run = imported_log("INFO - Total parameter count: dense 1,235,814,400, sparse 0, active 1,235,814,400\n"
                                  "INFO - Model qwen3 1B size: 973,146,112 total parameters\n"
                                  "INFO - step: 10  loss: 4.1  memory: 10.00GiB(12%)  tps: 1,000\n")
                         .document;
    EXPECT_EQ(run["parameters"], 1235814400);
}

TEST(TrainingLog, of_torchtitan_s_main_names_the_degrees) {
    const Json run =
        imported_log("INFO - Building device mesh with parallelism: pp=2, dp_replicate=2, dp_shard=4, cp=1, tp=1, "
                     "ep=1\nINFO - step: 10  loss: 4.1  memory: 10.00GiB(12%)  tps: 1,000\n")
            .document;
    EXPECT_EQ(run["pipeline"], 2);
    EXPECT_EQ(run["data"], 8);
    EXPECT_EQ(run["accelerators"], 16);
    EXPECT_EQ(run["shard_group"], 4);
    EXPECT_EQ(run["zero_stage"], 2); // with a pipeline, weights are gathered once per step
}

TEST(TrainingLog, of_nanotron_has_the_printed_configuration) {
    const Imported imported = imported_log(nano_log, "nano.log");
    const Json &run = imported.document;
    EXPECT_DOUBLE_EQ(run["step_seconds"], 0.512);
    EXPECT_EQ(run["tokens_per_second_per_accelerator"], 16000);
    EXPECT_EQ(run["peak_memory_bytes"], 20000ll << 20);
    const Json expected{{"accelerators", 8},       {"data", 4},       {"tensor", 2},      {"sequence_parallel", 1},
                        {"schedule", "gpipe"},     {"zero_stage", 1}, {"micro_batch", 4}, {"global_batch", 32},
                        {"sequence_length", 2048}, {"layers", 16},    {"kv_heads", 8},    {"tied_embeddings", 1},
                        {"precision", "bf16"}};
    for (const auto &[column, value] : expected.items())
        EXPECT_EQ(run.value(column, Json()), value) << column;
    expect_every_entry_once(imported);
}

TEST(TrainingLog, with_only_the_first_step_says_that_it_includes_start_up) {
    const Imported imported =
        imported_log(" iteration 1/ 10 | elapsed time per iteration (ms): 90000.0 |\n", "run.log");
    EXPECT_DOUBLE_EQ(imported.document["step_seconds"], 90.0);
    EXPECT_TRUE(std::any_of(imported.assumed.begin(), imported.assumed.end(),
                            [](const AssumedField &each) { return each.field == "/step_seconds"; }));
    expect_every_entry_once(imported);
    const std::string titan(titan_log);
    const Imported rated = imported_log(titan.substr(0, titan.find("[rank0]:[titan] 2026-01-05 10:00:19")));
    for (const char *const column : {"/step_seconds", "/tokens_per_second_per_accelerator"}) {
        const auto found = std::find_if(rated.assumed.begin(), rated.assumed.end(),
                                        [&](const AssumedField &each) { return each.field == column; });
        ASSERT_NE(found, rated.assumed.end()) << column;
        EXPECT_NE(found->why.find("start-up"), std::string::npos) << column;
    }
}

TEST(TrainingLog, that_ends_without_memory_says_so) {
    const Json run = imported_log(std::string(megatron_log)
                                  + "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2 GiB\n")
                         .document;
    EXPECT_EQ(run["outcome"], "oom");
}

TEST(TrainingLog, without_a_step_is_rejected) {
    EXPECT_THROW(imported_log("elapsed time per iteration (ms)"), InputError);
    try { // Megatron's arguments have the names of Megatron-Bridge's options
        imported_log("------------------------ arguments ------------------------\n"
                     "  global_batch_size ............................... 128\n"
                     "  micro_batch_size ................................ 1\n"
                     "  tensor_model_parallel_size ...................... 4\n"
                     "  train_iters ..................................... 100\n"
                     "-------------------- end of arguments ---------------------\n");
        FAIL() << "accepted";
    } catch (const InputError &error) {
        EXPECT_NE(error.diagnostics().front().message.text.find("no training steps"), std::string::npos);
    }
    EXPECT_THROW(import_files({{.name = "a", .text = "nothing"}}, "log", Library::standard()), InputError);
}

TEST(TrainingLog, with_impossible_figures_leaves_them_out) {
    std::string log = megatron_log;
    for (const char *const time : {"24000.0", "10200.0", "10000.0"})
        log.replace(log.find(time), 7, "1e-320 ");
    const Json run = imported_log(log).document;
    EXPECT_FALSE(run.contains("step_seconds"));
    EXPECT_FALSE(run.contains("tokens_per_second_per_accelerator"));
    std::string nano = nano_log;
    nano.replace(nano.find("sequence_length=2048"), 20, "sequence_length=0000");
    nano.replace(nano.find("micro_batch_size=4"), 18, "micro_batch_size=?");
    EXPECT_FALSE(imported_log(nano).document.contains("global_batch"));
}

TEST(TrainingLog, takes_any_name_of_a_timer) {
    const Imported imported =
        imported_log("time (ms) | 0: 5.0 | a/b~c: 6.0\n iteration 1/ 1 | elapsed time per iteration (ms): "
                     "90.0 |\n");
    EXPECT_EQ(imported.measured["timers_seconds"], Json({{"0", 0.005}, {"a/b~c", 0.006}}));
}

TEST(TrainingLog, entries_of_a_step_on_the_line_of_the_timers_are_none) {
    const Imported imported = imported_log(" iteration 1/ 1 | elapsed time per iteration (ms): 90.0 |\n"
                                           "number of nan iterations: 0 | time (ms) | forward: 5.0 |\n");
    EXPECT_EQ(imported.measured["timers_seconds"], Json({{"forward", 0.005}}));
}

TEST(TrainingLog, however_damaged_gives_a_run_or_one_error) {
    const std::vector<std::string> wholes{megatron_log, titan_log, nano_log};
    rc::check([&] {
        std::string text = *rc::gen::elementOf(wholes);
        const int changes = *rc::gen::inRange(1, 20);
        for (int i = 0; i < changes; ++i)
            text[*rc::gen::inRange<std::size_t>(0, text.size())] =
                *rc::gen::element(' ', '\n', '0', '9', '-', 'e', '.', '|', ':', '=', '[', '\x1b');
        try {
            const Imported imported = import_files({{.name = "a.log", .text = text}}, "log", Library::standard());
            RC_ASSERT(imported.what == "run");
            if (imported.document.contains("step_seconds"))
                RC_ASSERT(imported.document["step_seconds"].get<double>() > 0);
            to_json(imported).dump(-1, ' ', false, Json::error_handler_t::replace);
        } catch (const InputError &) { }
    });
}

TEST(LogText, reads_numbers_as_programs_print_them) {
    EXPECT_EQ(leading_number("6,785 x"), 6785);
    EXPECT_EQ(leading_number("1.638E-08 |"), 1.638e-8);
    EXPECT_EQ(leading_number("39.73%"), 39.73);
    EXPECT_EQ(leading_number("-1"), -1);
    EXPECT_EQ(leading_number("12, 13"), 12);
    EXPECT_EQ(leading_number("1e999"), std::nullopt);
    EXPECT_EQ(leading_number("x"), std::nullopt);
    EXPECT_EQ(whole_number_of("4 2"), std::nullopt);
    EXPECT_EQ(plain_log("\x1b[36mstep\x1b[0m\r\nat 50%\rat 100%"), "step\nat 50%\nat 100%");
}
