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
}; ///< flash_3 includes cuDNN kernels of the same generation
const std::vector<std::string> &attention_kernel_names();

/// A release of training software: how it runs a configuration on given hardware. Every number has a source.
struct Stack {
    std::string id;
    std::string name;
    std::string framework;
    std::int64_t year = 0;
    /// Id of the stack whose figures and measured runs this stack uses if it has no measured runs of its own.
    std::string based_on;
    Capabilities can_run;

    AttentionKernel attention = AttentionKernel::flash_2;
    bool dropout = false; ///< residual and embedding dropout save their masks for backward
    /// Experts' outputs are saved for the gradient of the routing weights (false: the routing weights are applied
    /// before the down projection).
    bool keeps_expert_outputs = true;
    /// A separate kernel applies routing weights to the down projection's input, and the unweighted input is saved too.
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
        false; ///< with pipeline parallelism, ZeRO-3 gathers weights and reduces gradients once per step
    bool reduces_gradients_once = false; ///< ZeRO-2 and 3 accumulate unsharded gradients and reduce them once per step
    bool pads_uneven_shards = false; ///< the sequence length can be sharded unevenly (XLA)
    double matrix_efficiency_factor = 1; ///< factor on the accelerator's sustained GEMM rate
    double memory_traffic_factor = 1; ///< memory traffic of element-wise operations relative to perfect fusion
    double norm_traffic_factor =
        1; ///< memory traffic of norms and rotary embeddings relative to fused kernels, on top of memory_traffic_factor
    double logits_traffic_bytes = 14; ///< memory traffic of cross-entropy per logit, forward and backward
    double host_seconds_per_layer = 0; ///< host time to launch one layer's forward kernels
    double host_seconds_per_expert_layer = 0; ///< additional host time for a mixture-of-experts layer
    /// Device idle time per dropless MoE layer while the host reads the number of tokens per expert.
    double routing_wait_seconds = 0;
    bool launches_wait = false; ///< each launch waits for all previous kernels (synchronous launches)
    double graph_share = 0; ///< fraction of launches that CUDA graphs remove
    double tensor_overlap =
        0; ///< fraction of tensor-parallel communication that is overlapped when sequence parallelism is on
    double ring_attention_factor =
        1; ///< time of attention to another rank's keys relative to attention to the rank's own keys
    /// Tensors that sequence parallelism gathers or scatters are copied to another memory layout (batch-first).
    bool copies_gathered_sequences = false;
    double expert_overlap = 0; ///< fraction of the expert all-to-all that is overlapped
    bool data_overlap = true; ///< gradient reduction overlaps with the backward pass
    bool overlaps_weight_gather =
        true; ///< updated weights are gathered during the next forward pass (false: the optimizer step waits for them)
    bool gathers_weights_at_once = false; ///< updated weights are gathered by one collective (false: bucket by bucket)
    bool overlaps_gradient_scatter =
        true; ///< with sharded optimizer states, gradients are reduced during the backward pass (false: exposed)
    double bucket_bytes = 1e15; ///< bytes of gradients that one collective reduces
    double data_exposed_share = 0; ///< fraction of overlapped communication that is still exposed
    double sharded_exposed_share =
        0; ///< ZeRO-3: exposed communication as a fraction of the smaller of compute and communication
    /// "selective" saves the results of GEMMs and of attention (false: it recomputes only the attention core).
    bool selective_by_operation = false;
    bool selective_keeps_qkv = false; ///< "selective" with selective_by_operation saves only queries, keys and values
    double selective_multiplies = 0; ///< fraction of GEMMs that "selective" recomputes with selective_by_operation
    double recompute_early_stop = 0; ///< fraction of a block's last GEMM that checkpointing does not recompute
    bool overlaps_pipeline_sends = false; ///< interleaved schedules overlap sends with compute
    bool scatters_pipeline_sends =
        false; ///< each tensor-parallel rank sends a shard of the stage's output, which the receivers gather
    bool balances_stages = false; ///< splits the model into stages with equal numbers of weights, counting the LM head
    double step_seconds = 0; ///< fixed time per step: data loading, logging, optimizer launch

    std::int64_t default_zero_stage = 1;
    DataType default_gradients = DataType::fp32;
    DataType default_master =
        DataType::fp32; ///< format of the master weights if the weights have a low-precision format
    DataType default_moments = DataType::fp32;
    bool weights_beside_master =
        true; ///< low-precision weights are stored in addition to FP32 master weights (false: FSDP casts on gather)

    bool gradients_beside_accumulators =
        false; ///< low-precision gradients are stored in addition to accumulators in another format
    /// Bytes of temporary copies that the optimizer makes, per parameter of its shard.
    double update_bytes_per_parameter = 0;
    bool gathers_logits =
        false; ///< every tensor-parallel rank computes the loss over the full vocabulary (false: vocabulary-parallel)
    double logits_kept_bytes = 8; ///< memory per logit at the loss
    double parallel_loss_bytes = 0; ///< additional memory per logit with a vocabulary-parallel loss
    double activation_factor = 1; ///< saved activations relative to the minimum that the gradients need
    double allocator_reserve_factor = 1; ///< reserved memory pool relative to allocated bytes
    double context_bytes = 0; ///< CUDA context: driver and library memory on the device
    double communicator_bytes = 0; ///< device buffers per communicator (NCCL)
    double peer_bytes = 0; ///< buffers that an all-to-all allocates per peer in the node

    Sources sources;

    bool operator==(const Stack &) const = default;
};

/// catalog/stack_fields.h describes the individual fields.
void read_fields(FieldReader &reader, Stack &stack);
nlohmann::ordered_json to_json(const Stack &stack);

} // namespace meshwright
