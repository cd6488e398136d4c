// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/catalogue.h"
#include "formulas/memory.h"

namespace meshwright::catalogue {

using namespace formula;
using enum Quantity;

namespace {

Symbol batch() {
    return whole("batch", "b", "sequences per microbatch");
}
Symbol sequence() {
    return whole("sequence", "s", "sequence length in tokens");
}
Symbol hidden() {
    return whole("hidden", "h", "hidden size");
}

Formula activation_tensors() {
    return {
        .id = "activation-tensors",
        .title = "Stored activation tensors",
        .topic = topic::memory,
        .symbols = {batch(), sequence(), hidden(), whole("layers", "L", "layers"),
                    whole("tensors_per_layer", "n", "tensors saved per layer, each of batch x sequence x hidden size"),
                    otherwise(amount(bytes, "element_bytes", "e", "bytes per element"), 2)},
        .results = {result({"bytes", "S", "bytes saved for the backward pass", bytes},
                           {"batch", "sequence", "hidden", "layers", "tensors_per_layer", "element_bytes"},
                           activation_tensors_bytes)},
        .source = "Counted from the tensors' shapes",
        .notes = "At two tensors per layer, a 70B model (4 x 4096 x 8192, 80 layers) stores 42.9 GB of activations in "
                 "16 bits and 21.5 GB in FP8, a difference of 21.5 GB. A published difference of 172 GB is eight times "
                 "as large, because it counts 8 bits as 8 bytes."};
}

Formula korthikanti() {
    return {
        .id = "activation-memory",
        .title = "Activations of one transformer layer",
        .topic = topic::memory,
        .symbols = {batch(), sequence(), hidden(), whole("heads", "a", "attention heads"),
                    otherwise(whole("tensor", "t", "tensor-parallel size"), 1)},
        .results =
            {result({"bytes", "S", "activations without parallelism or recomputation", bytes},
                    {"batch", "sequence", "hidden", "heads"}, layer_activation_bytes),
             result({"tensor_bytes", "S_t", "activations with tensor parallelism", bytes},
                    {"batch", "sequence", "hidden", "heads", "tensor"}, layer_activation_tensor_bytes),
             result({"sequence_parallel_bytes", "S_s", "activations with tensor and sequence parallelism", bytes},
                    {"batch", "sequence", "hidden", "heads", "tensor"}, layer_activation_sequence_bytes),
             result({"selective_bytes", "S_r",
                     "activations with selective recomputation of the attention core, or with fused attention", bytes},
                    {"batch", "sequence", "hidden", "tensor"}, layer_activation_selective_bytes),
             result(
                 {"full_recompute_bytes", "S_f", "activations with full recomputation: the layer's input only", bytes},
                 {"batch", "sequence", "hidden"}, layer_activation_full_recompute_bytes)},
        .source = "Korthikanti et al., arXiv 2205.05198, equations 1, 2, 4 and 6 and section 5",
        .notes =
            "Applies to a GPT in 16 bits with dropout and a feed-forward hidden size of 4 h. The term 5 a s / h (80 "
            "for GPT-3, next to 34 for everything else) counts scores and masks, which fused attention never writes."};
}

Formula logits() {
    return {.id = "logits-memory",
            .title = "Logits and loss",
            .topic = topic::memory,
            .symbols = {batch(), sequence(), whole("vocabulary", "V", "vocabulary size"),
                        otherwise(whole("tensor", "t", "vocabulary shards of the logits"), 1),
                        otherwise(amount(bytes, "bytes_per_logit", "e", "bytes in memory per logit"), 8)},
            .results = {result({"bytes", "S", "bytes of logits per rank", bytes},
                               {"batch", "sequence", "vocabulary", "tensor", "bytes_per_logit"}, logits_bytes)},
            .source =
                "Counted from 16-bit logits, an FP32 softmax and a 16-bit gradient; Cut Your Losses, arXiv 2411.09009"};
}

Formula key_values() {
    return {.id = "key-value-memory",
            .title = "KV cache per sequence",
            .topic = topic::memory,
            .symbols = {whole("layers", "L", "layers"), whole("kv_heads", "k", "key-value heads"),
                        whole("head_dim", "d", "head dimension"), amount(tokens, "tokens", "s", "tokens in the cache"),
                        otherwise(amount(bytes, "element_bytes", "e", "bytes per element"), 2)},
            .results = {result({"bytes", "S", "bytes of the keys and values of all layers", bytes},
                               {"layers", "kv_heads", "head_dim", "tokens", "element_bytes"}, key_value_bytes)},
            .source = "Counted from the tensors' shapes; grouped-query attention is from arXiv 2305.13245"};
}

} // namespace

std::vector<Formula> activation_formulas() {
    return {activation_tensors(), korthikanti(), logits(), key_values()};
}

} // namespace meshwright::catalogue
