// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/training_compute.h"

#include "formulas/catalogue.h"

namespace meshwright::catalogue {

using namespace formula;
using enum Quantity;

namespace {

constexpr std::string_view kaplan = "Kaplan et al., arXiv 2001.08361, section 2.1: 2 FLOPs forward, 4 backward";

Symbol model() {
    return amount(parameters, "parameters", "P", "parameters (active parameters of a mixture of experts)");
}
Symbol accelerators() {
    return whole("accelerators", "n", "accelerators");
}
Symbol peak() {
    return amount(flops_per_second, "peak", "Q", "dense peak per accelerator");
}
Symbol mfu() {
    return amount(share, "mfu", "U", "model FLOPs utilization");
}
Symbol each() {
    return otherwise(amount(flops, "flops_per_parameter", "k", "FLOPs per parameter and token"), 6);
}
Symbol all_flops() {
    return amount(flops, "flops", "C", "training compute");
}
Symbol days() {
    return in("days", amount(seconds, "days", "T", "duration in days"));
}

Formula training() {
    return {.id = "training-flops",
            .title = "Training compute",
            .topic = topic::compute,
            .symbols = {model(), amount(tokens, "tokens", "D", "tokens of the run"), each()},
            .results = {result({"flops", "C", "training compute", flops},
                               {"parameters", "tokens", "flops_per_parameter"}, training_flops),
                        in("PFLOP/s-days",
                           result({"petaflop_days", "C_d", "days at 10^15 FLOP/s", flops},
                                  {"parameters", "tokens", "flops_per_parameter"}, petaflop_days))},
            .source = kaplan,
            .notes =
                "Excludes the attention core and recomputation. Training 144B parameters on 12T tokens takes 1.0368e25 "
                "FLOP; a published 1.02e25 is the value for 11.88T tokens, truncated to three digits. Training on 3.6T "
                "tokens takes 3.11e24 FLOP; 3e24 is this value rounded."};
}

Formula time() {
    return {.id = "training-time",
            .title = "Training days, MFU or accelerators",
            .topic = topic::compute,
            .symbols = {all_flops(), accelerators(), peak(), mfu(), days()},
            .results = {in("days",
                           result({"days", "T", "duration", seconds}, {"flops", "accelerators", "peak", "mfu"},
                                  training_days)),
                        result({"mfu", "U", "MFU implied by a duration", share},
                               {"flops", "accelerators", "peak", "days"}, utilisation_of_days),
                        result({"accelerators", "n", "accelerators needed for a duration", Quantity::number},
                               {"flops", "peak", "mfu", "days"}, accelerators_for_days)},
            .source = "Definition of model FLOPs utilization, PaLM, arXiv 2204.02311, section 4.1",
            .notes =
                "A utilization is relative to the peak. A sustained rate of 400 TFLOP/s on an H100 already includes "
                "the utilization (40% of 989). For 6.3e23 FLOP on 1,024 H100s, taking 45% of those 400 counts "
                "utilization twice and gives 39.6 days, while 45% of the peak gives 16. A run of 54 days for 3.79e25 "
                "FLOP on 16,384 H100s has an MFU of 50%, not 48%. And 6.3e23 / (400e12 x 0.45) is 3.5e9 GPU-seconds, "
                "not 3.5M."};
}

Formula step() {
    return {
        .id = "step-time",
        .title = "Step time from MFU",
        .topic = topic::compute,
        .symbols = {model(), amount(tokens, "tokens", "B", "tokens per step"), accelerators(), peak(), mfu(),
                    amount(seconds, "seconds", "t", "measured step time, to calculate MFU"), each()},
        .results = {result({"seconds", "t", "duration", seconds},
                           {"parameters", "tokens", "accelerators", "peak", "mfu", "flops_per_parameter"},
                           seconds_of_step),
                    result({"mfu", "U", "MFU implied by a duration", share},
                           {"parameters", "tokens", "accelerators", "peak", "seconds", "flops_per_parameter"},
                           step_mfu),
                    in("1/s",
                       result({"tokens_per_second", "v", "tokens per second needed for a duration", Quantity::number},
                              {"tokens", "seconds"}, tokens_per_second))},
        .source = kaplan};
}

Formula nodes() {
    return {
        .id = "nodes-for-deadline",
        .title = "Nodes for a deadline",
        .topic = topic::compute,
        .symbols = {all_flops(), whole("accelerators_per_node", "n", "accelerators per node"), peak(), mfu(), days()},
        .results = {result({"nodes", "M", "nodes", Quantity::number},
                           {"flops", "accelerators_per_node", "peak", "mfu", "days"}, nodes_for_deadline)},
        .source = "Definition of model FLOPs utilization, PaLM, arXiv 2204.02311, section 4.1",
        .notes = "70 nodes of 16 H100s perform 10^25 FLOP in a year at 28.6% MFU; at 40% MFU, 50 nodes are enough."};
}

Formula utilisations() {
    return {.id = "utilisation",
            .title = "MFU and HFU",
            .topic = topic::compute,
            .symbols = {all_flops(), or_zero(amount(flops, "recomputed_flops", "R", "recomputed FLOPs")),
                        amount(seconds, "seconds", "t", "duration"), accelerators(), peak()},
            .results = {result({"mfu", "U", "model FLOPs utilization", share},
                               {"flops", "accelerators", "peak", "seconds"}, utilisation),
                        result({"hfu", "H", "hardware FLOPs utilization", share},
                               {"flops", "recomputed_flops", "seconds", "accelerators", "peak"}, hardware_utilisation)},
            .source = "PaLM, arXiv 2204.02311, section 4.1; Korthikanti et al., arXiv 2205.05198, section 6.3",
            .notes = "An HFU of 40% with full recomputation (8 FLOPs per parameter and token, of which 6 count) is an "
                     "MFU of 30%."};
}

Formula attention() {
    const Symbol causal =
        otherwise(flag("causal", "c", "1: count only scores that the causal mask keeps; 0: count all"), 1);
    return {.id = "flops-per-token",
            .title = "Training FLOPs per token",
            .topic = topic::compute,
            .symbols = {model(), whole("layers", "L", "layers"),
                        whole("width", "w", "attention heads times the head dimension"),
                        whole("sequence", "s", "sequence length in tokens"), causal, each()},
            .results = {result({"flops", "c", "total", flops},
                               {"parameters", "layers", "width", "sequence", "causal", "flops_per_parameter"},
                               flops_per_token),
                        result({"attention_flops", "c_a", "FLOPs of the attention core only", flops},
                               {"layers", "width", "sequence", "causal"}, attention_flops_per_token)},
            .source = "PaLM, arXiv 2204.02311, appendix B",
            .notes =
                "The paper counts full attention. The default here counts half, because a causal mask excludes the "
                "other half. Both conventions are in use: state which one you report."};
}

Formula keys() {
    return {.id = "causal-keys",
            .title = "Keys attended per token",
            .topic = topic::compute,
            .symbols = {amount(tokens, "sequence", "s", "sequence length in tokens"),
                        otherwise(amount(tokens, "window", "w", "sliding window in tokens"), 1e21)},
            .results = {result({"keys", "k", "mean number of keys that a token attends to", Quantity::number},
                               {"sequence", "window"}, causal_keys)},
            .source = "Counted token by token: the first tokens of a sequence attend to fewer keys than the window"};
}

Formula megatron() {
    return {.id = "megatron-step-flops",
            .title = "Hardware FLOPs per step of a GPT",
            .topic = topic::compute,
            .symbols = {whole("batch", "B", "sequences per step"), whole("sequence", "s", "sequence length in tokens"),
                        whole("layers", "L", "layers"), whole("hidden", "h", "hidden size"),
                        whole("vocabulary", "V", "vocabulary size")},
            .results = {result({"flops", "F", "FLOPs with full recomputation", flops},
                               {"batch", "sequence", "layers", "hidden", "vocabulary"}, megatron_step_flops)},
            .source = "Narayanan et al., arXiv 2104.04473, equation 3",
            .notes = "Counts recomputation and full attention. The result divided by time and peak FLOP/s is the HFU."};
}

Formula traffic() {
    const Symbol standard = in("GFLOP", amount(flops, "standard_gflops", "F_0", "FLOPs of standard attention"));
    const Symbol flash = in("GFLOP", amount(flops, "flash_gflops", "F_1", "FLOPs of fused attention"));
    const Symbol standard_bytes =
        in("GB", amount(bytes, "standard_gigabytes", "S_0", "memory traffic of standard attention"));
    const Symbol flash_bytes = in("GB", amount(bytes, "flash_gigabytes", "S_1", "memory traffic of fused attention"));
    return {
        .id = "attention-traffic",
        .title = "Memory traffic of attention",
        .topic = topic::compute,
        .symbols = {standard, flash, standard_bytes, flash_bytes,
                    amount(seconds, "standard_seconds", "t_0", "duration of standard attention"),
                    amount(seconds, "flash_seconds", "t_1", "duration of fused attention")},
        .results =
            {result({"traffic_ratio", "r", "memory traffic reduction", Quantity::number},
                    {"standard_gigabytes", "flash_gigabytes"}, quotient),
             result({"flops_ratio", "f", "FLOPs of fused attention relative to standard attention", Quantity::number},
                    {"flash_gflops", "standard_gflops"}, quotient),
             result({"speedup", "u", "speedup of fused attention", Quantity::number},
                    {"standard_seconds", "flash_seconds"}, quotient),
             in("FLOP/B",
                result({"standard_intensity", "i_0", "arithmetic intensity of standard attention", Quantity::number},
                       {"standard_gflops", "standard_gigabytes"}, intensity)),
             in("FLOP/B",
                result({"flash_intensity", "i_1", "arithmetic intensity of fused attention", Quantity::number},
                       {"flash_gflops", "flash_gigabytes"}, intensity))},
        .source = "FlashAttention, arXiv 2205.14135, section 3.2",
        .notes = "Fused attention needs more FLOPs, but with 9.2 times less memory traffic it is 5.7 times as fast: "
                 "attention is memory-bound."};
}

Formula roofline() {
    return {.id = "roofline",
            .title = "Roofline",
            .topic = topic::compute,
            .symbols = {amount(flops, "flops", "F", "FLOPs of the kernel"),
                        amount(bytes, "bytes", "S", "memory traffic of the kernel"), peak(),
                        amount(bytes_per_second, "memory_bandwidth", "B", "memory bandwidth of the accelerator")},
            .results = {result({"rate", "q", "attainable rate", flops_per_second},
                               {"flops", "bytes", "peak", "memory_bandwidth"}, roofline_rate),
                        in("FLOP/B",
                           result({"intensity", "i", "arithmetic intensity", Quantity::number}, {"flops", "bytes"},
                                  intensity))},
            .source = "Williams, Waterman and Patterson, Roofline, 2009"};
}

Formula degree() {
    return {.id = "data-parallel-degree",
            .title = "Data-parallel size",
            .topic = topic::compute,
            .symbols = {accelerators(), whole("tensor", "t", "tensor-parallel size", 1, 1e6),
                        whole("pipeline", "p", "pipeline-parallel size", 1, 1e6),
                        otherwise(whole("context", "c", "context-parallel size", 1, 1e6), 1)},
            .results = {result({"degree", "d", "replicas", Quantity::number},
                               {"accelerators", "tensor", "pipeline", "context"}, data_parallel_degree),
                        result({"left_over", "x", "unused accelerators", count},
                               {"accelerators", "tensor", "pipeline", "context"}, left_over_accelerators)},
            .source = "Megatron-LM, arXiv 2104.04473, section 3"};
}

} // namespace

std::vector<Formula> compute_formulas() {
    return {training(), time(),     step(),    nodes(),    utilisations(), attention(),
            keys(),     megatron(), traffic(), roofline(), degree()};
}

std::vector<Formula> model_formulas() {
    const Symbol hidden = whole("hidden", "h", "hidden size");
    const Symbol layers = whole("layers", "L", "layers", 1, 1e6);
    const Symbol vocabulary = whole("vocabulary", "V", "vocabulary size");
    return {
        {.id = "transformer-parameters",
         .title = "Parameters of a GPT-2 model",
         .topic = topic::model,
         .symbols = {hidden, vocabulary, whole("positions", "P", "learned position embeddings", 0), layers},
         .results = {result({"parameters", "C", "parameters", parameters},
                            {"hidden", "vocabulary", "positions", "layers"}, transformer_parameters)},
         .source = "Counted from the architecture of GPT-2, Radford et al. 2019, with biases and norms; the LM head "
                   "shares the embedding"},
        {.id = "llama-parameters",
         .title = "Parameters of a Llama model",
         .topic = topic::model,
         .symbols = {hidden, whole("query_heads", "a", "query heads", 1, 1e6),
                     whole("kv_heads", "k", "key-value heads", 1, 1e6),
                     whole("head_dim", "d", "head dimension", 1, 1e6),
                     whole("feed_forward", "f", "feed-forward hidden size"), layers, vocabulary,
                     otherwise(flag("tied", "T", "1 if the LM head shares the embedding"), 0)},
         .results = {result({"parameters", "P", "parameters", parameters},
                            {"hidden", "query_heads", "kv_heads", "head_dim", "feed_forward", "layers", "vocabulary",
                             "tied"},
                            llama_parameters),
                     result({"layer_parameters", "P_l", "parameters of one layer", parameters},
                            {"hidden", "query_heads", "kv_heads", "head_dim", "feed_forward"}, llama_layer_parameters)},
         .source = "Counted from the architecture of Llama, arXiv 2302.13971 and 2407.21783"}};
}

} // namespace meshwright::catalogue
