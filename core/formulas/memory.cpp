// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/memory.h"

#include "formulas/catalogue.h"

namespace meshwright::catalogue {

using namespace formula;
using enum Quantity;

namespace {

Symbol model() {
    return amount(parameters, "parameters", "P", "trained parameters");
}

Formula zero_memory() {
    return {
        .id = "zero-memory",
        .title = "Model states per rank with ZeRO",
        .topic = topic::memory,
        .symbols = {model(), whole("ranks", "N", "ranks that shard the states"),
                    whole("stage", "z",
                          "ZeRO stage: 0 shards nothing, 1 optimizer states, 2 also gradients, 3 also weights", 0, 3),
                    per_parameter("weight_bytes", "b_w", "bytes per weight", 2),
                    per_parameter("gradient_bytes", "b_g", "bytes per gradient", 2),
                    per_parameter("optimizer_bytes", "b_o",
                                  "bytes per parameter of FP32 master weights and two Adam states", 12)},
        .results = {result({"bytes", "S", "model states per rank", bytes},
                           {"parameters", "ranks", "stage", "weight_bytes", "gradient_bytes", "optimizer_bytes"},
                           zero_memory_bytes),
                    result({"weights_bytes", "S_w", "weights", bytes}, {"parameters", "ranks", "stage", "weight_bytes"},
                           zero_weights_bytes),
                    result({"gradients_bytes", "S_g", "gradients", bytes},
                           {"parameters", "ranks", "stage", "gradient_bytes"}, zero_gradients_bytes),
                    result({"optimizer_state_bytes", "S_o", "optimizer states: FP32 master weights and Adam states",
                            bytes},
                           {"parameters", "ranks", "stage", "optimizer_bytes"}, zero_optimizer_bytes)},
        .source = "ZeRO, arXiv 1910.02054, section 5 and figure 1",
        .notes = "Sharding needs several ranks: with one data-parallel rank, stages 1 to 3 use as much memory as "
                 "stage 0. Activations and gathered weights are not included."};
}

Formula zero3_traffic() {
    const Symbol weights = otherwise(amount(bytes, "weight_bytes", "b_w", "bytes per weight and per gradient"), 2);
    return {.id = "zero3-traffic",
            .title = "ZeRO-3 communication volume",
            .topic = topic::communication,
            .symbols = {model(), whole("ranks", "N", "ranks that shard the states", 2),
                        amount(bytes_per_second, "bandwidth", "B", "bus bandwidth per rank, one direction"), weights},
            .results = {result({"bytes_per_rank", "S_r", "bytes sent by each rank per step", bytes},
                               {"parameters", "ranks", "weight_bytes"}, zero3_bytes),
                        result({"seconds", "t", "communication time per step without overlap", seconds},
                               {"parameters", "ranks", "weight_bytes", "bandwidth"}, zero3_seconds),
                        result({"ratio_to_all_reduce", "r", "volume relative to one all-reduce of the gradients",
                                Quantity::number},
                               {"parameters", "ranks", "weight_bytes"}, zero3_to_all_reduce)},
            .source = "ZeRO, arXiv 1910.02054, section 7.2.2",
            .notes =
                "Two all-gathers of weights and one reduce-scatter of gradients. Rounded values (42 GB and 420 ms for "
                "7B on 64 ranks) leave out the factor (N - 1) / N; with it they are 41.34 GB and 413 ms."};
}

Formula zero3_gather() {
    return {.id = "zero3-gather",
            .title = "Weights gathered by ZeRO-3 at a time",
            .topic = topic::memory,
            .symbols = {amount(parameters, "layer_parameters", "P_l", "gathered parameters of a rank's largest layer"),
                        otherwise(whole("layers_ahead", "a", "layers prefetched", 0, 1e6), 1),
                        per_parameter("weight_bytes", "b_w", "bytes per weight in the compute format", 2)},
            .results = {result({"bytes", "S", "gathered weights", bytes},
                               {"layer_parameters", "layers_ahead", "weight_bytes"}, zero3_gathered_bytes)},
            .source = "PyTorch FSDP, arXiv 2304.11277, section 3.3: one unit computes while the next is prefetched"};
}

Formula mixed_precision() {
    const Symbol half = otherwise(amount(bytes, "half_bytes", "b_2", "bytes per value in the lower precision"), 2);
    const Symbol full = otherwise(amount(bytes, "full_bytes", "b_4", "bytes per value in the higher precision"), 4);
    return {
        .id = "mixed-precision-memory",
        .title = "Mixed precision vs. full precision",
        .topic = topic::memory,
        .symbols = {model(), otherwise(flag("include_gradients", "g", "1 to include gradients, otherwise 0"), 1),
                    otherwise(
                        flag("fp32_gradients", "a", "1 to accumulate gradients in a second, full-precision buffer"), 0),
                    half, full},
        .results = {result({"mixed_bytes", "S_m",
                            "mixed precision: weights, FP32 master weights, two Adam states, gradients", bytes},
                           {"parameters", "half_bytes", "full_bytes", "include_gradients", "fp32_gradients"},
                           mixed_precision_bytes),
                    result({"fp32_bytes", "S_f", "full precision: weights, two Adam states, gradients", bytes},
                           {"parameters", "full_bytes", "include_gradients"}, full_precision_bytes)},
        .source = "Micikevicius et al., Mixed precision training, arXiv 1710.03740",
        .notes =
            "Mixed precision does not shrink model states. Without gradients, they take 14 bytes per parameter instead "
            "of 12 in full precision. With gradients, they take 16 in either precision, or 20 in mixed precision if "
            "gradients accumulate in FP32. Mixed precision does shrink activations and communication."};
}

Formula capacity() {
    return {
        .id = "training-capacity",
        .title = "Largest model that fits in memory",
        .topic = topic::memory,
        .symbols = {amount(bytes, "memory_bytes", "S", "total memory of all accelerators"),
                    amount(
                        bytes, "bytes_per_parameter", "b",
                        "bytes per parameter: 16 to train with Adam in mixed precision, 2 for 16-bit weights alone")},
        .results = {result({"parameters", "P", "parameters", parameters}, {"memory_bytes", "bytes_per_parameter"},
                           training_capacity)},
        .source = "ZeRO, arXiv 1910.02054, section 3.1, for 16 bytes per parameter",
        .notes = "An upper bound: at 16 bytes per parameter, 144B parameters fill 2304 GB completely, with no memory "
                 "left for activations, an outer optimizer or buffers."};
}

} // namespace

std::vector<Formula> memory_formulas() {
    return {zero_memory(), zero3_traffic(), zero3_gather(), mixed_precision(), capacity()};
}

} // namespace meshwright::catalogue
