// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/offload.h"

#include "formulas/catalogue.h"

namespace meshwright::catalogue {

using namespace formula;
using enum Quantity;

namespace {

Symbol link_rate() {
    return amount(bytes_per_second, "link_rate", "B_l", "copy bandwidth per direction");
}

Formula rate() {
    return {
        .id = "host-rate",
        .title = "Bandwidth to host memory",
        .topic = topic::step,
        .symbols = {amount(bytes_per_second, "bandwidth", "B", "bandwidth of the link to host memory, per direction"),
                    otherwise(
                        real("share", "e",
                             "achieved throughput / link bandwidth, for copies or for the host's optimizer update", 0,
                             10),
                        0.85)},
        .results = {result({"rate", "B_l", "achieved bandwidth", bytes_per_second}, {"bandwidth", "share"}, host_rate)},
        .source = "Pinned copies reach 25 to 26 of 32 GB/s on PCI Express 4.0, and 55 of 64 GB/s on 5.0"};
}

Formula update() {
    return {
        .id = "host-update",
        .title = "Optimizer update on the host",
        .topic = topic::step,
        .symbols = {or_zero(amount(parameters, "parameters", "P", "offloaded parameters")),
                    otherwise(amount(bytes, "bytes_per_parameter", "b", "host memory traffic per parameter"), 34),
                    otherwise(amount(bytes, "gradient_bytes", "b_g", "bytes per gradient"), 4),
                    otherwise(amount(bytes, "weight_bytes", "b_w", "bytes per updated weight"), 2), link_rate(),
                    amount(bytes_per_second, "update_rate", "B_h", "host memory bandwidth during the optimizer step")},
        .results = {result(
            {"seconds", "t", "duration", seconds},
            {"parameters", "bytes_per_parameter", "gradient_bytes", "weight_bytes", "link_rate", "update_rate"},
            host_update_seconds)},
        .source = "ZeRO-Offload, arXiv 2101.06840",
        .notes = "Copies overlap with the update and run in both directions at once."};
}

Formula copies() {
    return {.id = "activation-copies",
            .title = "Activation offloading",
            .topic = topic::step,
            .symbols = {or_zero(amount(bytes, "saved_bytes", "S_1",
                                       "bytes that a layer saves for backward per microbatch")),
                        otherwise(real("slack", "k", "allocated bytes / bytes saved for backward", 0.1, 100), 1),
                        otherwise(or_zero(amount(share, "offloaded", "o", "fraction offloaded to host memory")), 1),
                        or_zero(amount(bytes, "bytes", "S", "bytes copied")), link_rate(),
                        or_zero(amount(seconds, "pass_seconds", "t_p",
                                       "time of the layer's pass, which overlaps with the copy"))},
            .results = {result({"seconds", "t", "exposed copy time", seconds}, {"bytes", "link_rate", "pass_seconds"},
                               host_copy_seconds),
                        result({"copied_bytes", "S", "bytes of a layer's activations copied per microbatch", bytes},
                               {"saved_bytes", "slack", "offloaded"}, host_copy_bytes)},
            .source = "Isaev et al., Calculon, SC'23",
            .notes = "Copies to the host overlap with the forward pass and copies back with the backward pass."};
}

} // namespace

std::vector<Formula> offload_formulas() {
    return {rate(), update(), copies()};
}

} // namespace meshwright::catalogue
