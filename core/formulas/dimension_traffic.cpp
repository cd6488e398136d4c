// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/dimension_traffic.h"

#include "formulas/catalogue.h"

namespace meshwright::catalogue {

using namespace formula;
using enum Quantity;

namespace {

Symbol ways(std::string_view name, std::string_view letter, std::string_view meaning) {
    return otherwise(whole(name, letter, meaning, 1, 1e6), 1);
}

std::vector<Symbol> shape() {
    return {
        amount(parameters, "parameters", "P",
               "parameters replicated on all data-parallel ranks, excluding routed experts"),
        whole("layers", "L", "layers", 1, 1e6),
        whole("hidden", "h", "hidden size"),
        whole("kv_width", "h_k", "key-value heads times head dimension"),
        whole("sequence", "s", "sequence length in tokens"),
        otherwise(whole("micro_batch", "b", "sequences per microbatch"), 1),
        whole("microbatches", "m", "microbatches per step"),
        ways("tensor", "t", "tensor-parallel ranks"),
        ways("context", "c", "context-parallel ranks"),
        ways("expert", "e", "expert-parallel ranks, a subset of the data-parallel ranks"),
        ways("pipeline", "p", "pipeline stages"),
        ways("data", "d", "data-parallel ranks"),
        ways("chunks", "v", "chunks per pipeline rank"),
        ways("experts_per_token", "k", "experts per token"),
        otherwise(amount(bytes, "element_bytes", "b_e", "bytes per activation"), 2),
        otherwise(amount(bytes, "gradient_bytes", "b_g", "bytes per gradient"), 2),
        otherwise(whole("accelerators_per_node", "A", "accelerators per node", 1, 1e6), 8),
        amount(bytes_per_second, "node_bandwidth", "B_1", "intra-node bandwidth per accelerator, one direction"),
        amount(bytes_per_second, "network_bandwidth", "B_2", "inter-node bandwidth per accelerator, one direction")};
}

std::vector<FormulaResult> amounts() {
    return {result({"tensor_bytes", "S_t", "tensor-parallel bytes sent per rank and step", bytes},
                   {"layers", "hidden", "sequence", "micro_batch", "microbatches", "tensor", "context", "pipeline",
                    "element_bytes"},
                   tensor_step_bytes),
            result({"context_bytes", "S_c", "context-parallel bytes sent per rank and step", bytes},
                   {"layers", "kv_width", "sequence", "micro_batch", "microbatches", "tensor", "context", "pipeline",
                    "element_bytes"},
                   context_step_bytes),
            result({"expert_bytes", "S_e",
                    "expert-parallel bytes sent per rank and step, with routed experts in every layer", bytes},
                   {"layers", "hidden", "sequence", "micro_batch", "microbatches", "tensor", "context", "pipeline",
                    "expert", "experts_per_token", "element_bytes"},
                   expert_step_bytes),
            result({"pipeline_bytes", "S_p", "pipeline-parallel bytes sent per rank and step by an inner stage", bytes},
                   {"hidden", "sequence", "micro_batch", "microbatches", "tensor", "context", "pipeline", "chunks",
                    "element_bytes"},
                   pipeline_step_bytes),
            result({"data_bytes", "S_d", "data-parallel bytes sent per rank and step", bytes},
                   {"parameters", "tensor", "context", "pipeline", "data", "gradient_bytes"}, data_step_bytes)};
}

std::vector<FormulaResult> times() {
    return {result({"tensor_seconds", "t_t", "tensor-parallel communication time without overlap", seconds},
                   {"layers", "hidden", "sequence", "micro_batch", "microbatches", "tensor", "context", "pipeline",
                    "element_bytes", "accelerators_per_node", "node_bandwidth", "network_bandwidth"},
                   tensor_step_seconds),
            result({"context_seconds", "t_c", "context-parallel communication time", seconds},
                   {"layers", "kv_width", "sequence", "micro_batch", "microbatches", "tensor", "context", "pipeline",
                    "element_bytes", "accelerators_per_node", "node_bandwidth", "network_bandwidth"},
                   context_step_seconds),
            result({"expert_seconds", "t_e", "expert-parallel communication time", seconds},
                   {"layers", "hidden", "sequence", "micro_batch", "microbatches", "tensor", "context", "pipeline",
                    "expert", "experts_per_token", "element_bytes", "accelerators_per_node", "node_bandwidth",
                    "network_bandwidth"},
                   expert_step_seconds),
            result({"pipeline_seconds", "t_p", "pipeline-parallel communication time", seconds},
                   {"hidden", "sequence", "micro_batch", "microbatches", "tensor", "context", "expert", "pipeline",
                    "chunks", "element_bytes", "accelerators_per_node", "node_bandwidth", "network_bandwidth"},
                   pipeline_step_seconds),
            result({"data_seconds", "t_d", "data-parallel communication time", seconds},
                   {"parameters", "tensor", "context", "pipeline", "data", "gradient_bytes", "accelerators_per_node",
                    "node_bandwidth", "network_bandwidth"},
                   data_step_seconds)};
}

} // namespace

std::vector<Formula> dimension_traffic_formulas() {
    std::vector<FormulaResult> results = amounts();
    for (FormulaResult &one : times())
        results.push_back(std::move(one));
    return {{.id = "dimension-traffic",
             .title = "Traffic of each dimension of parallelism",
             .topic = topic::communication,
             .symbols = shape(),
             .results = std::move(results),
             .source = "Tensor: Megatron-LM, arXiv 1909.08053, section 3; context: Ring Attention, arXiv 2310.01889, "
                       "section 3; expert: GShard, arXiv 2006.16668, section 3; pipeline: Narayanan et al., arXiv "
                       "2104.04473, section 4.1; data: Patarasuk and Yuan 2009; placement: Llama 3, arXiv 2407.21783, "
                       "section 3.3.2",
             .notes = "The rank order, from innermost to outermost, is tensor, context, expert, pipeline, data. A "
                      "dimension whose ranks are all in one node uses intra-node bandwidth. Unlike data-parallel "
                      "traffic, tensor-parallel traffic cannot overlap with computation."}};
}

} // namespace meshwright::catalogue
