// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/stack_fields.h"

#include <algorithm>
#include <iterator>
#include <type_traits>

namespace meshwright {

namespace {

constexpr Range factor_range{0.01, 100};
constexpr Range host_range{0, 10}; ///< seconds; no launch takes longer unless the host hangs
constexpr Range memory_range{0, 1e15};

constexpr StackField field_table[] = {
    {"attention", &Stack::attention, "Attention kernel; flash-3 includes cuDNN's kernels of the same generation"},
    {"matrix_efficiency_factor", &Stack::matrix_efficiency_factor, "Factor on the accelerator's sustained GEMM rate",
     factor_range},
    {"memory_traffic_factor", &Stack::memory_traffic_factor,
     "Memory traffic of element-wise operations relative to perfect fusion", factor_range},
    {"norm_traffic_factor", &Stack::norm_traffic_factor,
     "Memory traffic of norms and rotary embeddings relative to fused kernels, multiplied by memory_traffic_factor",
     factor_range},
    {"logits_traffic_bytes",
     &Stack::logits_traffic_bytes,
     "Memory traffic of cross-entropy per logit, forward and backward",
     {0, 1000},
     Quantity::bytes},
    {"host_seconds_per_layer", &Stack::host_seconds_per_layer, "Host time to launch one layer's forward kernels",
     host_range, Quantity::seconds},
    {"host_seconds_per_expert_layer", &Stack::host_seconds_per_expert_layer,
     "Additional host time for a mixture-of-experts layer", host_range, Quantity::seconds},
    {"routing_wait_seconds", &Stack::routing_wait_seconds,
     "Time that the device waits in the forward pass of a dropless mixture-of-experts layer while the host reads the "
     "tokens per expert",
     host_range, Quantity::seconds},
    {"graph_share", &Stack::graph_share, "Fraction of launches removed by CUDA graphs", fraction, Quantity::share},
    {"tensor_overlap", &Stack::tensor_overlap,
     "With sequence parallelism, fraction of tensor-parallel communication that is overlapped", fraction,
     Quantity::share},
    {"expert_overlap", &Stack::expert_overlap, "Fraction of the expert all-to-all that is overlapped", fraction,
     Quantity::share},
    {"bucket_bytes",
     &Stack::bucket_bytes,
     "Bucket size: gradients reduced by one collective",
     {1, 1e15},
     Quantity::bytes},
    {"data_exposed_share", &Stack::data_exposed_share,
     "Fraction of overlapped gradient communication that is still exposed", fraction, Quantity::share},
    {"sharded_exposed_share", &Stack::sharded_exposed_share,
     "ZeRO-3: exposed communication as a fraction of the smaller of compute and communication", fraction,
     Quantity::share},
    {"selective_by_operation", &Stack::selective_by_operation,
     "Selective recomputation saves the results of GEMMs and of attention and recomputes everything else; if false, it "
     "recomputes only the attention core"},
    {"selective_keeps_qkv", &Stack::selective_keeps_qkv,
     "With selective_by_operation, selective recomputation saves only queries, keys and values, and recomputes "
     "attention and all later GEMMs (the last one only partly, see recompute_early_stop); if false, it saves the "
     "results of attention and of GEMMs"},
    {"selective_multiplies", &Stack::selective_multiplies,
     "With selective_by_operation, fraction of all GEMMs that are also recomputed", fraction, Quantity::share},
    {"recompute_early_stop", &Stack::recompute_early_stop,
     "Fraction of a block's last GEMM that checkpointing does not recompute", fraction, Quantity::share},
    {"step_seconds",
     &Stack::step_seconds,
     "Fixed time per step: data loading, logging, optimizer launch",
     {0, 3600},
     Quantity::seconds},
    {"launches_wait", &Stack::launches_wait,
     "Each launch waits for all previous kernels (CUDA_LAUNCH_BLOCKING=1), which leaves the device idle while the host "
     "launches"},
    {"ring_attention_factor",
     &Stack::ring_attention_factor,
     "With context parallelism, time of attention to another rank's keys relative to attention to the rank's own keys",
     {1, 10},
     Quantity::number},
    {"copies_gathered_sequences", &Stack::copies_gathered_sequences,
     "Sequence-parallel collectives run along the first dimension of a tensor, but the sequence is the second "
     "dimension, so each result is copied once (exposed)"},
    {"data_overlap", &Stack::data_overlap, "Gradient reduction is overlapped with the backward pass"},
    {"overlaps_weight_gather", &Stack::overlaps_weight_gather,
     "With ZeRO-1 or 2 and data_overlap, updated weights are gathered during the next forward pass; if false, the "
     "optimizer step waits for them"},
    {"gathers_weights_at_once", &Stack::gathers_weights_at_once,
     "With ZeRO-1 or 2, updated weights are gathered by one collective; if false, bucket by bucket"},
    {"overlaps_gradient_scatter", &Stack::overlaps_gradient_scatter,
     "With ZeRO-1 or 2 and data_overlap, gradients are reduced during the backward pass; if false, the reduction is "
     "exposed"},
    {"balances_stages", &Stack::balances_stages,
     "Splits the model into stages with equal numbers of weights, counting the LM head"},
    {"overlaps_pipeline_sends", &Stack::overlaps_pipeline_sends, "Interleaved schedules overlap sends with compute"},
    {"scatters_pipeline_sends", &Stack::scatters_pipeline_sends,
     "Without sequence parallelism, each tensor-parallel rank sends a shard of the stage's output, which the next "
     "stage gathers"},
    {"dropout", &Stack::dropout, "Residual and embedding dropout save their masks for backward"},
    {"weighs_experts_apart", &Stack::weighs_experts_apart,
     "A separate kernel applies routing weights to the input of an expert's down projection and also saves the "
     "unweighted input"},
    {"keeps_expert_outputs", &Stack::keeps_expert_outputs,
     "Expert outputs are saved for the gradient of the routing weights; if false, routing weights are applied before "
     "the down projection"},
    {"keeps_activations_in_compute_format", &Stack::keeps_activations_in_compute_format,
     "Inputs of activation functions are saved in the compute format"},
    {"keeps_gathered_inputs", &Stack::keeps_gathered_inputs,
     "Inputs that sequence parallelism gathers are saved for the weight gradient; if false, they are gathered again"},
    {"fuses_elementwise", &Stack::fuses_elementwise,
     "Norms, gated activations and KV head expansion run in one kernel each; if false, each operation saves its "
     "inputs"},
    {"keeps_gradient_buffers", &Stack::keeps_gradient_buffers,
     "Gradients stay allocated between steps; if false, they are freed at the end of the optimizer step and "
     "allocated again in the next backward pass"},
    {"shards_by_weight", &Stack::shards_by_weight,
     "ZeRO gathers weights and reduces gradients weight by weight; if false, layer by layer"},
    {"gathers_once_in_pipelines", &Stack::gathers_once_in_pipelines,
     "With pipeline parallelism, ZeRO-3 gathers weights once per step and reduces gradients with the last microbatch; "
     "if false, it gathers and reduces for every microbatch"},
    {"reduces_gradients_once", &Stack::reduces_gradients_once,
     "With ZeRO-2 or 3, each rank accumulates unsharded gradients and reduce-scatters them with the last microbatch "
     "(no_sync); if false, it reduce-scatters them with every microbatch"},
    {"pads_uneven_shards", &Stack::pads_uneven_shards,
     "The sequence length need not be divisible by the number of its shards (XLA)"},
    {"default_zero_stage", &Stack::default_zero_stage, "Default ZeRO stage of plans", {0, 3}, Quantity::count},
    {"default_gradients", &Stack::default_gradients, "Default number format of the accumulated gradients"},
    {"default_master", &Stack::default_master, "Default number format of the master weights"},
    {"default_moments", &Stack::default_moments, "Default number format of the optimizer's moments"},
    {"gradients_beside_accumulators", &Stack::gradients_beside_accumulators,
     "Low-precision gradients are stored in addition to accumulators in a different format"},
    {"weights_beside_master", &Stack::weights_beside_master,
     "Low-precision weights are stored in addition to FP32 master weights; if false, they are cast on gather (FSDP)"},
    {"update_bytes_per_parameter",
     &Stack::update_bytes_per_parameter,
     "Optimizer's temporary copies of its shard, bytes per parameter",
     {0, 100},
     Quantity::bytes},
    {"gathers_logits", &Stack::gathers_logits,
     "Tensor-parallel ranks gather the logits and each computes the whole loss; if false, the loss is "
     "vocabulary-parallel"},
    {"logits_kept_bytes", &Stack::logits_kept_bytes, "Memory per logit at the loss", {0, 100}, Quantity::bytes},
    {"parallel_loss_bytes",
     &Stack::parallel_loss_bytes,
     "Additional memory per logit with a vocabulary-parallel loss",
     {0, 100},
     Quantity::bytes},
    {"activation_factor", &Stack::activation_factor, "Saved activations relative to the minimum needed for backward",
     factor_range},
    {"allocator_reserve_factor",
     &Stack::allocator_reserve_factor,
     "Reserved memory pool relative to allocated bytes",
     {1, 10}},
    {"context_bytes", &Stack::context_bytes, "CUDA context: driver and library memory on the device", memory_range,
     Quantity::bytes},
    {"communicator_bytes", &Stack::communicator_bytes, "Device buffers per communicator (NCCL)", memory_range,
     Quantity::bytes},
    {"peer_bytes", &Stack::peer_bytes, "All-to-all buffers per peer in the node", memory_range, Quantity::bytes},
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
