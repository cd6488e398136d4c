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

enum class AttentionKernel { unfused, flash_1, flash_2, flash_3 }; ///< flash_3: also cuDNN's of that generation
const std::vector<std::string> &attention_kernel_names();

/// Training software of one release: what it does with the same hardware and layout. Every number has a source.
struct Stack {
    std::string id;
    std::string name;
    std::string framework;
    std::int64_t year = 0;
    /// The stack whose figures it has, where no run of its own is measured: measured runs of that one speak for it.
    std::string based_on;
    Capabilities can_run;

    AttentionKernel attention = AttentionKernel::flash_2;
    bool dropout = false; ///< residual and embedding dropout keep their masks
    bool keeps_expert_outputs =
        true; ///< for the gradient of the routing weights (false: applied before the last multiply)
    bool weighs_experts_apart =
        false; ///< a kernel of its own weighs what goes into experts' last multiply, and keeps it unweighed as well
    bool keeps_activations_in_compute_format = false; ///< caches inputs of activation functions in the compute format
    bool keeps_gathered_inputs =
        false; ///< that sequence parallelism gathers, for the weight gradient (false: gathers them again)
    bool fuses_elementwise =
        true; ///< norms, gates and grouped keys in one kernel each (false: every step of them keeps what it reads)
    bool keeps_gradient_buffers = true; ///< between steps (false: gradients come with the backward pass and go again)
    bool shards_by_weight = false; ///< ZeRO-3 gathers, and reduces, one weight at a time (false: a layer)
    bool gathers_once_in_pipelines = false; ///< ZeRO-3 gathers weights, and reduces gradients, once a step there
    bool reduces_gradients_once = false; ///< ZeRO-2 and 3 add a step's gradients up whole before they reduce them
    bool pads_uneven_shards = false; ///< a sequence need not divide over its shards (XLA)
    double matrix_efficiency_factor = 1; ///< on the accelerator's sustained matrix rate
    double memory_traffic_factor = 1; ///< bytes of element-wise operations against a fused minimum
    double norm_traffic_factor = 1; ///< bytes of norms and rotary embeddings against fused kernels, on top of the above
    double logits_traffic_bytes = 14; ///< moved for each logit by cross-entropy, forward and backward together
    double host_seconds_per_layer = 0; ///< launching one layer's forward kernels
    double host_seconds_per_expert_layer = 0; ///< on top, for a mixture-of-experts layer
    double routing_wait_seconds =
        0; ///< in which a dropless expert layer's device waits until the host has read how many tokens each expert gets
    bool launches_wait = false; ///< each launch waits until the device has done what was launched before
    double graph_share = 0; ///< share of launches that captured graphs remove
    double tensor_overlap = 0; ///< share of tensor-parallel traffic hidden, with sequence parallelism
    double ring_attention_factor = 1; ///< attention to another rank's keys against that to one's own
    bool copies_gathered_sequences =
        false; ///< what sequence parallelism gathers or scatters is copied into its order: batches come before tokens
    double expert_overlap = 0; ///< share of expert all-to-all hidden
    bool data_overlap = true; ///< gradient reduction overlaps the backward pass
    bool overlaps_weight_gather =
        true; ///< updated weights are gathered beside the next forward pass (false: the update waits for them)
    bool gathers_weights_at_once = false; ///< updated weights by one collective (false: bucket by bucket)
    bool overlaps_gradient_scatter =
        true; ///< gradients whose states are sharded are reduced beside the backward pass (false: in plain sight)
    double bucket_bytes = 1e15; ///< of gradients that are reduced by one collective
    double data_exposed_share = 0; ///< share of overlapped traffic that is exposed all the same
    double sharded_exposed_share = 0; ///< ZeRO-3: share of the smaller of compute and traffic that is exposed
    bool selective_by_operation =
        false; ///< "selective" keeps results of multiplies and of attention (false: all but the attention core's)
    bool selective_keeps_qkv = false; ///< by operation, "selective" keeps queries, keys and values alone
    double selective_multiplies = 0; ///< by operation, "selective" runs this share of all multiplies again
    double recompute_early_stop = 0; ///< share of a block's last multiply that checkpointing does not redo
    bool overlaps_pipeline_sends = false; ///< interleaved schedules hide sends
    bool scatters_pipeline_sends =
        false; ///< each tensor-parallel rank sends its share of a stage's result, which the receivers gather
    bool balances_stages = false; ///< cuts the model into stages of equal weights, the head's included
    double step_seconds = 0; ///< per step: data loading, logging, optimizer launch

    std::int64_t default_zero_stage = 1;
    DataType default_gradients = DataType::fp32;
    DataType default_master = DataType::fp32; ///< of low-precision weights
    DataType default_moments = DataType::fp32;
    bool weights_beside_master =
        true; ///< keeps low-precision weights besides an FP32 master (false: FSDP casts on gather)

    bool gradients_beside_accumulators = false; ///< low-precision gradients stand beside accumulators in another format
    double update_bytes_per_parameter = 0; ///< copies that the optimizer makes of its shard
    bool gathers_logits = false; ///< every tensor-parallel rank computes the whole loss (false: its part of the words)
    double logits_kept_bytes = 8; ///< for each logit at the loss
    double parallel_loss_bytes = 0; ///< besides, where tensor-parallel ranks compute the loss of their parts
    double activation_factor = 1; ///< saved activations against what the operations' gradients need
    double allocator_reserve_factor = 1; ///< pool reserved against bytes allocated
    double context_bytes = 0; ///< driver and library context on the device
    double communicator_bytes = 0; ///< buffers of each communicator, on the device
    double peer_bytes = 0; ///< buffers that an all-to-all opens to each peer in the node

    Sources sources;

    bool operator==(const Stack &) const = default;
};

/// Fields one by one: catalog/stack_fields.h.
void read_fields(FieldReader &reader, Stack &stack);
nlohmann::ordered_json to_json(const Stack &stack);

} // namespace meshwright
