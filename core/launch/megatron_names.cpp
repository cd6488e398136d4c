// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/megatron_names.h"

#include "launch/wrapper_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace meshwright {

namespace {

/// One option under its three names; several fields of one dialect are separated by spaces.
struct Spelling {
    std::string_view megatron;
    std::string_view field; ///< JSON pointer of the plan's field; empty: none
    std::string_view bridge; ///< Megatron-Bridge's ConfigContainer at 067f987df03b
    std::string_view nemo; ///< NeMo-Framework-Launcher at 26e42fa91d9e
};

constexpr Spelling spellings[] = {
    {"--num-layers", "/model/layers", "model.num_layers", "model.num_layers"},
    {"--hidden-size", "/model/hidden", "model.hidden_size", "model.hidden_size"},
    {"--ffn-hidden-size", "/model/blocks/0/transform/hidden", "model.ffn_hidden_size", "model.ffn_hidden_size"},
    {"--num-attention-heads", "/model/blocks/0/mixer/heads", "model.num_attention_heads", "model.num_attention_heads"},
    {"--num-query-groups", "/model/blocks/0/mixer/kv_heads", "model.num_query_groups", "model.num_query_groups"},
    {"--kv-channels", "/model/blocks/0/mixer/head_dim", "model.kv_channels", "model.kv_channels"},
    {"--swiglu", "/model/blocks/0/transform/gated", "model.gated_linear_unit", ""},
    {"--activation", "/model/blocks/0/transform/gated", "", "model.activation"},
    {"--disable-bias-linear", "/model/blocks/0/transform/bias", "model.add_bias_linear", "model.bias"},
    {"--add-qkv-bias", "/model/blocks/0/mixer/query_key_value_bias", "model.add_qkv_bias", "model.qkv_bias"},
    {"--normalization", "/model/norm", "model.normalization", "model.normalization"},
    {"--qk-layernorm", "/model/blocks/0/mixer/query_key_norm", "model.qk_layernorm", "model.qk_layernorm"},
    {"--untie-embeddings-and-output-weights", "/model/tied_embeddings", "model.share_embeddings_and_output_weights",
     "model.share_embeddings_and_output_weights"},
    {"--max-position-embeddings", "/model/longest_sequence", "model.max_position_embeddings",
     "model.max_position_embeddings"},
    {"--position-embedding-type", "/model/learned_positions", "model.position_embedding_type",
     "model.position_embedding_type"},
    {"--mtp-num-layers", "/model/mtp_layers", "model.mtp_num_layers", ""},
    {"--window-size", "/model/blocks/0/mixer/window", "model.window_size", "model.window_size"},
    {"--window-attn-skip-freq", "/model/layers", "model.window_attn_skip_freq", ""},
    {"--experimental-attention-variant", "/model/blocks/0/mixer/kind", "model.experimental_attention_variant", ""},
    {"--linear-attention-freq", "/model/layers", "model.linear_attention_freq", ""},
    {"--linear-num-key-heads", "/model/blocks/0/mixer/key_heads", "model.linear_num_key_heads", ""},
    {"--linear-key-head-dim", "/model/blocks/0/mixer/key_head_dim", "model.linear_key_head_dim", ""},
    {"--linear-num-value-heads", "/model/blocks/0/mixer/value_heads", "model.linear_num_value_heads", ""},
    {"--linear-value-head-dim", "/model/blocks/0/mixer/value_head_dim", "model.linear_value_head_dim", ""},
    {"--linear-conv-kernel-dim", "/model/blocks/0/mixer/convolution_width", "model.linear_conv_kernel_dim", ""},
    {"--multi-latent-attention", "/model/blocks/0/mixer/kind", "model.multi_latent_attention", ""},
    {"--q-lora-rank", "/model/blocks/0/mixer/query_rank", "model.q_lora_rank", ""},
    {"--kv-lora-rank", "/model/blocks/0/mixer/key_value_rank", "model.kv_lora_rank", ""},
    {"--qk-head-dim", "/model/blocks/0/mixer/nope_head_dim", "model.qk_head_dim", ""},
    {"--qk-pos-emb-head-dim", "/model/blocks/0/mixer/rope_head_dim", "model.qk_pos_emb_head_dim", ""},
    {"--v-head-dim", "/model/blocks/0/mixer/value_head_dim", "model.v_head_dim", ""},
    {"--vocab-size", "/model/vocabulary", "tokenizer.vocab_size", "model.vocab_size"},
    {"--padded-vocab-size", "/model/vocabulary", "model.vocab_size tokenizer.padded_vocab_size",
     "model.override_vocab_size"},
    {"--make-vocab-size-divisible-by", "/model/vocabulary",
     "model.make_vocab_size_divisible_by tokenizer.make_vocab_size_divisible_by", "model.make_vocab_size_divisible_by"},
    {"--vocab-extra-ids", "/model/vocabulary", "", ""},
    {"--no-pad-vocab-size", "/model/vocabulary", "tokenizer.pad_vocab_size", ""},
    {"--num-experts", "/model/blocks/0/transform/experts", "model.num_moe_experts", "model.num_moe_experts"},
    {"--moe-router-topk", "/model/blocks/0/transform/experts_per_token", "model.moe_router_topk",
     "model.moe_router_topk"},
    {"--moe-ffn-hidden-size", "/model/blocks/0/transform/hidden", "model.moe_ffn_hidden_size",
     "model.moe_ffn_hidden_size"},
    {"--moe-shared-expert-intermediate-size", "/model/blocks/0/transform/shared_hidden",
     "model.moe_shared_expert_intermediate_size", "model.moe_shared_expert_intermediate_size"},
    {"--moe-latent-size", "/model/blocks/0/transform/latent", "model.moe_latent_size", ""},
    {"--moe-shared-expert-gate", "/model/blocks/0/transform/shared_gate", "model.moe_shared_expert_gate", ""},
    {"--moe-router-enable-expert-bias", "/model/blocks/0/transform/correction_bias",
     "model.moe_router_enable_expert_bias", ""},
    {"--moe-layer-freq", "/model/layers", "model.moe_layer_freq", "model.moe_layer_freq"},
    {"--tensor-model-parallel-size", "/parallelism/tensor", "model.tensor_model_parallel_size",
     "model.tensor_model_parallel_size"},
    {"--pipeline-model-parallel-size", "/parallelism/pipeline", "model.pipeline_model_parallel_size",
     "model.pipeline_model_parallel_size"},
    {"--context-parallel-size", "/parallelism/context", "model.context_parallel_size", "model.context_parallel_size"},
    {"--expert-model-parallel-size", "/parallelism/expert", "model.expert_model_parallel_size",
     "model.expert_model_parallel_size"},
    {"--expert-tensor-parallel-size", "/parallelism/expert_tensor", "model.expert_tensor_parallel_size",
     "model.expert_tensor_parallel_size"},
    {"--sequence-parallel", "/parallelism/sequence_parallel", "model.sequence_parallel", "model.sequence_parallel"},
    {"--use-tp-pp-dp-mapping", "/parallelism/placement", "dist.use_tp_pp_dp_mapping", "model.use_tp_pp_dp_mapping"},
    {"--pipeline-model-parallel-layout", "/parallelism/layout", "model.pipeline_model_parallel_layout", ""},
    {"--account-for-embedding-in-pipeline-split", "/parallelism/layout",
     "model.account_for_embedding_in_pipeline_split", "model.account_for_embedding_in_pipeline_split"},
    {"--account-for-loss-in-pipeline-split", "/parallelism/layout", "model.account_for_loss_in_pipeline_split",
     "model.account_for_loss_in_pipeline_split"},
    {"--num-virtual-stages-per-pipeline-rank", "/parallelism/chunks", "model.virtual_pipeline_model_parallel_size",
     "model.virtual_pipeline_model_parallel_size"},
    {"--decoder-first-pipeline-num-layers", "/parallelism/layout", "model.num_layers_in_first_pipeline_stage",
     "model.num_layers_in_first_pipeline_stage"},
    {"--decoder-last-pipeline-num-layers", "/parallelism/layout", "model.num_layers_in_last_pipeline_stage",
     "model.num_layers_in_last_pipeline_stage"},
    {"--microbatch-group-size-per-virtual-pipeline-stage", "/parallelism/group",
     "model.microbatch_group_size_per_vp_stage", ""},
    {"--use-distributed-optimizer", "/parallelism/zero_stage",
     "ddp.use_distributed_optimizer optimizer.use_distributed_optimizer", ""},
    {"--use-megatron-fsdp", "/parallelism/zero_stage", "ddp.use_megatron_fsdp dist.use_megatron_fsdp", "model.fsdp"},
    {"--data-parallel-sharding-strategy", "/parallelism/zero_stage", "ddp.data_parallel_sharding_strategy", ""},
    {"--use-torch-fsdp2", "/parallelism/zero_stage", "dist.use_torch_fsdp2", ""},
    {"--num-distributed-optimizer-instances", "/parallelism/shard_group", "ddp.num_distributed_optimizer_instances",
     ""},
    {"--seq-length", "/batch/sequence_length", "model.seq_length", "model.encoder_seq_length model.seq_length"},
    {"--dataset-seq-length", "/batch/sequence_length", "dataset.seq_length dataset.sequence_length",
     "model.data.seq_length model.data.train_ds.max_seq_length"},
    {"--micro-batch-size", "/batch/micro_sequences", "train.micro_batch_size",
     "model.micro_batch_size model.data.train_ds.micro_batch_size"},
    {"--global-batch-size", "/batch/global_sequences", "train.global_batch_size",
     "model.global_batch_size model.data.train_ds.global_batch_size"},
    {"--step-batch-size-schedule", "/batch/global_sequences", "train.step_batch_size_schedule", ""},
    {"--rampup-batch-size", "/batch/global_sequences", "train.rampup_batch_size", "model.rampup_batch_size"},
    {"--mixed-precision", "/precision/compute", "mixed_precision", ""},
    {"--trainer-precision", "/precision/compute", "", "trainer.precision"},
    {"--bf16", "/precision/compute", "mixed_precision.bf16 optimizer.bf16", ""},
    {"--fp16", "/precision/compute", "mixed_precision.fp16 optimizer.fp16", ""},
    {"--fp8", "/precision/compute", "mixed_precision.fp8", "model.fp8"},
    {"--fp8-format", "/precision/compute", "mixed_precision.fp8 model.fp8", ""},
    {"--fp8-recipe", "/precision/compute", "mixed_precision.fp8_recipe model.fp8_recipe", "model.fp8_recipe"},
    {"--fp4-format", "/precision/compute", "mixed_precision.fp4 model.fp4", ""},
    {"--fp4-recipe", "/precision/compute", "mixed_precision.fp4_recipe model.fp4_recipe", ""},
    {"--fp8-param-gather", "/precision/weights",
     "mixed_precision.fp8_param_gather ddp.fp8_param_gather model.fp8_param", "model.fp8_params"},
    {"--grad-reduce-in-fp32", "/precision/gradients", "mixed_precision.grad_reduce_in_fp32 ddp.grad_reduce_in_fp32",
     ""},
    {"--grad-sync-dtype", "/precision/gradients", "", "model.optim.grad_sync_dtype"},
    {"--main-params-dtype", "/precision/master", "optimizer.main_params_dtype", ""},
    {"--exp-avg-dtype", "/precision/moments", "optimizer.exp_avg_dtype", ""},
    {"--exp-avg-sq-dtype", "/precision/moments", "optimizer.exp_avg_sq_dtype", ""},
    {"--use-precision-aware-optimizer", "/precision/moments", "optimizer.use_precision_aware_optimizer", ""},
    {"--recompute-granularity", "/recompute/mode", "model.recompute_granularity",
     "model.activations_checkpoint_granularity"},
    {"--recompute-method", "/recompute/mode", "model.recompute_method", "model.activations_checkpoint_method"},
    {"--recompute-num-layers", "/recompute/layers", "model.recompute_num_layers",
     "model.activations_checkpoint_num_layers"},
    {"--recompute-modules", "/recompute/modules", "model.recompute_modules", ""},
    {"--moe-layer-recompute", "/recompute/modules", "model.moe_layer_recompute", ""},
    {"--optimizer-cpu-offload", "/offload/optimizer", "optimizer.optimizer_cpu_offload", ""},
    {"--optimizer-offload-fraction", "/offload/optimizer", "optimizer.optimizer_offload_fraction", ""},
    {"--fine-grained-activation-offloading", "/offload/activations", "model.fine_grained_activation_offloading", ""},
    {"--activation-offload-fraction", "/offload/activations", "model.activation_offload_fraction", ""},
    {"--offload-modules", "/offload/activations", "model.offload_modules", ""},
    {"--cpu-offloading-num-layers", "/offload/activations", "model.cpu_offloading_num_layers",
     "model.cpu_offloading_num_layers"},
    {"--optimizer", "/optimizer/name", "optimizer.optimizer", "model.optim.name"},
    {"--train-iters", "/run/tokens", "train.train_iters", "trainer.max_steps"},
    {"--train-samples", "/run/tokens", "train.train_samples", ""},
    {"--save-interval", "/faults/checkpoint_interval_seconds", "checkpoint.save_interval", ""},
    {"--encoder-seq-length", "/batch/sequence_length", "", ""},
    {"--decoder-seq-length", "/batch/sequence_length", "", ""},
    {"--group-query-attention", "/model/blocks/0/mixer/kv_heads", "", ""},
    {"--num-key-value-heads", "/model/blocks/0/mixer/kv_heads", "", ""},
    {"--topk", "/model/blocks/0/transform/experts_per_token", "", ""},
    {"--quick-geglu", "/model/blocks/0/transform/gated", "", ""},
    {"--glu-activation", "/model/blocks/0/transform/gated", "", ""},
    {"--squared-relu", "/model/blocks/0/transform/gated", "", ""},
    {"--embed-layernorm", "/model/embedding_norm", "", ""},
    {"--encoder-num-layers", "/model/layers", "", ""},
    {"--expert-interval", "/model/layers", "", ""},
    {"--use-rotary-position-embeddings", "/model/learned_positions", "", ""},
    {"--pad-vocab-size-to", "/model/vocabulary", "", ""},
    {"--checkpoint-in-cpu", "/offload/activations", "", ""},
    {"--cpu-optimizer", "/offload/optimizer", "", ""},
    {"--num-layers-per-virtual-pipeline-stage", "/parallelism/chunks", "", ""},
    {"--ds-sequence-parallel-size", "/parallelism/context", "", ""},
    {"--moe-expert-parallel-size", "/parallelism/expert", "", ""},
    {"--enable-zbh1-pipeline", "/parallelism/schedule", "", ""},
    {"--enable-zbh1-exact-semantics", "/parallelism/schedule", "", ""},
    {"--torch-fsdp2-no-reshard-after-forward", "/parallelism/zero_stage", "", ""},
    {"--zero-stage", "/parallelism/zero_stage", "", ""},
    {"--accumulate-allreduce-grads-in-fp32", "/precision/gradients", "", ""},
    {"--grad-reduce-in-bf16", "/precision/gradients", "", ""},
    {"--activations-checkpoint-method", "/recompute/mode", "", ""},
    {"--checkpoint-activations", "/recompute/mode", "", ""},
    {"--deepspeed-activation-checkpointing", "/recompute/mode", "", ""},
    {"--recompute-activations", "/recompute/mode", "", ""},
    {"--train-tokens", "/run/tokens", "", ""},
    {"--hybrid-layer-pattern", "/model/layers", "model.hybrid_layer_pattern", ""},
    {"--hybrid-override-pattern", "/model/layers", "model.hybrid_override_pattern", ""},
    {"--hybrid-attention-ratio", "/model/layers", "", ""},
    {"--hybrid-mlp-ratio", "/model/layers", "", ""},
    {"--mamba-state-dim", "/model/blocks/0/mixer/key_head_dim", "model.mamba_state_dim", ""},
    {"--mamba-head-dim", "/model/blocks/0/mixer/value_head_dim", "model.mamba_head_dim", ""},
    {"--mamba-num-groups", "/model/blocks/0/mixer/key_heads", "model.mamba_num_groups", ""},
    {"--mamba-num-heads", "/model/blocks/0/mixer/value_heads", "model.mamba_num_heads", ""},
    {"--pp-partition-method", "/parallelism/layout", "", ""},
    {"--async-save", "/faults/checkpoint_blocking_share", "checkpoint.async_save", ""},
    {"--attention-dropout", "/stack", "model.attention_dropout", "model.attention_dropout"},
    {"--hidden-dropout", "/stack", "model.hidden_dropout", "model.hidden_dropout"},
    {"--moe-router-score-function", "/model/blocks/0/transform/correction_bias", "model.moe_router_score_function", ""},
    {"--moe-router-load-balancing-type", "/model/blocks/0/transform/correction_bias",
     "model.moe_router_load_balancing_type", ""},
    {"--moe-router-dtype", "", "model.moe_router_dtype", ""},
    {"--moe-grouped-gemm", "", "model.moe_grouped_gemm", ""},
    {"--moe-token-dispatcher-type", "", "model.moe_token_dispatcher_type", ""},
    {"--moe-permute-fusion", "", "model.moe_permute_fusion", ""},
    {"--cp-comm-type", "/parallelism/context", "model.cp_comm_type", ""},
    {"--no-gradient-accumulation-fusion", "/parallelism/zero_stage", "model.gradient_accumulation_fusion", ""},
    {"--overlap-cpu-optimizer-d2h-h2d", "/offload/optimizer", "optimizer.overlap_cpu_optimizer_d2h_h2d", ""},
    {"--overlap-grad-reduce", "/stack", "ddp.overlap_grad_reduce", ""},
    {"--overlap-param-gather", "/stack", "ddp.overlap_param_gather", ""},
    {"--tp-comm-overlap", "/stack", "model.tp_comm_overlap", ""},
    {"--no-overlap-p2p-communication", "/stack", "model.overlap_p2p_comm", ""},
    {"--overlap-moe-expert-parallel-comm", "/stack", "model.overlap_moe_expert_parallel_comm", ""},
    {"--moe-shared-expert-overlap", "/stack", "model.moe_shared_expert_overlap", ""},
    {"--sgd-momentum", "/optimizer/momentum", "optimizer.sgd_momentum", ""},
    {"--ckpt-format", "", "checkpoint.ckpt_format", ""},
    {"--use-persistent-ckpt-worker", "/faults/checkpoint_blocking_share", "checkpoint.use_persistent_ckpt_worker", ""},
};

/// Fields that enable what Megatron-LM's flag disables.
constexpr std::array<std::string_view, 6> opposites{"model.add_bias_linear",
                                                    "model.bias",
                                                    "model.share_embeddings_and_output_weights",
                                                    "tokenizer.pad_vocab_size",
                                                    "model.gradient_accumulation_fusion",
                                                    "model.overlap_p2p_comm"};

/// Option names that Megatron-LM and the forks of DeepSpeed and bigscience used in 2020 and 2021.
struct OlderName {
    std::string_view option;
    std::string_view older;
};
constexpr OlderName older_names[] = {{"--tensor-model-parallel-size", "--model-parallel-size"},
                                     {"--pipeline-model-parallel-size", "--pipe-parallel-size"},
                                     {"--micro-batch-size", "--batch-size"}};

const Spelling *spelling_of(std::string_view option) {
    const auto row = std::find_if(std::begin(spellings), std::end(spellings),
                                  [&](const Spelling &each) { return each.megatron == option; });
    return row == std::end(spellings) ? nullptr : row;
}

} // namespace

