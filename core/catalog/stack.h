// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/capabilities.h"
#include "catalog/precision.h"
#include "catalog/sources.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

class FieldReader;

enum class AttentionKernel {
    unfused,
    flash_1,
    flash_2,
    flash_3
}; ///< flash_3 also covers cuDNN kernels of the same generation
const std::vector<std::string> &attention_kernel_names();

/// A release of training software and how it runs a configuration on given hardware. Every number has a source.
struct Stack {
    std::string id;
    std::string name;
    std::string framework;
    std::int64_t year = 0;
    /// Id of another stack. Its figures and measured runs are used if this stack has no measured runs of its own.
    std::string based_on;
    Capabilities can_run;

    AttentionKernel attention = AttentionKernel::flash_2;
    bool dropout = false; ///< residual and embedding dropout masks are saved for backward
    /// Expert outputs are saved for the gradient of the routing weights (false: routing weights are applied before the
    /// down projection, so the outputs are not needed).
    bool keeps_expert_outputs = true;
    /// A separate kernel applies the routing weights before the down projection, and the unweighted input of that
    /// projection is saved too.
    bool weighs_experts_apart = false;
    bool keeps_activations_in_compute_format =
        false; ///< inputs of activation functions are saved in the compute format
    bool keeps_gathered_inputs =
        false; ///< inputs gathered by sequence parallelism are saved for the weight gradient (false: gathered again)
    /// Norms, gated activations and KV head expansion are one kernel each (false: each operation saves its inputs).
    bool fuses_elementwise = true;
    bool keeps_gradient_buffers =
        true; ///< gradients are allocated between steps (false: only from the backward pass to the optimizer step)
    bool shards_by_weight = false; ///< ZeRO-3 gathers weights and reduces gradients per weight (false: per layer)
    bool gathers_once_in_pipelines =
        false; ///< ZeRO-3 under pipeline parallelism gathers weights and reduces gradients once per step
    bool reduces_gradients_once =
        false; ///< ZeRO-2 and ZeRO-3 accumulate unsharded gradients and reduce them once per step
    bool pads_uneven_shards = false; ///< the sequence length can be sharded unevenly (XLA)
    double matrix_efficiency_factor = 1; ///< multiplier on the accelerator's sustained GEMM rate
    double memory_traffic_factor = 1; ///< memory traffic of element-wise operations relative to perfect fusion
    double norm_traffic_factor =
        1; ///< memory traffic of norms and RoPE relative to fused kernels; multiplies memory_traffic_factor
    double logits_traffic_bytes =
        14; ///< bytes of memory traffic per logit of cross-entropy, forward and backward together
    double host_seconds_per_layer = 0; ///< host time to launch one layer's forward kernels
    double host_seconds_per_expert_layer = 0; ///< additional host time for a mixture-of-experts layer
    /// Device idle time per dropless MoE layer while the host reads the number of tokens per expert.
    double routing_wait_seconds = 0;
    bool launches_wait = false; ///< launches are synchronous: each waits for all previous kernels
    double graph_share = 0; ///< fraction of launches that CUDA graphs remove
    double tensor_overlap =
        0; ///< fraction of tensor-parallel communication that overlaps with compute under sequence parallelism
    double ring_attention_factor =
        1; ///< time of attention to another rank's keys relative to attention to the rank's own keys
    /// Gathers and scatters of sequence parallelism copy their tensors to another memory layout (batch-first).
    bool copies_gathered_sequences = false;
    double expert_overlap = 0; ///< fraction of the expert all-to-all that is overlapped
    bool data_overlap = true; ///< gradient reduction overlaps with the backward pass
    bool overlaps_weight_gather =
        true; ///< updated weights are gathered during the next forward pass (false: during the optimizer step)
    bool gathers_weights_at_once =
        false; ///< one collective gathers all updated weights (false: one collective per bucket)
    /// With sharded optimizer states, gradients are reduced during the backward pass (false: after it, exposed).
    bool overlaps_gradient_scatter = true;
    double bucket_bytes = 1e15; ///< gradient bytes per collective
    double data_exposed_share = 0; ///< fraction of overlapped communication that is still exposed
    double sharded_exposed_share =
        0; ///< ZeRO-3's exposed communication as a fraction of compute time or communication time, whichever is smaller
    /// "selective" recomputation saves the results of GEMMs and of attention (false: it recomputes only the attention
    /// core).
    bool selective_by_operation = false;
    bool selective_keeps_qkv =
        false; ///< with selective_by_operation, "selective" recomputation saves only queries, keys and values
    double selective_multiplies = 0; ///< fraction of GEMMs that "selective" recomputes, with selective_by_operation
    double recompute_early_stop = 0; ///< fraction of a block's last GEMM that checkpointing does not recompute
    bool overlaps_pipeline_sends = false;
    bool scatters_pipeline_sends =
        false; ///< each tensor-parallel rank sends a shard of the stage's output, which the receivers gather
    bool balances_stages = false; ///< stages have equal numbers of weights, counting the LM head
    double step_seconds = 0; ///< fixed time per step for data loading, logging and the optimizer launch

    std::int64_t default_zero_stage = 1;
    DataType default_gradients = DataType::fp32;
    DataType default_master =
        DataType::fp32; ///< format of the master weights if the weights have a low-precision format
    DataType default_moments = DataType::fp32;
    bool weights_beside_master =
        true; ///< low-precision weights are stored next to FP32 master weights (false: FSDP casts on gather)

    bool gradients_beside_accumulators =
        false; ///< low-precision gradients are stored next to accumulators in another format
    /// Bytes of the optimizer's temporary copies, per parameter of its shard.
    double update_bytes_per_parameter = 0;
    bool gathers_logits =
        false; ///< every tensor-parallel rank computes the loss over the full vocabulary (false: vocabulary-parallel)
    double logits_kept_bytes = 8; ///< bytes of memory per logit at the loss
    double parallel_loss_bytes = 0; ///< additional bytes per logit with a vocabulary-parallel loss
    double activation_factor = 1; ///< saved activations relative to the minimum that the gradients need
    double allocator_reserve_factor = 1; ///< reserved memory pool relative to allocated bytes
    double context_bytes = 0; ///< CUDA context: driver and library memory on the device
    double communicator_bytes = 0; ///< device buffers per communicator (NCCL)
    double peer_bytes = 0; ///< bytes of buffers that an all-to-all allocates per peer in the node

    Sources sources;

    bool operator==(const Stack &) const = default;
};

void read_fields(FieldReader &reader, Stack &stack);
nlohmann::ordered_json to_json(const Stack &stack);

} // namespace meshwright
