// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/memory.h"

#include "formulas/catalogue.h"

namespace meshwright::catalogue {

using namespace formula;
using enum Quantity;

namespace {

constexpr std::string_view topic = "Memory";

Symbol model() {
    return amount(parameters, "parameters", "P", "trained parameters");
}
Symbol each(std::string_view name, std::string_view letter, std::string_view meaning, double value) {
    return otherwise(or_zero(amount(bytes, name, letter, meaning)), value);
}

Formula zero_memory() {
    return {.id = "zero-memory",
            .title = "Model states on a rank with ZeRO",
            .topic = topic,
            .symbols = {model(), whole("ranks", "N", "ranks that share the states"),
                        whole("stage", "z", "ZeRO stage: 0 none, 1 optimizer, 2 and gradients, 3 and weights", 0, 3),
                        each("weight_bytes", "b_w", "bytes of a weight", 2),
                        each("gradient_bytes", "b_g", "bytes of a gradient", 2),
                        each("optimizer_bytes", "b_o", "master copy and two moments, bytes a parameter", 12)},
            .results = {result({"bytes", "S", "all model states", bytes,
                                "parameters * weight_bytes / (stage >= 3 ? ranks : 1)"
                                " + parameters * gradient_bytes / (stage >= 2 ? ranks : 1)"
                                " + parameters * optimizer_bytes / (stage >= 1 ? ranks : 1)"},
                               {"parameters", "ranks", "stage", "weight_bytes", "gradient_bytes", "optimizer_bytes"},
                               zero_memory_bytes),
                        result({"weights_bytes", "S_w", "weights", bytes,
                                "parameters * weight_bytes / (stage >= 3 ? ranks : 1)"},
                               {"parameters", "ranks", "stage", "weight_bytes"}, zero_weights_bytes),
                        result({"gradients_bytes", "S_g", "gradients", bytes,
                                "parameters * gradient_bytes / (stage >= 2 ? ranks : 1)"},
                               {"parameters", "ranks", "stage", "gradient_bytes"}, zero_gradients_bytes),
                        result({"optimizer_state_bytes", "S_o", "master copy and moments", bytes,
                                "parameters * optimizer_bytes / (stage >= 1 ? ranks : 1)"},
                               {"parameters", "ranks", "stage", "optimizer_bytes"}, zero_optimizer_bytes)},
            .source = "ZeRO, arXiv 1910.02054, section 5 and figure 1",
            .notes =
                "Sharding needs ranks: with one data-parallel rank stages 1 to 3 hold as much as stage 0. Activations "
                "and gathered weights come on top."};
}

Formula zero3_traffic() {
    const Symbol weights = otherwise(amount(bytes, "weight_bytes", "b_w", "bytes of a weight and of a gradient"), 2);
    return {.id = "zero3-traffic",
            .title = "Traffic of ZeRO-3",
            .topic = "Communication",
            .symbols = {model(), whole("ranks", "N", "ranks that share the states", 2),
                        amount(bytes_per_second, "bandwidth", "B", "bus bandwidth of a rank, one way"), weights},
            .results = {result({"bytes_per_rank", "S_r", "sent by each rank in a step", bytes,
                                "3 * (ranks - 1) / ranks * parameters * weight_bytes"},
                               {"parameters", "ranks", "weight_bytes"}, zero3_bytes),
                        result({"seconds", "t", "all of it, nothing hidden", seconds,
                                "3 * (ranks - 1) / ranks * parameters * weight_bytes / bandwidth"},
                               {"parameters", "ranks", "weight_bytes", "bandwidth"}, zero3_seconds),
                        result({"ratio_to_all_reduce", "r", "against one all-reduce of the gradients", Quantity::number,
                                "(3 * (ranks - 1) / ranks * parameters * weight_bytes)"
                                " / (2 * (ranks - 1) / ranks * parameters * weight_bytes)"},
                               {"parameters", "ranks", "weight_bytes"}, zero3_to_all_reduce)},
            .source = "ZeRO, arXiv 1910.02054, section 7.2.2",
            .notes =
                "Two all-gathers of weights and one reduce-scatter of gradients. Rounded figures (42 GB, 420 ms for "
                "7B on 64 ranks) leave out the (N - 1) / N: 41.34 GB and 413 ms."};
}

Formula zero3_gather() {
    return {.id = "zero3-gather",
            .title = "Weights gathered at once by ZeRO-3",
            .topic = topic,
            .symbols = {amount(parameters, "layer_parameters", "P_l", "parameters of the largest layer on a rank"),
                        otherwise(whole("layers_ahead", "a", "layers fetched ahead", 0, 1e6), 1),
                        each("weight_bytes", "b_w", "bytes of a weight as it is computed with", 2)},
            .results = {result(
                {"bytes", "S", "gathered weights", bytes, "layer_parameters * (1 + layers_ahead) * weight_bytes"},
                {"layer_parameters", "layers_ahead", "weight_bytes"}, zero3_gathered_bytes)},
            .source = "PyTorch FSDP, arXiv 2304.11277, section 3.3: one unit runs while the next is fetched"};
}

Formula mixed_precision() {
    const Symbol half = otherwise(amount(bytes, "half_bytes", "b_2", "bytes in the lower precision"), 2);
    const Symbol full = otherwise(amount(bytes, "full_bytes", "b_4", "bytes in the higher precision"), 4);
    return {.id = "mixed-precision-memory",
            .title = "Mixed precision against full precision",
            .topic = topic,
            .symbols = {model(), otherwise(flag("include_gradients", "g", "count gradients"), 1),
                        otherwise(
                            flag("fp32_gradients", "a", "accumulate gradients in a second, full-precision buffer"), 0),
                        half, full},
            .results = {result({"mixed_bytes", "S_m", "weights, master copy, two moments, gradients", bytes,
                                "parameters * (half_bytes + 3 * full_bytes"
                                " + include_gradients * (half_bytes + fp32_gradients * full_bytes))"},
                               {"parameters", "half_bytes", "full_bytes", "include_gradients", "fp32_gradients"},
                               mixed_precision_bytes),
                        result({"fp32_bytes", "S_f", "weights, two moments, gradients in full precision", bytes,
                                "parameters * (3 + include_gradients) * full_bytes"},
                               {"parameters", "full_bytes", "include_gradients"}, full_precision_bytes)},
            .source = "Micikevicius and others, Mixed precision training, arXiv 1710.03740",
            .notes =
                "States do not shrink: 14 bytes a parameter against 12 without gradients, 16 against 16 with them, 20 "
                "where gradients accumulate in FP32. What shrinks is activations and traffic."};
}

Formula capacity() {
    return {
        .id = "training-capacity",
        .title = "The largest model that fits",
        .topic = topic,
        .symbols = {amount(bytes, "memory_bytes", "S", "memory of all accelerators together"),
                    amount(bytes, "bytes_per_parameter", "b",
                           "bytes a parameter: 16 to train with Adam in mixed precision, 2 to hold 16-bit weights")},
        .results = {result({"parameters", "P", "parameters", parameters, "memory_bytes / bytes_per_parameter"},
                           {"memory_bytes", "bytes_per_parameter"}, training_capacity)},
        .source = "ZeRO, arXiv 1910.02054, section 3.1, for 16 bytes a parameter",
        .notes =
            "An upper bound: at 16 bytes a parameter 144B fill 2304 GB to the last byte, and activations, an outer "
            "optimizer and buffers have no place."};
}

} // namespace

std::vector<Formula> memory_formulas() {
    return {zero_memory(), zero3_traffic(), zero3_gather(), mixed_precision(), capacity()};
}

} // namespace meshwright::catalogue