std::string_view megatron_field(std::string_view option) {
    const Spelling *const row = spelling_of(option);
    return row == nullptr ? std::string_view() : row->field;
}

std::vector<std::string_view> megatron_spellings(std::string_view option, MegatronDialect dialect) {
    std::vector<std::string_view> result;
    if (dialect == MegatronDialect::megatron_lm || dialect == MegatronDialect::megatron_deepspeed) {
        result.push_back(option);
        for (const OlderName &each : older_names)
            if (each.option == option)
                result.push_back(each.older);
        const std::vector<std::string_view> variables = environment_names(option);
        result.insert(result.end(), variables.begin(), variables.end());
        return result;
    }
    const Spelling *const row = spelling_of(option);
    if (row == nullptr)
        return {};
    std::string_view names = dialect == MegatronDialect::nemo ? row->nemo : row->bridge;
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

std::string layer_list(const std::vector<bool> &chosen) {
    std::string text;
    for (std::size_t i = 0; i < chosen.size();) {
        std::size_t end = i;
        while (end < chosen.size() && chosen[end] == chosen[i])
            ++end;
        text += fmt::format("{}[{}]*{}", text.empty() ? "" : "+", chosen[i] ? 1 : 0, end - i);
        i = end;
    }
    return "(" + text + ")";
}

nlohmann::ordered_json layer_frequency(const std::vector<bool> &chosen) {
    const auto first = std::find(chosen.begin(), chosen.end(), false);
    const auto every = static_cast<std::size_t>(first - chosen.begin()) + 1;
    for (std::size_t i = 0; i < chosen.size(); ++i)
        if (chosen[i] == ((i + 1) % every == 0))
            return layer_list(chosen);
    return every;
}

} // namespace meshwright
