// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/step_terms.h"

#include "formulas/catalogue.h"

namespace meshwright::catalogue {

using namespace formula;
using enum Quantity;

namespace {

Symbol time(std::string_view name, std::string_view letter, std::string_view meaning) {
    return or_zero(amount(seconds, name, letter, meaning));
}
Symbol part(std::string_view name, std::string_view letter, std::string_view meaning) {
    return otherwise(or_zero(amount(share, name, letter, meaning)), 0);
}
Symbol microbatches() {
    return whole("microbatches", "m", "microbatches per step");
}

Formula straggler() {
    return {
        .id = "straggler",
        .title = "Straggler slowdown",
        .topic = topic::step,
        .symbols = {or_zero(amount(share, "loss_per_doubling", "s", "slowdown per doubling beyond eight accelerators")),
                    whole("accelerators", "n", "accelerators that synchronize every step")},
        .results = {result({"factor", "f", "factor by which compute time grows", Quantity::number},
                           {"loss_per_doubling", "accelerators"}, straggler_factor)},
        .source = "Fitted to published runs of the same model on clusters of different sizes"};
}

Formula every() {
    return {.id = "microbatches-of-a-step",
            .title = "Compute time per step",
            .topic = topic::step,
            .symbols = {microbatches(), time("seconds", "t_1", "compute time of one microbatch on the slowest rank"),
                        otherwise(real("factor", "f", "straggler factor", 0, 1e3), 1)},
            .results = {result({"step_seconds", "t", "time of all microbatches per step", seconds},
                               {"microbatches", "seconds", "factor"}, microbatched_seconds)},
            .source = "Every microbatch passes through every stage"};
}

Formula tensor() {
    const Symbol parts = real("parts", "x", "tensor-parallel blocks per layer: attention, feed-forward", 0, 1e3);
    return {.id = "tensor-exposed",
            .title = "Exposed tensor-parallel communication of a layer",
            .topic = topic::step,
            .symbols = {parts, time("gather_seconds", "t_g", "time of one all-gather or reduce-scatter"),
                        part("overlap", "o", "overlapped fraction"),
                        otherwise(time("copy_seconds", "t_y", "time to reorder a tensor"), 0),
                        time("reduce_seconds", "t_a", "time of one all-reduce, without sequence parallelism"),
                        amount(bytes, "bytes", "S", "bytes of the reordered tensor"),
                        amount(bytes_per_second, "memory_rate", "B_m", "sustained memory bandwidth")},
            .results = {result({"forward_seconds", "t", "exposed forward time, with sequence parallelism", seconds},
                               {"parts", "gather_seconds", "overlap", "copy_seconds"}, sequence_forward_seconds),
                        result({"backward_seconds", "t_b", "exposed backward time, with sequence parallelism", seconds},
                               {"parts", "gather_seconds", "overlap", "copy_seconds"}, sequence_backward_seconds),
                        result({"copied_seconds", "t_y'", "time of one copy, which reads and writes", seconds},
                               {"bytes", "memory_rate"}, copy_seconds),
                        result({"reduced_seconds", "t_r", "exposed time per direction, without sequence parallelism",
                                seconds},
                               {"parts", "reduce_seconds"}, tensor_forward_seconds)},
            .source = "Megatron-LM, arXiv 1909.08053, section 3; Korthikanti et al., arXiv 2205.05198, section 4.2.2: "
                      "the input is gathered again for the weight gradient, and half of that all-gather is overlapped",
            .notes = "An all-reduce sends 2 (N - 1) / N of the tensor, not (N - 1) / N: a published accounting of two "
                     "all-reduces per layer omits the factor of 2."};
}

Formula experts() {
    return {.id = "expert-exposed",
            .title = "Exposed expert-parallel communication of a layer",
            .topic = topic::step,
            .symbols = {time("dispatch_seconds", "t_d", "time to dispatch tokens to their experts"),
                        time("gather_seconds", "t_g", "time of the all-gather for expert tensor parallelism"),
                        part("overlap", "o", "overlapped fraction"),
                        time("exposed_seconds", "t_s", "exposed time per microbatch without pairing"),
                        time("rest_seconds", "t_x", "time per microbatch without expert communication")},
            .results = {result({"seconds", "t", "exposed time of dispatch and combine, per direction", seconds},
                               {"dispatch_seconds", "gather_seconds", "overlap"}, expert_exchange_seconds),
                        result({"paired_seconds", "t_p", "exposed time per microbatch when two microbatches are paired",
                                seconds},
                               {"exposed_seconds", "overlap", "rest_seconds"}, paired_exchange_seconds)},
            .source = "GShard, arXiv 2006.16668, section 3; DualPipe's pairing: DeepSeek-V3, arXiv 2412.19437, section "
                      "3.2.1 (9% exposed between microbatches in its published trace)"};
}

Formula ring() {
    return {.id = "ring-exposed",
            .title = "Exposed context-parallel communication of a layer",
            .topic = topic::step,
            .symbols = {amount(tokens, "tokens", "s", "tokens of a microbatch before the sequence is split"),
                        amount(Quantity::number, "kv_width", "w", "key-value heads times the head dimension"),
                        otherwise(amount(bytes, "element_bytes", "e", "bytes per element"), 2),
                        otherwise(real("ways", "t", "ranks that split the key-value heads", 1, 1e6), 1),
                        time("exchange_seconds", "t_e", "time to exchange all keys and values"),
                        time("attention_seconds", "t_a", "attention time that can overlap with the exchange"),
                        otherwise(real("passes", "z",
                                       "number of exchanges: 1 in the forward pass, 2 in the backward pass", 1, 2),
                                  1)},
            .results = {result({"bytes", "S", "bytes of the keys and values of all ranks", bytes},
                               {"tokens", "kv_width", "element_bytes", "ways"}, ring_exchange_bytes),
                        result({"forward_seconds", "t", "exposed time, forward", seconds},
                               {"exchange_seconds", "attention_seconds"}, ring_forward_seconds),
                        result({"backward_seconds", "t_b", "exposed time, backward", seconds},
                               {"exchange_seconds", "attention_seconds"}, ring_backward_seconds),
                        result({"latent_seconds", "t_l", "exposed time to all-gather the latents", seconds},
                               {"exchange_seconds", "passes"}, latent_gather_seconds)},
            .source = "Ring Attention, arXiv 2310.01889, section 3: the ring overlaps with attention; its first step "
                      "is always exposed"};
}

Formula window() {
    return {.id = "traffic-window",
            .title = "Compute that overlaps with data-parallel communication",
            .topic = topic::step,
            .symbols = {time("pass_seconds", "t_p", "time of a microbatch's forward or backward pass"),
                        otherwise(or_zero(amount(share, "share", "x",
                                                 "fraction of the pass that overlaps with communication")),
                                  0.8),
                        microbatches(), whole("stages", "p", "pipeline stages", 1, 1e5),
                        time("backward_seconds", "t_b", "time of a microbatch's backward pass"),
                        time("forward_seconds", "t_f", "time of a microbatch's forward pass"),
                        time("window_seconds", "t_w", "overlap window of the backward pass")},
            .results = {result({"seconds", "t", "overlap window of one pass", seconds}, {"pass_seconds", "share"},
                               pass_window_seconds),
                        result({"chunked_seconds", "t_c",
                                "overlap window with interleaving: half of min(microbatches, stages) passes", seconds},
                               {"pass_seconds", "microbatches", "stages"}, chunk_window_seconds),
                        result({"reduction_seconds", "t_r",
                                "overlap window when gradients are reduced at every microbatch", seconds},
                               {"backward_seconds", "forward_seconds", "window_seconds"}, reduction_window_seconds)},
            .source = "Megatron-LM's overlapped gradient reduction, arXiv 2104.04473, section 3; the fraction is an "
                      "assumption of the model"};
}

Formula data() {
    return {
        .id = "data-exposed",
        .title = "Exposed data-parallel communication",
        .topic = topic::step,
        .symbols = {time("traffic_seconds", "t_t", "all-gather or reduce-scatter time"),
                    time("window_seconds", "t_w", "compute time that can overlap with the communication"),
                    part("exposed_share", "x", "fraction of the communication that is always exposed"),
                    time("pass_seconds", "t_p", "time of a microbatch's forward or backward pass"),
                    otherwise(real("layers", "L", "layers that are gathered one by one", 1, 1e6), 1),
                    time("busy_seconds", "t_b", "time for which the communication occupies intra-node links"),
                    or_zero(amount(bytes, "bytes", "S", "bytes communicated")),
                    amount(bytes_per_second, "bandwidth", "B", "bandwidth of intra-node links"), microbatches(),
                    otherwise(whole("in_a_row", "g", "microbatches per gradient reduction"), 1),
                    whole("times", "n", "number of reductions (ZeRO-2) or microbatches (ZeRO-3)"),
                    time("each_seconds", "t_1", "exposed time of each reduction or microbatch"),
                    time("once_seconds", "t_0", "exposed time of communication that occurs once per step")},
        .results = {result({"seconds", "t", "exposed communication of a pass", seconds},
                           {"traffic_seconds", "window_seconds", "exposed_share"}, exposed_beyond_window),
                    result({"sharded_seconds", "t_s", "exposed communication of a pass with sharded weights", seconds},
                           {"pass_seconds", "traffic_seconds", "layers", "exposed_share", "busy_seconds"},
                           sharded_pass_seconds),
                    result({"busy_links_seconds", "t_l", "time for which the communication occupies intra-node links",
                            seconds},
                           {"traffic_seconds", "bytes", "bandwidth"}, busy_links_seconds),
                    result({"reductions", "n_r", "gradient reductions per step", Quantity::count},
                           {"microbatches", "in_a_row"}, reductions_a_step),
                    result({"step_seconds", "t_a", "exposed communication per step", seconds},
                           {"times", "each_seconds", "once_seconds"}, repeated_seconds)},
        .source = "ZeRO, arXiv 1910.02054, section 7; prefetching: PyTorch FSDP, arXiv 2304.11277, section 3.3"};
}

Formula update() {
    return {
        .id = "optimizer-time",
        .title = "Optimizer step time",
        .topic = topic::step,
        .symbols = {or_zero(amount(parameters, "dense", "P_d", "dense parameters of the rank")),
                    otherwise(or_zero(amount(parameters, "experts", "P_e", "routed-expert parameters of the rank")), 0),
                    otherwise(whole("dense_shards", "N_d", "ranks that shard dense optimizer states"), 1),
                    otherwise(whole("expert_shards", "N_e", "ranks that shard expert optimizer states"), 1),
                    otherwise(whole("copies", "x", "pipeline ranks that hold a copy of the stage"), 1),
                    or_zero(amount(parameters, "parameters", "P", "parameters updated by the rank")),
                    otherwise(amount(bytes, "bytes_per_parameter", "b", "memory traffic per parameter"), 34),
                    amount(bytes_per_second, "memory_rate", "B", "sustained memory bandwidth"),
                    otherwise(time("gap", "g", "device time between two kernels"), 0),
                    otherwise(time("software_seconds", "t_0", "software overhead per step"), 0),
                    otherwise(time("sums_seconds", "t_n", "time to all-reduce the gradient norm and the loss"), 0),
                    time("reduce_seconds", "t_a", "time to all-reduce one number over all ranks")},
        .results = {result(
                        {"seconds", "t", "duration", seconds},
                        {"parameters", "bytes_per_parameter", "memory_rate", "gap", "software_seconds", "sums_seconds"},
                        optimizer_seconds),
                    result({"summed_seconds", "t_n'", "time of two all-reduces: gradient norm, then loss", seconds},
                           {"reduce_seconds"}, step_sums_seconds),
                    result({"updated", "P_u", "parameters updated by a rank", parameters},
                           {"dense", "experts", "dense_shards", "expert_shards", "copies"}, updated_parameters)},
        .source =
            "Derived by counting the reads and writes of AdamW's update. Shards: ZeRO, arXiv 1910.02054, section 5.1"};
}

Formula sends() {
    return {
        .id = "schedule-sends",
        .title = "Send time added to a schedule",
        .topic = topic::pipeline,
        .symbols = {otherwise(real("hops", "x", "traversals of the pipeline", 0, 100), 2),
                    whole("stages", "p", "pipeline stages", 1, 1e5),
                    otherwise(whole("chunks", "v", "chunks per rank", 1, 1e4), 1),
                    amount(seconds, "hop", "c", "time of one send between stages"), microbatches()},
        .results = {result({"seconds", "t", "send time in warm-up and drain", seconds},
                           {"hops", "stages", "chunks", "hop"}, fill_send_seconds),
                    result({"chunked_seconds", "t_c", "send time with interleaving, without overlap", seconds},
                           {"microbatches", "chunks", "hop"}, chunk_send_seconds)},
        .source =
            "Derived: in warm-up and drain, ranks wait while a microbatch traverses the pipeline forward and backward"};
}

Formula shares() {
    return {.id = "pipeline-idle",
            .title = "Pipeline idle fractions",
            .topic = topic::pipeline,
            .symbols = {time("bubble_seconds", "t_b", "bubble of the schedule"),
                        time("send_seconds", "t_s", "exposed sends"),
                        time("idle_seconds", "t_i", "idle time of the busiest rank within the makespan"),
                        amount(seconds, "makespan_seconds", "T", "makespan of the pipeline"),
                        time("span_idle_seconds", "t_x", "idle time within the busiest rank's span")},
            .results = {result({"idle", "t", "idle time of the busiest rank within the makespan", seconds},
                               {"bubble_seconds", "send_seconds"}, waiting_seconds),
                        result({"of_ideal", "r", "idle time / ideal time", share}, {"idle_seconds", "makespan_seconds"},
                               idle_of_ideal_share),
                        result({"of_total", "b", "idle time / total time", share}, {"idle_seconds", "makespan_seconds"},
                               idle_of_makespan_share),
                        result({"of_span", "b_s", "idle time / span of the busiest rank", share},
                               {"idle_seconds", "makespan_seconds", "span_idle_seconds"}, idle_of_span_share)},
            .source = "Narayanan et al., arXiv 2104.04473, section 2.2; GPipe, arXiv 1811.06965; zero bubble, arXiv "
                      "2401.10241, for the span"};
}

} // namespace

std::vector<Formula> step_formulas() {
    return {straggler(), every(), tensor(), experts(), ring(), window(), data(), update(), sends(), shares()};
}

} // namespace meshwright::catalogue
