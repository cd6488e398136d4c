// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/megatron_names.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace meshwright {

namespace {

/// One option under its three names; several fields of one dialect are separated by spaces.
struct Spelling {
    std::string_view megatron;
    std::string_view bridge; ///< Megatron-Bridge's ConfigContainer at 067f987df03b
    std::string_view nemo; ///< NeMo-Framework-Launcher at 26e42fa91d9e
};

constexpr Spelling spellings[] = {
    {"--num-layers", "model.num_layers", "model.num_layers"},
    {"--hidden-size", "model.hidden_size", "model.hidden_size"},
    {"--ffn-hidden-size", "model.ffn_hidden_size", "model.ffn_hidden_size"},
    {"--num-attention-heads", "model.num_attention_heads", "model.num_attention_heads"},
    {"--num-query-groups", "model.num_query_groups", "model.num_query_groups"},
    {"--kv-channels", "model.kv_channels", "model.kv_channels"},
    {"--swiglu", "model.gated_linear_unit", ""},
    {"--activation", "", "model.activation"},
    {"--disable-bias-linear", "model.add_bias_linear", "model.bias"},
    {"--add-qkv-bias", "model.add_qkv_bias", "model.qkv_bias"},
    {"--normalization", "model.normalization", "model.normalization"},
    {"--qk-layernorm", "model.qk_layernorm", "model.qk_layernorm"},
    {"--untie-embeddings-and-output-weights", "model.share_embeddings_and_output_weights",
     "model.share_embeddings_and_output_weights"},
    {"--max-position-embeddings", "model.max_position_embeddings", "model.max_position_embeddings"},
    {"--position-embedding-type", "model.position_embedding_type", "model.position_embedding_type"},
    {"--mtp-num-layers", "model.mtp_num_layers", ""},
    {"--window-size", "model.window_size", "model.window_size"},
    {"--multi-latent-attention", "model.multi_latent_attention", ""},
    {"--q-lora-rank", "model.q_lora_rank", ""},
    {"--kv-lora-rank", "model.kv_lora_rank", ""},
    {"--qk-head-dim", "model.qk_head_dim", ""},
    {"--qk-pos-emb-head-dim", "model.qk_pos_emb_head_dim", ""},
    {"--v-head-dim", "model.v_head_dim", ""},
    {"--vocab-size", "model.vocab_size tokenizer.vocab_size", "model.vocab_size"},
    {"--padded-vocab-size", "tokenizer.padded_vocab_size", ""},
    {"--make-vocab-size-divisible-by", "model.make_vocab_size_divisible_by tokenizer.make_vocab_size_divisible_by",
     "model.make_vocab_size_divisible_by"},
    {"--no-pad-vocab-size", "tokenizer.pad_vocab_size", ""},
    {"--num-experts", "model.num_moe_experts", "model.num_moe_experts"},
    {"--moe-router-topk", "model.moe_router_topk", "model.moe_router_topk"},
    {"--moe-ffn-hidden-size", "model.moe_ffn_hidden_size", "model.moe_ffn_hidden_size"},
    {"--moe-shared-expert-intermediate-size", "model.moe_shared_expert_intermediate_size",
     "model.moe_shared_expert_intermediate_size"},
    {"--moe-shared-expert-gate", "model.moe_shared_expert_gate", ""},
    {"--moe-router-enable-expert-bias", "model.moe_router_enable_expert_bias", ""},
    {"--moe-layer-freq", "model.moe_layer_freq", "model.moe_layer_freq"},
    {"--tensor-model-parallel-size", "model.tensor_model_parallel_size", "model.tensor_model_parallel_size"},
    {"--pipeline-model-parallel-size", "model.pipeline_model_parallel_size", "model.pipeline_model_parallel_size"},
    {"--context-parallel-size", "model.context_parallel_size", "model.context_parallel_size"},
    {"--expert-model-parallel-size", "model.expert_model_parallel_size", "model.expert_model_parallel_size"},
    {"--expert-tensor-parallel-size", "model.expert_tensor_parallel_size", "model.expert_tensor_parallel_size"},
    {"--sequence-parallel", "model.sequence_parallel", "model.sequence_parallel"},
    {"--use-tp-pp-dp-mapping", "dist.use_tp_pp_dp_mapping", "model.use_tp_pp_dp_mapping"},
    {"--pipeline-model-parallel-layout", "model.pipeline_model_parallel_layout", ""},
    {"--account-for-embedding-in-pipeline-split", "model.account_for_embedding_in_pipeline_split",
     "model.account_for_embedding_in_pipeline_split"},
    {"--account-for-loss-in-pipeline-split", "model.account_for_loss_in_pipeline_split",
     "model.account_for_loss_in_pipeline_split"},
    {"--num-virtual-stages-per-pipeline-rank", "model.virtual_pipeline_model_parallel_size",
     "model.virtual_pipeline_model_parallel_size"},
    {"--decoder-first-pipeline-num-layers", "model.num_layers_in_first_pipeline_stage",
     "model.num_layers_in_first_pipeline_stage"},
    {"--decoder-last-pipeline-num-layers", "model.num_layers_in_last_pipeline_stage",
     "model.num_layers_in_last_pipeline_stage"},
    {"--microbatch-group-size-per-virtual-pipeline-stage", "model.microbatch_group_size_per_vp_stage", ""},
    {"--use-distributed-optimizer", "ddp.use_distributed_optimizer optimizer.use_distributed_optimizer", ""},
    {"--use-megatron-fsdp", "ddp.use_megatron_fsdp dist.use_megatron_fsdp", "model.fsdp"},
    {"--data-parallel-sharding-strategy", "ddp.data_parallel_sharding_strategy", ""},
    {"--use-torch-fsdp2", "dist.use_torch_fsdp2", ""},
    {"--num-distributed-optimizer-instances", "ddp.num_distributed_optimizer_instances", ""},
    {"--seq-length", "model.seq_length", "model.encoder_seq_length"},
    {"--dataset-seq-length", "dataset.seq_length dataset.sequence_length", "model.data.seq_length"},
    {"--micro-batch-size", "train.micro_batch_size", "model.micro_batch_size"},
    {"--global-batch-size", "train.global_batch_size", "model.global_batch_size"},
    {"--step-batch-size-schedule", "train.step_batch_size_schedule", ""},
    {"--rampup-batch-size", "train.rampup_batch_size", "model.rampup_batch_size"},
    {"--mixed-precision", "mixed_precision", ""},
    {"--trainer-precision", "", "trainer.precision"},
    {"--bf16", "mixed_precision.bf16 optimizer.bf16", ""},
    {"--fp16", "mixed_precision.fp16 optimizer.fp16", ""},
    {"--fp8", "mixed_precision.fp8", "model.fp8"},
    {"--fp8-format", "mixed_precision.fp8 model.fp8", ""},
    {"--fp8-recipe", "mixed_precision.fp8_recipe model.fp8_recipe", "model.fp8_recipe"},
    {"--fp4-format", "mixed_precision.fp4 model.fp4", ""},
    {"--fp4-recipe", "mixed_precision.fp4_recipe model.fp4_recipe", ""},
    {"--fp8-param-gather", "mixed_precision.fp8_param_gather ddp.fp8_param_gather model.fp8_param", "model.fp8_params"},
    {"--grad-reduce-in-fp32", "mixed_precision.grad_reduce_in_fp32 ddp.grad_reduce_in_fp32", ""},
    {"--main-params-dtype", "optimizer.main_params_dtype", ""},
    {"--exp-avg-dtype", "optimizer.exp_avg_dtype", ""},
    {"--exp-avg-sq-dtype", "optimizer.exp_avg_sq_dtype", ""},
    {"--use-precision-aware-optimizer", "optimizer.use_precision_aware_optimizer", ""},
    {"--recompute-granularity", "model.recompute_granularity", "model.activations_checkpoint_granularity"},
    {"--recompute-method", "model.recompute_method", "model.activations_checkpoint_method"},
    {"--recompute-num-layers", "model.recompute_num_layers", "model.activations_checkpoint_num_layers"},
    {"--recompute-modules", "model.recompute_modules", ""},
    {"--moe-layer-recompute", "model.moe_layer_recompute", ""},
    {"--optimizer-cpu-offload", "optimizer.optimizer_cpu_offload", ""},
    {"--optimizer-offload-fraction", "optimizer.optimizer_offload_fraction", ""},
    {"--fine-grained-activation-offloading", "model.fine_grained_activation_offloading", ""},
    {"--activation-offload-fraction", "model.activation_offload_fraction", ""},
    {"--offload-modules", "model.offload_modules", ""},
    {"--cpu-offloading-num-layers", "model.cpu_offloading_num_layers", "model.cpu_offloading_num_layers"},
    {"--optimizer", "optimizer.optimizer", "model.optim.name"},
    {"--train-iters", "train.train_iters", "trainer.max_steps"},
    {"--train-samples", "train.train_samples", ""},
    {"--save-interval", "checkpoint.save_interval", ""},
    {"--async-save", "checkpoint.async_save", ""},
};

/// Fields in the positive sense where Megatron-LM's flag switches off.
constexpr std::array<std::string_view, 4> opposites{
    "model.add_bias_linear", "model.bias", "model.share_embeddings_and_output_weights", "tokenizer.pad_vocab_size"};

} // namespace

std::vector<std::string_view> megatron_spellings(std::string_view option, MegatronDialect dialect) {
    const auto row = std::find_if(std::begin(spellings), std::end(spellings),
                                  [&](const Spelling &each) { return each.megatron == option; });
    if (row == std::end(spellings))
        return {};
    std::string_view names = dialect == MegatronDialect::nemo ? row->nemo : row->bridge;
    std::vector<std::string_view> result;
    while (!names.empty()) {
        const std::size_t space = std::min(names.find(' '), names.size());
        result.push_back(names.substr(0, space));
        names.remove_prefix(std::min(space + 1, names.size()));
    }
    return result;
}

bool is_opposite_of_megatron(std::string_view field) {
    return std::find(opposites.begin(), opposites.end(), field) != opposites.end();
}

} // namespace meshwright
