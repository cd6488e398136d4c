// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/step_terms.h"

#include "formulas/catalogue.h"

namespace meshwright::catalogue {

using namespace formula;
using enum Quantity;

namespace {

constexpr std::string_view topic = "Step";

Symbol time(std::string_view name, std::string_view letter, std::string_view meaning) {
    return or_zero(amount(seconds, name, letter, meaning));
}
Symbol part(std::string_view name, std::string_view letter, std::string_view meaning) {
    return otherwise(or_zero(amount(share, name, letter, meaning)), 0);
}
Symbol microbatches() {
    return whole("microbatches", "m", "microbatches of a step");
}

Formula straggler() {
    return {.id = "straggler",
            .title = "Waiting for the slowest of many",
            .topic = topic,
            .symbols = {or_zero(amount(share, "loss_per_doubling", "s", "loss for each doubling beyond eight")),
                        whole("accelerators", "n", "accelerators that wait for each other")},
            .results = {result({"factor", "f", "on the time of computing", Quantity::number,
                                "1 + loss_per_doubling * log2(max(1, accelerators / 8))"},
                               {"loss_per_doubling", "accelerators"}, straggler_factor)},
            .source = "Fitted to published runs of one model on growing clusters"};
}

Formula every() {
    return {.id = "microbatches-of-a-step",
            .title = "What every microbatch takes",
            .topic = topic,
            .symbols = {microbatches(), time("seconds", "t_1", "of one microbatch on the slowest rank"),
                        otherwise(real("factor", "f", "on it, for stragglers", 0, 1e3), 1)},
            .results = {result({"step_seconds", "t", "over the step", seconds, "microbatches * seconds * factor"},
                               {"microbatches", "seconds", "factor"}, microbatched_seconds)},
            .source = "Every microbatch passes every stage"};
}

Formula tensor() {
    const Symbol parts = real("parts", "x", "split parts of a layer: attention, feed-forward", 0, 1e3);
    return {
        .id = "tensor-exposed",
        .title = "Tensor-parallel traffic of a layer",
        .topic = topic,
        .symbols = {parts, time("gather_seconds", "t_g", "one all-gather or reduce-scatter"),
                    part("overlap", "o", "share of them that is hidden"),
                    otherwise(time("copy_seconds", "t_y", "copying a tensor into its order"), 0),
                    time("reduce_seconds", "t_a", "one all-reduce, without sequence parallelism"),
                    amount(bytes, "bytes", "S", "a tensor that is copied"),
                    amount(bytes_per_second, "memory_rate", "B_m", "sustained memory bandwidth")},
        .results = {result({"forward_seconds", "t", "forward, sequence parallel", seconds,
                            "2 * parts * (gather_seconds * (1 - overlap) + copy_seconds)"},
                           {"parts", "gather_seconds", "overlap", "copy_seconds"}, sequence_forward_seconds),
                    result({"backward_seconds", "t_b", "backward, sequence parallel", seconds,
                            "2.5 * parts * (gather_seconds * (1 - overlap) + copy_seconds)"},
                           {"parts", "gather_seconds", "overlap", "copy_seconds"}, sequence_backward_seconds),
                    result({"copied_seconds", "t_y'", "one copy: read and written", seconds, "2 * bytes / memory_rate"},
                           {"bytes", "memory_rate"}, copy_seconds),
                    result({"reduced_seconds", "t_r", "each direction without sequence parallelism", seconds,
                            "parts * reduce_seconds"},
                           {"parts", "reduce_seconds"}, tensor_forward_seconds)},
        .source = "Megatron-LM, arXiv 1909.08053, section 3; Korthikanti and others, arXiv 2205.05198, section "
                  "4.2.2: the input is gathered again for weight gradients, half of it hidden",
        .notes = "An all-reduce sends 2 (N - 1) / N of the tensor, not (N - 1) / N: a published accounting of two "
                 "all-reduces a layer lacks the factor 2."};
}

Formula experts() {
    return {.id = "expert-exposed",
            .title = "Expert-parallel traffic of a layer",
            .topic = topic,
            .symbols = {time("dispatch_seconds", "t_d", "tokens to their experts"),
                        time("gather_seconds", "t_g", "gathering for expert tensor parallelism"),
                        part("overlap", "o", "share that is hidden"),
                        time("exposed_seconds", "t_s", "seen of a microbatch with that overlap"),
                        time("rest_seconds", "t_x", "everything else of a microbatch")},
            .results = {result({"seconds", "t", "seen in one direction: there and back", seconds,
                                "(2 * dispatch_seconds + 2 * gather_seconds) * (1 - overlap)"},
                               {"dispatch_seconds", "gather_seconds", "overlap"}, expert_exchange_seconds),
                        result({"paired_seconds", "t_p", "of a microbatch, two microbatches side by side", seconds,
                                "min(exposed_seconds, max(0, 1.09 * max(rest_seconds,"
                                " exposed_seconds / max(0.05, 1 - overlap)) - rest_seconds))"},
                               {"exposed_seconds", "overlap", "rest_seconds"}, paired_exchange_seconds)},
            .source = "GShard, arXiv 2006.16668, section 3; DualPipe's pairing: DeepSeek-V3, arXiv 2412.19437, "
                      "section 3.2.1, with 9 % for the seams from its published trace"};
}

Formula ring() {
    return {.id = "ring-exposed",
            .title = "Context-parallel traffic of a layer",
            .topic = topic,
            .symbols = {amount(tokens, "tokens", "s", "tokens of a microbatch before they are split"),
                        amount(Quantity::number, "kv_width", "w", "key-value heads times the width of a head"),
                        otherwise(amount(bytes, "element_bytes", "e", "bytes of an element"), 2),
                        otherwise(real("ways", "t", "ranks that share the key-value heads", 1, 1e6), 1),
                        time("exchange_seconds", "t_e", "gathering them all"),
                        time("attention_seconds", "t_a", "attention beside it"),
                        otherwise(real("passes", "z", "1 forward, 2 backward", 1, 2), 1)},
            .results = {result({"bytes", "S", "keys and values of all ranks", bytes,
                                "2 * tokens * kv_width * element_bytes / ways"},
                               {"tokens", "kv_width", "element_bytes", "ways"}, ring_exchange_bytes),
                        result({"forward_seconds", "t", "seen forward", seconds,
                                "max(exchange_seconds / 4, exchange_seconds - attention_seconds)"},
                               {"exchange_seconds", "attention_seconds"}, ring_forward_seconds),
                        result({"backward_seconds", "t_b", "seen backward", seconds,
                                "max(exchange_seconds / 2, 2 * exchange_seconds - attention_seconds)"},
                               {"exchange_seconds", "attention_seconds"}, ring_backward_seconds),
                        result({"latent_seconds", "t_l", "seen where latents are gathered", seconds,
                                "passes * exchange_seconds / 2"},
                               {"exchange_seconds", "passes"}, latent_gather_seconds)},
            .source = "Ring Attention, arXiv 2310.01889, section 3: the ring turns beside attention; its first step is "
                      "always seen"};
}

Formula window() {
    return {.id = "traffic-window",
            .title = "Work that data-parallel traffic hides behind",
            .topic = topic,
            .symbols = {time("pass_seconds", "t_p", "one microbatch's forward or backward pass"),
                        otherwise(or_zero(amount(share, "share", "x", "of it that hides traffic")), 0.8),
                        microbatches(), whole("stages", "p", "pipeline stages", 1, 1e5),
                        time("backward_seconds", "t_b", "backward pass of a microbatch"),
                        time("forward_seconds", "t_f", "forward pass of a microbatch"),
                        time("window_seconds", "t_w", "window of the backward pass")},
            .results = {result({"seconds", "t", "window of one pass", seconds, "share * pass_seconds"},
                               {"pass_seconds", "share"}, pass_window_seconds),
                        result({"chunked_seconds", "t_c", "with chunks: half of a round of microbatches", seconds,
                                "0.5 * min(microbatches, stages) * pass_seconds"},
                               {"pass_seconds", "microbatches", "stages"}, chunk_window_seconds),
                        result({"reduction_seconds", "t_r", "where every microbatch is reduced", seconds,
                                "min(backward_seconds + forward_seconds / 2, window_seconds)"},
                               {"backward_seconds", "forward_seconds", "window_seconds"}, reduction_window_seconds)},
            .source =
                "Megatron-LM's overlapped gradient reduction, arXiv 2104.04473, section 3; the share is a constant "
                "of the registry"};
}

Formula data() {
    return {.id = "data-exposed",
            .title = "Data-parallel traffic that is seen",
            .topic = topic,
            .symbols = {time("traffic_seconds", "t_t", "gathering or reducing"),
                        time("window_seconds", "t_w", "work that it hides behind"),
                        part("exposed_share", "x", "share that is seen in any case"),
                        time("pass_seconds", "t_p", "one microbatch's pass"),
                        otherwise(real("layers", "L", "layers that are gathered one by one", 1, 1e6), 1),
                        time("busy_seconds", "t_b", "that traffic keeps links inside a server busy"),
                        or_zero(amount(bytes, "bytes", "S", "that it carries")),
                        amount(bytes_per_second, "bandwidth", "B", "of links inside a server"), microbatches(),
                        otherwise(whole("in_a_row", "g", "microbatches that one chunk runs in a row"), 1),
                        whole("times", "n", "reductions (ZeRO-2) or microbatches (ZeRO-3)"),
                        time("each_seconds", "t_1", "seen at each of them"),
                        time("once_seconds", "t_0", "seen once a step")},
            .results = {result({"seconds", "t", "seen of traffic beside a pass", seconds,
                                "max(exposed_share * traffic_seconds, traffic_seconds - window_seconds)"},
                               {"traffic_seconds", "window_seconds", "exposed_share"}, beside_seconds),
                        result({"sharded_seconds", "t_s", "seen of a pass with sharded weights", seconds,
                                "max(0, traffic_seconds - pass_seconds) + traffic_seconds / layers"
                                " + exposed_share * min(pass_seconds, busy_seconds)"},
                               {"pass_seconds", "traffic_seconds", "layers", "exposed_share", "busy_seconds"},
                               sharded_pass_seconds),
                        result({"busy_links_seconds", "t_l", "in which it takes multiprocessors and memory", seconds,
                                "min(traffic_seconds, bytes / bandwidth)"},
                               {"traffic_seconds", "bytes", "bandwidth"}, busy_links_seconds),
                        result({"reductions", "n_r", "reductions of gradients in a step", Quantity::count,
                                "ceil(microbatches / in_a_row)"},
                               {"microbatches", "in_a_row"}, reductions_a_step),
                        result({"step_seconds", "t_a", "over the step", seconds, "times * each_seconds + once_seconds"},
                               {"times", "each_seconds", "once_seconds"}, repeated_seconds)},
            .source =
                "ZeRO, arXiv 1910.02054, section 7; gathering ahead: PyTorch FSDP, arXiv 2304.11277, section 3.3"};
}

Formula update() {
    return {.id = "optimizer-time",
            .title = "Time of the optimizer",
            .topic = topic,
            .symbols = {or_zero(amount(parameters, "dense", "P_d", "dense parameters of the rank")),
                        otherwise(or_zero(amount(parameters, "experts", "P_e", "routed-expert parameters of it")), 0),
                        otherwise(whole("dense_shards", "N_d", "ranks that share dense states"), 1),
                        otherwise(whole("expert_shards", "N_e", "ranks that share expert states"), 1),
                        otherwise(whole("copies", "x", "ranks of a pipeline that hold the stage"), 1),
                        or_zero(amount(parameters, "parameters", "P", "parameters that the rank updates")),
                        otherwise(amount(bytes, "bytes_per_parameter", "b", "memory traffic for each"), 34),
                        amount(bytes_per_second, "memory_rate", "B", "sustained memory bandwidth"),
                        otherwise(time("gap", "g", "device time between two kernels"), 0),
                        otherwise(time("software_seconds", "t_0", "what the software does once a step"), 0),
                        otherwise(time("sums_seconds", "t_n", "summing the gradients' norm and the loss"), 0),
                        time("reduce_seconds", "t_a", "one number, all-reduced over all ranks")},
            .results = {result({"seconds", "t", "duration", seconds,
                                "(parameters * bytes_per_parameter > 0"
                                " ? parameters * bytes_per_parameter / memory_rate + gap : 0) + software_seconds"
                                " + sums_seconds"},
                               {"parameters", "bytes_per_parameter", "memory_rate", "gap", "software_seconds",
                                "sums_seconds"},
                               optimizer_seconds),
                        result({"summed_seconds", "t_n'", "the gradients' norm and the loss, one after the other",
                                seconds, "2 * reduce_seconds"},
                               {"reduce_seconds"}, step_sums_seconds),
                        result({"updated", "P_u", "parameters that a rank updates", parameters,
                                "(dense / dense_shards + experts / expert_shards) / copies"},
                               {"dense", "experts", "dense_shards", "expert_shards", "copies"}, updated_parameters)},
            .source = "Counted from AdamW's update rule; shards: ZeRO, arXiv 1910.02054, section 5.1"};
}

Formula sends() {
    return {.id = "schedule-sends",
            .title = "What sends add to a schedule",
            .topic = "Pipeline",
            .symbols = {otherwise(real("hops", "x", "times that the line is crossed", 0, 100), 2),
                        whole("stages", "p", "pipeline stages", 1, 1e5),
                        otherwise(whole("chunks", "v", "chunks a rank", 1, 1e4), 1),
                        amount(seconds, "hop", "c", "one send between stages"), microbatches()},
            .results = {result({"seconds", "t", "filling and draining", seconds, "hops * (stages * chunks - 1) * hop"},
                               {"hops", "stages", "chunks", "hop"}, fill_send_seconds),
                        result({"chunked_seconds", "t_c", "interleaving without overlap", seconds,
                                "2 * microbatches * chunks * hop"},
                               {"microbatches", "chunks", "hop"}, chunk_send_seconds)},
            .source = "Derived: a microbatch crosses the line of stages forward and backward while ranks wait"};
}

Formula shares() {
    return {.id = "pipeline-idle",
            .title = "What ranks wait, as shares",
            .topic = "Pipeline",
            .symbols = {time("bubble_seconds", "t_b", "bubble of the schedule"),
                        time("send_seconds", "t_s", "sends that no order hides"),
                        time("idle_seconds", "t_i", "waiting in the makespan"),
                        amount(seconds, "makespan_seconds", "T", "of the pipeline"),
                        time("span_idle_seconds", "t_x", "waiting inside the busiest rank's span")},
            .results = {result({"idle", "t", "waiting in the makespan", seconds, "bubble_seconds + send_seconds"},
                               {"bubble_seconds", "send_seconds"}, waiting_seconds),
                        result({"of_ideal", "r", "of ideal time", share,
                                "idle_seconds / (makespan_seconds - idle_seconds)"},
                               {"idle_seconds", "makespan_seconds"}, idle_of_ideal_share),
                        result({"of_total", "b", "of total time", share, "idle_seconds / makespan_seconds"},
                               {"idle_seconds", "makespan_seconds"}, idle_of_makespan_share),
                        result({"of_span", "b_s", "of the busiest rank's span", share,
                                "span_idle_seconds / (makespan_seconds - idle_seconds + span_idle_seconds)"},
                               {"idle_seconds", "makespan_seconds", "span_idle_seconds"}, idle_of_span_share)},
            .source =
                "Narayanan and others, arXiv 2104.04473, section 2.2; GPipe, arXiv 1811.06965; zero bubble, arXiv "
                "2401.10241, for the span"};
}

} // namespace

std::vector<Formula> step_formulas() {
    return {straggler(), every(), tensor(), experts(), ring(), window(), data(), update(), sends(), shares()};
}

} // namespace meshwright::catalogue
