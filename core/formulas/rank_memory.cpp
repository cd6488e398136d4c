// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/rank_memory.h"

#include "formulas/catalogue.h"

namespace meshwright::catalogue {

using namespace formula;
using enum Quantity;

namespace {

Symbol size(std::string_view name, std::string_view letter, std::string_view meaning) {
    return real(name, letter, meaning, 0, 1e15);
}
Symbol memory(std::string_view name, std::string_view letter, std::string_view meaning) {
    return or_zero(amount(bytes, name, letter, meaning));
}
Symbol slack() {
    return otherwise(real("slack", "f", "allocated bytes / bytes saved for backward", 0, 10), 1);
}
Symbol parts() {
    return otherwise(real("parts", "v", "chunks or slices per microbatch", 1, 1e6), 1);
}
Symbol reserve() {
    return otherwise(or_zero(amount(share, "reserve", "r", "fragmentation reserve")), 0);
}

Formula saved_activation() {
    return {.id = "saved-activation",
            .title = "Activations saved for backward by one operation",
            .topic = topic::memory,
            .symbols = {size("rows", "m", "tokens of a microbatch per rank"), size("width", "w", "elements per token"),
                        otherwise(amount(bytes, "element_bytes", "e", "bytes per element"), 2),
                        size("query_tokens", "q", "queries"), size("key_tokens", "k", "number of keys per query"),
                        size("heads", "a", "attention heads per rank")},
            .results = {result({"bytes", "S", "saved tensor", bytes}, {"rows", "width", "element_bytes"},
                               saved_tensor_bytes),
                        result({"statistics_bytes", "S_s", "softmax statistics in FP32", bytes},
                               {"query_tokens", "heads"}, attention_statistics_bytes),
                        result({"scores_bytes", "S_a", "softmax, mask and dropout of every score", bytes},
                               {"query_tokens", "key_tokens", "heads"}, attention_scores_bytes)},
            .source = "Korthikanti et al., arXiv 2205.05198, section 4",
            .notes =
                "Selective recomputation avoids storing the scores, 80 of the 114 bytes per token and hidden unit in "
                "GPT-3; the other 34 stay in memory."};
}

Formula activations_in_flight() {
    return {
        .id = "activations-in-flight",
        .title = "Activations of the microbatches in flight",
        .topic = topic::memory,
        .symbols = {memory("saved_bytes", "S_1", "bytes saved for backward per microbatch by all layers of the rank"),
                    parts(), real("in_flight", "m_f", "peak chunks, slices or microbatches in flight", 0, 1e9), slack(),
                    otherwise(or_zero(amount(share, "on_device", "d", "fraction of activations that is not offloaded")),
                              1),
                    memory("operation_bytes", "S_o", "gradients and recomputed activations of one operation")},
        .results = {result({"bytes", "S", "activation memory", bytes},
                           {"saved_bytes", "parts", "in_flight", "slack", "on_device"}, in_flight_activation_bytes),
                    result({"working_bytes", "S_w", "working set of one operation's backward pass", bytes},
                           {"operation_bytes", "parts", "slack"}, working_set_bytes)},
        .source =
            "Narayanan et al., arXiv 2104.04473, section 2.2: a rank holds the microbatches its schedule has in flight",
        .notes = "With p stages and m microbatches, 1F1B holds min(p - r, m) of them on rank r, counted from 0; the p "
                 "- 1 in the paper is a misprint."};
}

Formula logits() {
    return {
        .id = "logits-of-a-rank",
        .title = "Logits per rank",
        .topic = topic::memory,
        .symbols =
            {size("tokens", "s", "tokens of a microbatch per rank"), whole("vocabulary", "V", "vocabulary size"),
             otherwise(whole("tensor", "t", "ranks that split the vocabulary"), 1),
             size("logits", "l", "logits of a microbatch per rank"), parts(),
             otherwise(amount(bytes, "bytes_per_logit", "e", "bytes per logit at the loss"), 8),
             otherwise(or_zero(whole("prediction_modules", "k", "MTP modules whose logits exist at the same time")), 0),
             otherwise(amount(bytes, "loss_bytes", "e_16", "bytes per logit at the loss with 16-bit activations"), 8),
             otherwise(or_zero(amount(bytes, "parallel_bytes", "e_t",
                                      "additional bytes per logit with vocabulary parallelism")),
                       0),
             otherwise(amount(bytes, "activation_bytes", "a", "bytes per saved activation"), 2),
             whole("microbatches", "m", "microbatches per step")},
        .results = {result({"bytes", "S", "logits at the loss", bytes},
                           {"logits", "parts", "bytes_per_logit", "prediction_modules"}, loss_logits_bytes),
                    result({"waiting_bytes", "S_w", "logits waiting for their backward pass", bytes},
                           {"logits", "parts", "bytes_per_logit", "activation_bytes", "microbatches"},
                           waiting_logits_bytes),
                    result({"each_bytes", "e", "bytes per logit at the loss", bytes},
                           {"loss_bytes", "parallel_bytes", "activation_bytes"}, one_logit_bytes),
                    result({"elements", "l", "logits of a microbatch per rank", Quantity::number},
                           {"tokens", "vocabulary", "tensor"}, logits_of_rank)},
        .source =
            "Derived by counting 16-bit logits, FP32 softmax and 16-bit gradients; Cut Your Losses, arXiv 2411.09009"};
}

Formula buffers() {
    return {
        .id = "rank-buffers",
        .title = "Buffers for sharding and communication",
        .topic = topic::memory,
        .symbols = {or_zero(
                        amount(parameters, "layer_parameters", "P_l", "gathered parameters of a rank's largest layer")),
                    or_zero(amount(parameters, "unreduced", "P_u",
                                   "parameters in one gradient reduction (a layer or a chunk)")),
                    otherwise(amount(bytes, "weight_bytes", "b_w", "bytes per gathered weight"), 2),
                    otherwise(amount(bytes, "gradient_bytes", "b_g", "bytes per gradient"), 4),
                    or_zero(amount(parameters, "parameters", "P", "parameters per rank before sharding")),
                    memory("weights_bytes", "S_w", "weights stored on the rank"),
                    memory("gradients_bytes", "S_g", "gradients stored on the rank"), reserve(),
                    memory("hidden_bytes", "S_h", "activations of a microbatch between two layers"),
                    otherwise(real("sequence_ways", "t", "ranks that split the activations between layers", 1, 1e6), 1),
                    or_zero(amount(parameters, "bucket_elements", "n_b", "gradients per bucket")),
                    memory("moments_bytes", "S_m", "moments stored on the rank"),
                    otherwise(whole("moments", "n_m", "moments per parameter"), 2),
                    or_zero(whole("vocabulary", "V", "vocabulary size")), or_zero(whole("hidden", "h", "hidden size")),
                    otherwise(whole("tensor", "n_t", "tensor-parallel size"), 1),
                    otherwise(amount(bytes, "made_bytes", "b_m", "bytes per gradient as autograd produces it"), 2)},
        .results = {result({"gathered_bytes", "S_1", "gathered weights of two layers", bytes},
                           {"layer_parameters", "weight_bytes", "parameters", "weights_bytes", "reserve"},
                           gathered_weights_bytes),
                    result({"unreduced_bytes", "S_2", "gradients before their reduction", bytes},
                           {"unreduced", "gradient_bytes", "parameters", "gradients_bytes", "reserve"},
                           unreduced_gradients_bytes),
                    result({"received_bytes", "S_3", "receive buffers for neighboring stages", bytes},
                           {"hidden_bytes", "sequence_ways"}, received_bytes),
                    result({"bucket_bytes", "S_4", "bucket of updated weights during their all-gather", bytes},
                           {"parameters", "bucket_elements", "gradient_bytes"}, bucket_bytes),
                    result({"update_bytes", "S_6", "temporaries of an optimizer step that is not fused", bytes},
                           {"moments_bytes", "moments"}, update_temporaries_bytes),
                    result({"head_gradient_bytes", "S_5", "LM head gradient before accumulation", bytes},
                           {"vocabulary", "hidden", "tensor", "made_bytes"}, head_gradient_bytes)},
        .source = "Gathered weights: PyTorch FSDP, arXiv 2304.11277, section 3.3 (the next layer is gathered while the "
                  "current one runs). Bucket size: Megatron-Core's default. LM head: PyTorch's autograd sums a "
                  "weight's gradients before a hook "
                  "adds them to the accumulators (Megatron-Core, distributed_data_parallel.py)",
        .notes =
            "Gathered weights are capped at the memory that sharding saves; with more, sharding would not pay off."};
}

Formula elements() {
    return {.id = "element-bytes",
            .title = "Bytes per element",
            .topic = topic::memory,
            .symbols = {amount(bytes, "format_bytes", "b_f", "bytes per element of the tensor's format"),
                        otherwise(amount(bytes, "compute_bytes", "b_c", "bytes per element of the compute format"), 2)},
            .results = {result({"wide_bytes", "b", "bytes per element outside low-precision GEMMs", bytes},
                               {"format_bytes"}, wide_element_bytes),
                        result({"input_bytes", "b_i", "bytes per element of saved GEMM inputs", bytes},
                               {"format_bytes"}, saved_input_bytes),
                        result({"sent_bytes", "b_s", "bytes per weight in communication", bytes}, {"format_bytes"},
                               sent_weight_bytes),
                        result({"gathered_bytes", "b_g", "bytes per gathered weight", bytes},
                               {"compute_bytes", "format_bytes"}, gathered_weight_bytes)},
            .source = "PyTorch FSDP2, MixedPrecisionPolicy.param_dtype: weights are gathered in at most 16 bits. With "
                      "low-precision compute, they are gathered in 16 bits and quantized afterwards"};
}

Formula outer() {
    return {.id = "outer-memory",
            .title = "Outer state per rank",
            .topic = topic::memory,
            .symbols = {or_zero(amount(parameters, "rank_parameters", "P_r", "parameters of the rank")),
                        otherwise(whole("data", "d", "data-parallel ranks that shard the parameters"), 1),
                        or_zero(amount(parameters, "parameters", "P", "parameters with outer state on the rank")),
                        otherwise(flag("error_feedback", "f", "1 with error feedback, otherwise 0"), 0),
                        otherwise(whole("fragments", "n", "fragments of the model"), 1)},
            .results = {result({"state_bytes", "S", "outer parameters, momentum and error feedback in FP32", bytes},
                               {"parameters", "error_feedback"}, outer_state_bytes),
                        result({"fragment_bytes", "S_f", "bytes of one fragment in transfer", bytes},
                               {"parameters", "fragments"}, outer_fragment_bytes),
                        result({"share", "P", "parameters with outer state on the rank", parameters},
                               {"rank_parameters", "data"}, outer_share_of_rank)},
            .source = "DiLoCo, arXiv 2311.08105, algorithm 1: Nesterov momentum over pseudo-gradients"};
}

Formula outside() {
    return {
        .id = "memory-outside",
        .title = "Memory outside the allocator",
        .topic = topic::memory,
        .symbols = {otherwise(memory("context_bytes", "S_c", "CUDA context and libraries"), 0.57e9),
                    otherwise(or_zero(whole("dimensions", "n", "parallel dimensions")), 3),
                    otherwise(or_zero(whole("communicators", "g", "communicators")), 4),
                    otherwise(memory("communicator_bytes", "S_1", "buffers per communicator"), 0.721e9),
                    otherwise(or_zero(whole("peers", "p", "peers in the node")), 7),
                    otherwise(memory("peer_bytes", "S_p", "all-to-all buffers per peer"), 0.436e9)},
        .results = {result({"bytes", "S_o", "memory outside the allocator", bytes},
                           {"context_bytes", "communicators", "communicator_bytes", "peers", "peer_bytes"},
                           outside_allocator),
                    result({"communicators", "g", "communicators", count}, {"dimensions"}, communicator_count)},
        .source = "NCCL allocates buffers for each channel to each connected peer: NVIDIA/nccl, issues 864, 964 "
                  "(separately for each communicator) and 1685 (all-to-all)",
        .notes =
            "Each parallel dimension with more than one member has a communicator, and so has the group of all ranks "
            "if there are several dimensions. An all-to-all opens additional buffers to each peer in the node."};
}

Formula runtime() {
    return {.id = "runtime-memory",
            .title = "Runtime memory",
            .topic = topic::memory,
            .symbols = {memory("outside_bytes", "S_o", "memory outside the allocator"),
                        otherwise(memory("workspace_bytes", "S_w", "GEMM library workspace"), 0), reserve(),
                        otherwise(memory("transient_bytes", "S_t", "activations, logits and buffers"), 0)},
            .results = {result({"bytes", "S", "runtime memory on the device", bytes},
                               {"outside_bytes", "workspace_bytes", "reserve", "transient_bytes"}, runtime_bytes)},
            .source = "Memory that the driver reports in addition to tensors; values from the software stack"};
}

Formula headroom() {
    return {.id = "headroom",
            .title = "Memory headroom",
            .topic = topic::memory,
            .symbols = {amount(bytes, "capacity_bytes", "C", "memory capacity of the accelerator"),
                        memory("peak_bytes", "S", "peak memory over all stages")},
            .results = {result({"bytes", "F", "free memory; negative if the plan does not fit", bytes},
                               {"capacity_bytes", "peak_bytes"}, free_bytes)},
            .source = "Definition"};
}

} // namespace

std::vector<Formula> rank_memory_formulas() {
    return {saved_activation(), activations_in_flight(), logits(), buffers(), elements(), outer(), outside(), runtime(),
            headroom()};
}

} // namespace meshwright::catalogue
