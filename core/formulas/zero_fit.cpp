// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/zero_fit.h"

#include "formulas/catalogue.h"

namespace meshwright::catalogue {

using namespace formula;
using enum Quantity;

std::vector<Formula> zero_fit_formulas() {
    Symbol memory = amount(bytes, "memory_bytes", "S", "memory of one accelerator");
    memory.low = 1e6;
    return {
        {.id = "zero-fit",
         .title = "Fewest ranks and lowest ZeRO stage that fit",
         .topic = topic::memory,
         .symbols = {amount(parameters, "parameters", "P", "trained parameters"), memory,
                     otherwise(or_zero(amount(bytes, "activation_bytes", "A",
                                              "all memory other than model states, such as activations")),
                               0),
                     whole("ranks", "N", "ranks that shard the model states"),
                     whole("stage", "z",
                           "ZeRO stage: 0 shards nothing, 1 optimizer states, 2 also gradients, 3 also weights", 0, 3),
                     per_parameter("weight_bytes", "b_w", "bytes per weight", 2),
                     per_parameter("gradient_bytes", "b_g", "bytes per gradient", 2),
                     per_parameter("optimizer_bytes", "b_o",
                                   "bytes per parameter for FP32 master weights and two Adam states", 12)},
         .results = {result({"ranks", "N", "minimum number of ranks at this ZeRO stage", count},
                            {"parameters", "memory_bytes", "activation_bytes", "stage", "weight_bytes",
                             "gradient_bytes", "optimizer_bytes"},
                            zero_fewest_ranks),
                     result({"stage", "z", "lowest ZeRO stage that fits on these ranks", count},
                            {"parameters", "ranks", "memory_bytes", "activation_bytes", "weight_bytes",
                             "gradient_bytes", "optimizer_bytes"},
                            zero_lowest_stage),
                     result({"bytes_left", "S_l", "memory left per rank at this ZeRO stage", bytes},
                            {"parameters", "ranks", "memory_bytes", "activation_bytes", "stage", "weight_bytes",
                             "gradient_bytes", "optimizer_bytes"},
                            zero_bytes_left)},
         .source = "ZeRO, arXiv 1910.02054, sections 5.1 to 5.3, solved for the number of ranks",
         .notes = "If the states that a ZeRO stage does not shard already fill the memory, adding ranks does not help: "
                  "the weights of 30B parameters take 60 GB, so with 20 GB of activations, ZeRO-2 never fits in 80 GB, "
                  "and ZeRO-3 needs 8 ranks. With ZeRO-3, add the gathered weights to the activations."}};
}

} // namespace meshwright::catalogue
