// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/plan_figures.h"

#include "formulas/catalogue.h"

namespace meshwright::catalogue {

using namespace formula;
using enum Quantity;

namespace {

Symbol steps() {
    return real("steps", "n", "optimizer steps per site", 0, 1e15);
}

Formula forward() {
    return {
        .id = "forward-flops",
        .title = "FLOPs per token, matrix by matrix",
        .topic = topic::compute,
        .symbols = {whole("inputs", "k", "input features of a weight matrix"),
                    whole("outputs", "n", "output features of the matrix"),
                    otherwise(whole("copies", "x", "copies of the matrix applied to each token"), 1),
                    real("keys", "s_k", "mean number of keys that a token attends to", 0, 1e15),
                    real("width", "w", "heads times the sum of query and value head dimensions", 0, 1e12),
                    amount(tokens, "sequence", "s", "sequence length in tokens"),
                    otherwise(flag("causal", "c", "1: count only scores that the causal mask keeps; 0: count all"), 1),
                    or_zero(amount(flops, "matrix_flops", "F_w", "forward FLOPs of all weight matrices")),
                    or_zero(amount(flops, "attention_flops", "F_a", "forward FLOPs of attention in all layers"))},
        .results = {result({"flops", "c", "forward and backward FLOPs", flops}, {"matrix_flops", "attention_flops"},
                           trained_token_flops),
                    result({"weight_flops", "F", "forward FLOPs of one matrix", flops}, {"inputs", "outputs", "copies"},
                           weight_flops),
                    result({"core_flops", "F_s", "forward FLOPs of one layer's attention core", flops},
                           {"keys", "width"}, attention_token_flops),
                    result({"index_flops", "F_i", "forward FLOPs of one layer's key selection", flops},
                           {"sequence", "width", "causal"}, index_token_flops)},
        .source = "Kaplan et al., arXiv 2001.08361, section 2.1; attention: PaLM, arXiv 2204.02311, appendix B; key "
                  "selection: DeepSeek-V3.2, section 2.1",
        .notes = "The backward pass takes twice the forward FLOPs. The LM head is counted; embedding lookups are not."};
}

Formula of_step() {
    return {
        .id = "step-flops",
        .title = "FLOPs per step",
        .topic = topic::compute,
        .symbols = {or_zero(amount(flops, "flops_per_token", "c", "FLOPs per token, forward and backward")),
                    amount(tokens, "batch_tokens", "B", "tokens per step"),
                    or_zero(amount(flops, "flops", "F", "model FLOPs per step")),
                    otherwise(or_zero(amount(flops, "recomputed_per_token", "r", "recomputed forward FLOPs per token")),
                              0)},
        .results = {result({"step_flops", "F", "model FLOPs", flops}, {"flops_per_token", "batch_tokens"}, step_flops),
                    result({"hardware_flops", "F_h", "hardware FLOPs, including recomputation", flops},
                           {"flops", "recomputed_per_token", "batch_tokens"}, hardware_step_flops)},
        .source = "Definition"};
}

Formula rates() {
    return {
        .id = "step-rates",
        .title = "Rates from the step time",
        .topic = topic::compute,
        .symbols = {amount(flops, "flops", "F", "model FLOPs per step"), amount(seconds, "seconds", "t", "step time"),
                    whole("accelerators", "n", "accelerators of the site"),
                    in("1/s", amount(Quantity::number, "tokens_per_second", "v", "tokens per second of the site")),
                    otherwise(real("factor", "f", "bound of the step time's interval / predicted step time", 1e-3, 1e3),
                              1)},
        .results = {result({"flops_per_second", "q", "model FLOP/s per accelerator", flops_per_second},
                           {"flops", "seconds", "accelerators"}, achieved_flops_per_second),
                    in("1/s",
                       result({"tokens_per_second_each", "v_1", "tokens per second per accelerator", Quantity::number},
                              {"tokens_per_second", "accelerators"}, tokens_per_second_each)),
                    result({"interval_end", "t_x", "bound of the step time interval", seconds}, {"seconds", "factor"},
                           interval_end)},
        .source = "Definitions; the interval's factors are quantiles of the errors on measured runs"};
}

Formula fitting() {
    return {
        .id = "fit-probability",
        .title = "Probability that a plan fits",
        .topic = topic::memory,
        .symbols = {amount(bytes, "capacity_bytes", "C", "memory capacity of the accelerator"),
                    amount(bytes, "peak_bytes", "M", "predicted peak memory"),
                    amount(bytes, "end_bytes", "M_x",
                           "lower or upper bound of the peak's 80% interval, whichever is closer to the capacity")},
        .results = {result({"probability", "p", "probability that the measured peak stays below the capacity", share},
                           {"capacity_bytes", "peak_bytes", "end_bytes"}, fit_probability)},
        .source = "Logistic distribution of ln(measured / predicted), with 10% of the probability beyond each end of "
                  "the 80% interval (odds of 9 to 1)",
        .notes = "Of 1,385 measured peaks, each predicted with its own source held out, 83% lie below their "
                 "predicted 90% quantile and 96% below their 99% quantile (94% with a normal distribution)."};
}

Formula duration() {
    return {.id = "run-time",
            .title = "Duration of a run",
            .topic = topic::compute,
            .symbols = {amount(tokens, "tokens", "D", "tokens of the run"),
                        amount(tokens, "batch_tokens", "B", "tokens per step of one site"),
                        otherwise(whole("sites", "M", "sites that train"), 1), steps(),
                        or_zero(amount(seconds, "step_seconds", "t", "time of a step or of an outer round")),
                        otherwise(whole("inner_steps", "H", "inner steps per outer round"), 1),
                        or_zero(amount(seconds, "training_seconds", "T_0", "training time without failures")),
                        otherwise(amount(share, "goodput", "g",
                                         "fraction of the run time not lost to failures and checkpoints"),
                                  1),
                        or_zero(amount(seconds, "seconds", "T", "duration of the run"))},
            .results = {result({"steps_of_a_site", "n", "optimizer steps per site", Quantity::number},
                               {"tokens", "batch_tokens", "sites"}, site_steps),
                        result({"rounds", "R", "outer rounds", Quantity::number}, {"steps", "inner_steps"},
                               rounds_of_steps),
                        result({"without_failures", "T_0", "training time without failures", seconds},
                               {"steps", "step_seconds"}, all_steps_seconds),
                        result({"run_seconds", "T", "duration with failures and checkpoints", seconds},
                               {"training_seconds", "goodput"}, run_seconds),
                        in("days", result({"days", "T_d", "duration in days", seconds}, {"seconds"}, days_of_seconds))},
            .source = "Definition"};
}

Formula blocking() {
    return {.id = "blocking-write",
            .title = "Blocking part of a checkpoint write",
            .topic = topic::checkpoints_and_failures,
            .symbols = {or_zero(amount(seconds, "write_seconds", "w", "time to write one checkpoint")),
                        otherwise(or_zero(amount(share, "blocking_share", "x",
                                                 "fraction of the write time that blocks training")),
                                  1)},
            .results = {result({"seconds", "t", "time for which training is blocked", seconds},
                               {"write_seconds", "blocking_share"}, blocking_write_seconds)},
            .source = "CheckFreq, FAST 2021: asynchronous checkpoints copy the state first and write it while training "
                      "continues"};
}

Formula power() {
    return {.id = "mean-power",
            .title = "Mean power per accelerator",
            .topic = topic::cost_and_energy,
            .symbols = {amount(watts, "rated_watts", "W_0", "rated power"),
                        otherwise(real("power_share", "x", "mean power draw / rated power", 0, 10), 1)},
            .results = {result({"watts", "W", "mean power", watts}, {"rated_watts", "power_share"}, mean_power_watts)},
            .source = "Definition"};
}

Formula round() {
    return {.id = "round-time",
            .title = "Outer round and link load",
            .topic = topic::diloco,
            .symbols = {amount(seconds, "inner_seconds", "t_i", "compute time per round"),
                        otherwise(or_zero(amount(seconds, "stall_seconds", "t_w", "stall time per round")), 0),
                        or_zero(amount(bytes, "bytes", "S", "bytes sent over the link per round")),
                        amount(bits_per_second, "bits_per_second", "b", "rate of the link"),
                        amount(seconds, "round_seconds", "T", "time per round")},
            .results = {result({"seconds", "T", "time per round", seconds}, {"inner_seconds", "stall_seconds"},
                               outer_round_seconds),
                        result({"load", "u", "fraction of the round in which the link is busy", share},
                               {"bytes", "bits_per_second", "round_seconds"}, link_load)},
            .source = "Definition"};
}

} // namespace

std::vector<Formula> figure_formulas() {
    return {forward(), of_step(), rates(), fitting(), duration(), blocking(), power(), round()};
}

} // namespace meshwright::catalogue
