// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/stack_fields.h"

#include <algorithm>
#include <iterator>
#include <type_traits>

namespace meshwright {

namespace {

constexpr Range factor_range{0.01, 100};
constexpr Range host_range{0, 10}; ///< seconds; a launch that takes longer is a hang
constexpr Range memory_range{0, 1e15};

constexpr StackField field_table[] = {
    {"attention", &Stack::attention, "The attention kernel; flash-3 also stands for that of cuDNN of that generation"},
    {"matrix_efficiency_factor", &Stack::matrix_efficiency_factor, "On the accelerator's sustained matrix rate",
     factor_range},
    {"memory_traffic_factor", &Stack::memory_traffic_factor, "Bytes of element-wise operations against a fused minimum",
     factor_range},
    {"norm_traffic_factor", &Stack::norm_traffic_factor,
     "Bytes of norms and rotary embeddings against fused kernels, on top of memory_traffic_factor", factor_range},
    {"logits_traffic_bytes",
     &Stack::logits_traffic_bytes,
     "Moved for each logit by cross-entropy, forward and backward together",
     {0, 1000},
     Quantity::bytes},
    {"host_seconds_per_layer", &Stack::host_seconds_per_layer, "Launching one layer's forward kernels", host_range,
     Quantity::seconds},
    {"host_seconds_per_expert_layer", &Stack::host_seconds_per_expert_layer, "On top, for a mixture-of-experts layer",
     host_range, Quantity::seconds},
    {"routing_wait_seconds", &Stack::routing_wait_seconds,
     "In which the device of a dropless mixture-of-experts layer waits, forward, until the host has read how many "
     "tokens each expert receives",
     host_range, Quantity::seconds},
    {"graph_share", &Stack::graph_share, "Share of launches that captured graphs remove", fraction, Quantity::share},
    {"tensor_overlap", &Stack::tensor_overlap, "Share of tensor-parallel traffic hidden, with sequence parallelism",
     fraction, Quantity::share},
    {"expert_overlap", &Stack::expert_overlap, "Share of expert all-to-all hidden", fraction, Quantity::share},
    {"bucket_bytes",
     &Stack::bucket_bytes,
     "Of gradients that are reduced by one collective",
     {1, 1e15},
     Quantity::bytes},
    {"data_exposed_share", &Stack::data_exposed_share,
     "Share of overlapped gradient traffic that is exposed all the same", fraction, Quantity::share},
    {"sharded_exposed_share", &Stack::sharded_exposed_share,
     "ZeRO-3: share of the smaller of compute and traffic that is exposed", fraction, Quantity::share},
    {"selective_by_operation", &Stack::selective_by_operation,
     "Selective recomputation keeps results of multiplies and of attention and runs everything else again; where not, "
     "it runs the attention core alone again"},
    {"selective_keeps_qkv", &Stack::selective_keeps_qkv,
     "Where selective recomputation goes by operation, it keeps queries, keys and values alone: attention and the "
     "multiplies after it run again, but for what checkpointing leaves out of the last; where not, it keeps "
     "attention's result and those of multiplies"},
    {"selective_multiplies", &Stack::selective_multiplies,
     "Where selective recomputation goes by operation, share of all multiplies that run again as well", fraction,
     Quantity::share},
    {"recompute_early_stop", &Stack::recompute_early_stop,
     "Share of a block's last multiply that checkpointing does not redo", fraction, Quantity::share},
    {"step_seconds",
     &Stack::step_seconds,
     "Per step: data loading, logging, optimizer launch",
     {0, 3600},
     Quantity::seconds},
    {"launches_wait", &Stack::launches_wait,
     "Each launch waits until the device has done what was launched before (CUDA_LAUNCH_BLOCKING=1), so that it "
     "computes nothing while its host launches"},
    {"ring_attention_factor",
     &Stack::ring_attention_factor,
     "With context parallelism, how long attention to another rank's keys takes against as much of it to one's own",
     {1, 10},
     Quantity::number},
    {"copies_gathered_sequences", &Stack::copies_gathered_sequences,
     "Collectives of sequence parallelism run over a tensor's first dimension, and the sequence is the second: "
     "each "
     "result is copied once, in plain sight"},
    {"data_overlap", &Stack::data_overlap, "Gradient reduction overlaps the backward pass"},
    {"overlaps_weight_gather", &Stack::overlaps_weight_gather,
     "With ZeRO-1 or 2 updated weights are gathered beside the next forward pass, where data_overlap holds; where "
     "not, the update waits for them"},
    {"gathers_weights_at_once", &Stack::gathers_weights_at_once,
     "With ZeRO-1 or 2 updated weights are gathered by one collective; where not, bucket by bucket"},
    {"overlaps_gradient_scatter", &Stack::overlaps_gradient_scatter,
     "With ZeRO-1 or 2 gradients are reduced beside the backward pass, where data_overlap holds; where not, in "
     "plain sight"},
    {"balances_stages", &Stack::balances_stages, "Cuts the model into stages of equal weights, the head's included"},
    {"overlaps_pipeline_sends", &Stack::overlaps_pipeline_sends, "Interleaved schedules hide sends"},
    {"scatters_pipeline_sends", &Stack::scatters_pipeline_sends,
     "Without sequence parallelism each tensor-parallel rank sends its share of a stage's result to the next "
     "stage, which gathers it"},
    {"dropout", &Stack::dropout, "Residual and embedding dropout keep their masks"},
    {"weighs_experts_apart", &Stack::weighs_experts_apart,
     "Routing weights are applied to what goes into an expert's last multiply by a kernel of their own, which keeps it "
     "unweighed as well"},
    {"keeps_expert_outputs", &Stack::keeps_expert_outputs,
     "Expert outputs are kept for the gradient of the routing weights; where not, these are applied before the "
     "last multiply"},
    {"keeps_activations_in_compute_format", &Stack::keeps_activations_in_compute_format,
     "Inputs of activation functions are cached in the compute format"},
    {"keeps_gathered_inputs", &Stack::keeps_gathered_inputs,
     "Inputs that sequence parallelism gathers are kept for the weight gradient; where not, they are gathered "
     "again"},
    {"fuses_elementwise", &Stack::fuses_elementwise,
     "Norms, gated activations and grouped keys run in one kernel each; where not, every step of them keeps what "
     "it reads"},
    {"keeps_gradient_buffers", &Stack::keeps_gradient_buffers,
     "Gradients have their memory between steps too; where not, it comes with the backward pass and goes after "
     "the optimizer"},
    {"shards_by_weight", &Stack::shards_by_weight,
     "ZeRO gathers weights and reduces gradients one weight at a time; where not, layer by layer"},
    {"gathers_once_in_pipelines", &Stack::gathers_once_in_pipelines,
     "With pipeline parallelism ZeRO-3 gathers weights once a step and keeps them, and reduces gradients with the last "
     "microbatch; where not, with every microbatch"},
    {"reduces_gradients_once", &Stack::reduces_gradients_once,
     "With ZeRO-2 or 3 gradients of a step's microbatches add up whole on every rank and are reduced and scattered "
     "with the last (no_sync); where not, with every microbatch"},
    {"pads_uneven_shards", &Stack::pads_uneven_shards, "A sequence need not divide over its shards (XLA)"},
    {"default_zero_stage", &Stack::default_zero_stage, "ZeRO stage where a plan does not say", {0, 3}, Quantity::count},
    {"default_gradients", &Stack::default_gradients, "Format of the accumulated gradients where a plan does not say"},
    {"default_master", &Stack::default_master, "Format of the master copy of 16-bit weights where a plan does not say"},
    {"default_moments", &Stack::default_moments, "Format of the optimizer's moments where a plan does not say"},
    {"gradients_beside_accumulators", &Stack::gradients_beside_accumulators,
     "Low-precision gradients stand beside accumulators in another format"},
    {"weights_beside_master", &Stack::weights_beside_master,
     "Keeps low-precision weights besides an FP32 master; where not, casts on gather (FSDP)"},
    {"update_bytes_per_parameter",
     &Stack::update_bytes_per_parameter,
     "Copies that the optimizer makes of its shard, bytes a parameter",
     {0, 100},
     Quantity::bytes},
    {"gathers_logits", &Stack::gathers_logits,
     "Tensor-parallel ranks gather the logits and each computes the whole loss; where not, each keeps its part of the "
     "vocabulary"},
    {"logits_kept_bytes", &Stack::logits_kept_bytes, "Kept for each logit at the loss", {0, 100}, Quantity::bytes},
    {"parallel_loss_bytes",
     &Stack::parallel_loss_bytes,
     "Kept besides for each logit where tensor-parallel ranks compute the loss of their parts",
     {0, 100},
     Quantity::bytes},
    {"activation_factor", &Stack::activation_factor, "Saved activations against what the operations' gradients need",
     factor_range},
    {"allocator_reserve_factor", &Stack::allocator_reserve_factor, "Pool reserved against bytes allocated", {1, 10}},
    {"context_bytes", &Stack::context_bytes, "Driver and library context on the device", memory_range, Quantity::bytes},
    {"communicator_bytes", &Stack::communicator_bytes, "Buffers of each communicator", memory_range, Quantity::bytes},
    {"peer_bytes", &Stack::peer_bytes, "Buffers that an all-to-all opens to each peer in the node", memory_range,
     Quantity::bytes},
};

} // namespace

std::vector<std::string> StackField::words() const {
    if (std::holds_alternative<bool Stack::*>(place))
        return {"false", "true"};
    if (std::holds_alternative<AttentionKernel Stack::*>(place))
        return attention_kernel_names();
    return std::holds_alternative<DataType Stack::*>(place) ? data_type_names() : std::vector<std::string>();
}

double StackField::value(const Stack &stack) const {
    return std::visit([&](auto member) { return static_cast<double>(stack.*member); }, place);
}

void StackField::set(Stack &stack, double value) const {
    const auto set = [&](auto member) {
        using Value = std::remove_reference_t<decltype(stack.*member)>;
        if constexpr (std::is_same_v<Value, bool>)
            stack.*member = value != 0;
        else if constexpr (std::is_same_v<Value, double>)
            stack.*member = value;
        else
            stack.*member = static_cast<Value>(static_cast<int>(value));
    };
    std::visit(set, place);
}

const std::vector<StackField> &stack_fields() {
    static const std::vector<StackField> fields(std::begin(field_table), std::end(field_table));
    return fields;
}

const StackField *find_stack_field(std::string_view key) {
    const std::vector<StackField> &all = stack_fields();
    const auto found = std::find_if(all.begin(), all.end(), [&](const StackField &field) { return field.key == key; });
    return found == all.end() ? nullptr : &*found;
}

double Stack::*stack_number(std::string_view key) {
    const StackField *const field = find_stack_field(key);
    const auto *const number = field == nullptr ? nullptr : std::get_if<double Stack::*>(&field->place);
    return number == nullptr ? nullptr : *number;
}

} // namespace meshwright
