// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/attention_memory.h"

#include "formulas/catalogue.h"

namespace meshwright::catalogue {

using namespace formula;
using enum Quantity;

std::vector<Formula> attention_memory_formulas() {
    return {
        {.id = "attention-hbm",
         .title = "HBM traffic of attention",
         .topic = topic::compute,
         .symbols = {whole("batch", "B", "sequences", 1, 1e6), whole("heads", "a", "heads", 1, 1e6),
                     whole("sequence", "N", "sequence length in tokens"),
                     whole("head_dim", "d", "head dimension", 1, 1e4),
                     otherwise(amount(bytes, "on_chip_bytes", "M", "on-chip memory per multiprocessor"), 196608),
                     otherwise(amount(bytes, "element_bytes", "b_e", "bytes per element"), 2),
                     otherwise(real("score_passes", "x",
                                    "passes of unfused kernels over the scores, forward and backward", 1, 100),
                               11)},
         .results = {result({"plain_bytes", "S", "traffic of unfused attention, forward and backward", bytes},
                            {"batch", "heads", "sequence", "head_dim", "element_bytes", "score_passes"},
                            plain_attention_bytes),
                     result({"fused_bytes", "S_f", "traffic of FlashAttention, forward and backward", bytes},
                            {"batch", "heads", "sequence", "head_dim", "on_chip_bytes", "element_bytes"},
                            fused_attention_bytes),
                     result(
                         {"traffic_ratio", "r", "memory traffic reduction", Quantity::number},
                         {"batch", "heads", "sequence", "head_dim", "on_chip_bytes", "element_bytes", "score_passes"},
                         attention_traffic_ratio),
                     result({"plain_forward_bytes", "S_1", "traffic of unfused attention, forward", bytes},
                            {"batch", "heads", "sequence", "head_dim", "element_bytes"}, plain_attention_forward_bytes),
                     result({"fused_forward_bytes", "S_2", "traffic of FlashAttention, forward", bytes},
                            {"batch", "heads", "sequence", "head_dim", "on_chip_bytes", "element_bytes"},
                            fused_attention_forward_bytes),
                     result({"block", "B_c", "keys and values per block", count},
                            {"head_dim", "on_chip_bytes", "element_bytes"}, attention_block),
                     result({"passes", "T_c", "passes over the queries, one per block", count},
                            {"sequence", "head_dim", "on_chip_bytes", "element_bytes"}, attention_block_passes)},
         .source =
             "FlashAttention, arXiv 2205.14135, algorithms 0 to 4 and theorem 2; an A100 has 192 KB per multiprocessor",
         .notes =
             "For GPT-2 medium (batch 64, 16 heads, 1,024 tokens, head dimension 64) the paper measured 40.3 GB "
             "unfused and 4.4 GB fused, forward and backward. The algorithms give 25.2 GB (-37%) and 4.1 GB (-7%). "
             "They omit mask and dropout, whose kernels read and write the scores again: with 18 passes, the result is "
             "40.3 GB."}};
}

} // namespace meshwright::catalogue
