// SPDX-License-Identifier: GPL-3.0-or-later
#include "imported_plan.h"

#include <gtest/gtest.h>

using namespace meshwright;
using namespace meshwright::testing_launch;

namespace {

Imported nanotron(const std::string &model, const std::string &parallelism,
                  const std::string &optimizer = "zero_stage: 0") {
    return import_text("run.yaml",
                       "model:\n  dtype: bfloat16\n  model_config: {is_llama_config: true, hidden_size: 1024, "
                       "num_hidden_layers: 12, num_attention_heads: 16, vocab_size: 32000, intermediate_size: 4096"
                           + model + "}\nparallelism: {" + parallelism
                           + "}\noptimizer: {accumulate_grad_in_fp32: true, " + optimizer
                           + "}\ntokens: {sequence_length: 2048, micro_batch_size: 4, "
                             "batch_accumulation_per_replica: 2, train_steps: 100}\n");
}

} // namespace

TEST(NanotronImport, replicas_are_stated_and_the_batch_is_a_product) {
    const Imported imported = import_texts({example("nanotron.yaml")});
    EXPECT_EQ(imported.kind, "nanotron");
    EXPECT_EQ(at(imported, "/parallelism/data"), 16);
    EXPECT_EQ(at(imported, "/cluster/tiers/1/accelerators"), 128);
    EXPECT_EQ(at(imported, "/batch/global_sequences"), 256);
    EXPECT_EQ(at(imported, "/run/tokens"), 5000.0 * 256 * 4096);
    EXPECT_EQ(at(imported, "/model/vocabulary"), 49160); // padded to a multiple of 2 x 4 tensor-parallel ranks
    EXPECT_EQ(at(imported, "/parallelism/zero_stage"), 1);
    EXPECT_TRUE(imported.faults.empty()) << faults_of(imported);
    EXPECT_TRUE(is_accepted(imported));
}

TEST(NanotronImport, pipelines_run_all_forward_passes_first_and_sequences_stay_whole_by_default) {
    const Imported usual = nanotron("", "dp: 2, tp: 2, pp: 2");
    EXPECT_EQ(at(usual, "/parallelism/schedule"), "gpipe");
    EXPECT_EQ(at(usual, "/parallelism/sequence_parallel"), false);
    const Imported stated = nanotron("", "dp: 2, tp: 2, pp: 2, pp_engine: 1f1b, tp_mode: REDUCE_SCATTER");
    EXPECT_EQ(at(stated, "/parallelism/schedule"), "1f1b");
    EXPECT_EQ(at(stated, "/parallelism/sequence_parallel"), true);
    EXPECT_NE(fault_of(nanotron("", "dp: 1, tp: 1, pp: 1, pp_engine: zigzag"), "parallelism.pp_engine"), "");
}

TEST(NanotronImport, any_stage_above_zero_shards_the_optimizer_alone) {
    EXPECT_EQ(at(nanotron("", "dp: 2, tp: 1, pp: 1", "zero_stage: 3"), "/parallelism/zero_stage"), 1);
    EXPECT_EQ(at(nanotron("", "dp: 2, tp: 1, pp: 1"), "/parallelism/zero_stage"), 0);
}

TEST(NanotronImport, gradients_in_fp32_come_with_a_master_copy) {
    const Imported wide = nanotron("", "dp: 1, tp: 1, pp: 1");
    EXPECT_EQ(at(wide, "/precision/gradients"), "fp32");
    EXPECT_EQ(at(wide, "/precision/master"), "fp32");
    const Imported half = nanotron("", "dp: 1, tp: 1, pp: 1", "zero_stage: 0, accumulate_grad_in_fp32: false");
    EXPECT_EQ(at(half, "/precision/master"), "none");
    EXPECT_EQ(at(half, "/precision/moments"), "bf16");
}

TEST(NanotronImport, experts_stand_in_all_layers_or_in_those_that_are_listed) {
    const Imported all =
        nanotron(", moe_config: {num_experts: 8, top_k: 2, enable_shared_expert: true}", "dp: 2, tp: 1, pp: 1");
    EXPECT_EQ(at(all, "/model/blocks/0/transform/experts"), 8);
    EXPECT_EQ(at(all, "/model/blocks/0/transform/hidden"), 1408); // nanotron's default
    EXPECT_EQ(at(all, "/model/blocks/0/transform/shared_hidden"), 5632);
    const Imported some =
        nanotron(", moe_config: {num_experts: 8, moe_intermediate_size: 512, layers: [1, 3]}", "dp: 2, tp: 1, pp: 1");
    EXPECT_EQ(at(some, "/model/layers"), Json::parse(R"([{"block":0,"count":1},{"block":1,"count":1},
        {"block":0,"count":1},{"block":1,"count":1},{"block":0,"count":8}])"));
    EXPECT_EQ(account_of(all, "model.model_config.intermediate_size"),
              "ignored: applies only to layers without experts");
    EXPECT_EQ(account_of(some, "model.model_config.intermediate_size"), "/model/blocks/0/transform/hidden");
}

TEST(NanotronImport, what_does_not_fit_together_is_a_fault) {
    EXPECT_NE(
        fault_of(nanotron(", num_key_value_heads: 2", "dp: 1, tp: 4, pp: 1"), "model.model_config.num_key_value_heads"),
        "");
    EXPECT_NE(fault_of(nanotron(", moe_config: {num_experts: 8}", "dp: 4, tp: 1, pp: 1, expert_parallel_size: 4"),
                       "parallelism.expert_parallel_size"),
              "");
    EXPECT_NE(fault_of(nanotron("", "dp: 0, tp: 1, pp: 1"), "parallelism.dp"), "");
}

TEST(NanotronImport, options_of_other_releases_are_named_and_passed_over) {
    const Imported imported = import_texts({example("nanotron.yaml")});
    EXPECT_EQ(account_of(imported, "new_section.switch"), "ignored: not a known option of nanotron");
    EXPECT_EQ(account_of(imported, "optimizer.adam_beta1").substr(0, 7), "ignored"); // outside optimizer_factory
    EXPECT_EQ(account_of(imported, "data_stages.1.sequence_length").substr(0, 7), "ignored");
    EXPECT_EQ(account_of(imported, "data_stages.0.data.dataset.dataset_folder").substr(0, 7), "ignored");
    const Imported random = import_text("run.yaml",
                                        "model: {model_config: {hidden_size: 1024, num_hidden_layers: 12}}\n"
                                        "parallelism: {dp: 1}\ntokens: {sequence_length: 2048}\n"
                                        "data_stages: [{name: training, data: {dataset: null}}]\n");
    EXPECT_EQ(account_of(random, "data_stages.0.data.dataset"),
              "ignored: does not change memory, traffic or step time"); // as exported: random tokens
    const Imported older = nanotron("", "dp: 2, tp: 1, pp: 1, recompute_layer: false, moe_layer_recompute: true");
    EXPECT_EQ(at(older, "/recompute"), Json::parse(R"({"mode":"modules","modules":["moe"]})"));
}

TEST(NanotronImport, mamba_layers_leave_the_model_open) {
    const Imported imported = import_text("run.yaml", R"(model:
  dtype: bfloat16
  model_config: {is_mamba_config: true, d_model: 1536, num_hidden_layers: 48, vocab_size: 50277}
parallelism: {dp: 2, tp: 2, pp: 2, pp_engine: 1f1b}
tokens: {sequence_length: 2048, micro_batch_size: 2, batch_accumulation_per_replica: 1, train_steps: 100}
optimizer: {zero_stage: 0, accumulate_grad_in_fp32: true}
)");
    EXPECT_TRUE(assumes(imported, "/model"));
    EXPECT_EQ(at(imported, "/parallelism/data"), 2);
}

TEST(NanotronImport, starcoder_has_one_kv_head_unless_its_queries_are_grouped) {
    const Imported single = nanotron(", is_starcoder2_config: true, num_kv_heads: 4", "dp: 1, tp: 1, pp: 1");
    EXPECT_EQ(at(single, "/model/blocks/0/mixer/kv_heads"), 1);
    const Imported grouped =
        nanotron(", is_starcoder2_config: true, grouped_query: true, num_kv_heads: 4", "dp: 1, tp: 1, pp: 1");
    EXPECT_EQ(at(grouped, "/model/blocks/0/mixer/kv_heads"), 4);
}
