// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/plan_figures.h"

#include "formulas/catalogue.h"

namespace meshwright::catalogue {

using namespace formula;
using enum Quantity;

namespace {

Symbol steps() {
    return real("steps", "n", "optimizer steps of a site", 0, 1e15);
}

Formula forward() {
    return {
        .id = "forward-flops",
        .title = "FLOPs of one token, matrix by matrix",
        .topic = "Compute",
        .symbols = {whole("inputs", "k", "inputs of a weight matrix"), whole("outputs", "n", "outputs of the matrix"),
                    otherwise(whole("copies", "x", "of the matrix that a token passes"), 1),
                    real("keys", "s_k", "keys that a token sees on average", 0, 1e15),
                    real("width", "w", "heads times the widths of a query and of a value together", 0, 1e12),
                    amount(tokens, "sequence", "s", "tokens of a sequence"),
                    otherwise(flag("causal", "c", "count only what the causal mask leaves"), 1),
                    or_zero(amount(flops, "matrix_flops", "F_w", "all weight matrices, forward")),
                    or_zero(amount(flops, "attention_flops", "F_a", "attention of all layers, forward"))},
        .results = {result({"flops", "c", "forward and backward", flops, "3 * (matrix_flops + attention_flops)"},
                           {"matrix_flops", "attention_flops"}, trained_token_flops),
                    result({"weight_flops", "F", "one matrix, forward", flops, "2 * flop * inputs * outputs * copies"},
                           {"inputs", "outputs", "copies"}, weight_flops),
                    result({"core_flops", "F_s", "one layer's scores and their use, forward", flops,
                            "2 * flop * keys * width"},
                           {"keys", "width"}, attention_token_flops),
                    result({"index_flops", "F_i", "choosing one layer's keys, forward", flops,
                            "(2 - causal) * flop * sequence * width"},
                           {"sequence", "width", "causal"}, index_token_flops)},
        .source = "Kaplan and others, arXiv 2001.08361, section 2.1; attention: PaLM, arXiv 2204.02311, appendix B; "
                  "chosen keys: DeepSeek-V3.2, section 2.1",
        .notes = "Twice as much backward as forward. The LM head counts, embedding look-ups do not."};
}

Formula of_step() {
    return {.id = "step-flops",
            .title = "FLOPs of a step",
            .topic = "Compute",
            .symbols = {or_zero(amount(flops, "flops_per_token", "c", "of one token, forward and backward")),
                        amount(tokens, "batch_tokens", "B", "tokens of a step"),
                        or_zero(amount(flops, "flops", "F", "model FLOPs of the step")),
                        otherwise(or_zero(amount(flops, "recomputed_per_token", "r", "forward work done again")), 0)},
            .results = {result({"step_flops", "F", "model FLOPs", flops, "flops_per_token * batch_tokens"},
                               {"flops_per_token", "batch_tokens"}, step_flops),
                        result({"hardware_flops", "F_h", "with recomputation", flops,
                                "flops + recomputed_per_token * batch_tokens"},
                               {"flops", "recomputed_per_token", "batch_tokens"}, hardware_step_flops)},
            .source = "Definition"};
}

Formula rates() {
    return {.id = "step-rates",
            .title = "What a step's time means",
            .topic = "Compute",
            .symbols = {amount(flops, "flops", "F", "model FLOPs of the step"),
                        amount(seconds, "seconds", "t", "time of the step"),
                        whole("accelerators", "n", "accelerators of the site"),
                        in("1/s", amount(Quantity::number, "tokens_per_second", "v", "tokens a second of the site")),
                        otherwise(real("factor", "f", "an interval's end over the estimate", 1e-3, 1e3), 1)},
            .results = {result({"flops_per_second", "q", "model FLOPs a second of each accelerator", flops_per_second,
                                "flops / seconds / accelerators"},
                               {"flops", "seconds", "accelerators"}, achieved_flops_per_second),
                        in("1/s",
                           result({"tokens_per_second_each", "v_1", "tokens a second of each", Quantity::number,
                                   "tokens_per_second / accelerators"},
                                  {"tokens_per_second", "accelerators"}, tokens_per_second_each)),
                        result({"interval_end", "t_x", "end of the interval", seconds, "seconds * factor"},
                               {"seconds", "factor"}, interval_end)},
            .source = "Definitions; the interval's factors are quantiles of errors on measured runs"};
}

Formula fitting() {
    return {.id = "fit-probability",
            .title = "Probability that a plan fits",
            .topic = "Memory",
            .symbols = {amount(bytes, "capacity_bytes", "C", "memory of the accelerator"),
                        amount(bytes, "peak_bytes", "M", "predicted peak"),
                        amount(bytes, "end_bytes", "M_x",
                               "end of the peak's 80 % interval on the capacity's side of the peak")},
            .results = {result({"probability", "p", "that the measured peak stays below the capacity", share,
                                "1 / (1 + 9 ^ (-ln(capacity_bytes / peak_bytes) / abs(ln(end_bytes / peak_bytes))))"},
                               {"capacity_bytes", "peak_bytes", "end_bytes"}, fit_probability)},
            .source =
                "Logistic distribution of ln(measured / predicted) through the ends of the 80 % interval: a tenth "
                "lies beyond each, odds of 9 to 1",
            .notes = "Of 1,385 measured peaks, each predicted without the runs of its own source, 83 % lie below the "
                     "90 % mark and 96 % below the 99 % mark (94 % with a normal distribution)."};
}

Formula duration() {
    return {
        .id = "run-time",
        .title = "Time of a run",
        .topic = "Compute",
        .symbols = {amount(tokens, "tokens", "D", "tokens of the run"),
                    amount(tokens, "batch_tokens", "B", "tokens of one step of one site"),
                    otherwise(whole("sites", "M", "sites that train"), 1), steps(),
                    or_zero(amount(seconds, "step_seconds", "t", "time of a step, or of an outer round")),
                    otherwise(whole("inner_steps", "H", "inner steps of an outer round"), 1),
                    or_zero(amount(seconds, "training_seconds", "T_0", "all steps without a failure")),
                    otherwise(amount(share, "goodput", "g", "share of the time that is left for training"), 1),
                    or_zero(amount(seconds, "seconds", "T", "time of the run"))},
        .results = {result({"steps_of_a_site", "n", "optimizer steps of a site", Quantity::number,
                            "ceil(tokens / (batch_tokens * sites))"},
                           {"tokens", "batch_tokens", "sites"}, site_steps),
                    result({"rounds", "R", "outer rounds", Quantity::number, "steps / inner_steps"},
                           {"steps", "inner_steps"}, rounds_of_steps),
                    result({"without_failures", "T_0", "all steps without a failure", seconds, "steps * step_seconds"},
                           {"steps", "step_seconds"}, all_steps_seconds),
                    result({"run_seconds", "T", "with failures and checkpoints", seconds, "training_seconds / goodput"},
                           {"training_seconds", "goodput"}, run_seconds),
                    in("days",
                       result({"days", "T_d", "in days", seconds, "seconds / 86400"}, {"seconds"}, days_of_seconds))},
        .source = "Definition"};
}

Formula blocking() {
    return {.id = "blocking-write",
            .title = "What of a checkpoint stops training",
            .topic = "Checkpoints and failures",
            .symbols = {or_zero(amount(seconds, "write_seconds", "w", "writing one checkpoint")),
                        otherwise(or_zero(amount(share, "blocking_share", "x", "of it that training waits for")), 1)},
            .results = {result({"seconds", "t", "that training waits", seconds, "write_seconds * blocking_share"},
                               {"write_seconds", "blocking_share"}, blocking_write_seconds)},
            .source = "Asynchronous checkpoints copy first and write beside training: CheckFreq, FAST 2021"};
}

Formula power() {
    return {.id = "mean-power",
            .title = "Mean power of an accelerator",
            .topic = "Money and energy",
            .symbols = {amount(watts, "rated_watts", "W_0", "rated power"),
                        otherwise(real("power_share", "x", "mean draw over the rated power", 0, 10), 1)},
            .results = {result({"watts", "W", "mean power", watts, "rated_watts * power_share"},
                               {"rated_watts", "power_share"}, mean_power_watts)},
            .source = "Definition"};
}

Formula round() {
    return {.id = "round-time",
            .title = "An outer round and its link",
            .topic = "Outer loop",
            .symbols = {amount(seconds, "inner_seconds", "t_i", "computing in a round"),
                        otherwise(or_zero(amount(seconds, "stall_seconds", "t_w", "waiting in a round")), 0),
                        or_zero(amount(bytes, "bytes", "S", "sent over the link in a round")),
                        amount(bits_per_second, "bits_per_second", "b", "of the link"),
                        amount(seconds, "round_seconds", "T", "time of a round")},
            .results = {result({"seconds", "T", "time of a round", seconds, "inner_seconds + stall_seconds"},
                               {"inner_seconds", "stall_seconds"}, outer_round_seconds),
                        result({"load", "u", "share of the round that the link is busy", share,
                                "bytes * 8 / bits_per_second / round_seconds"},
                               {"bytes", "bits_per_second", "round_seconds"}, link_load)},
            .source = "Definition"};
}

} // namespace

std::vector<Formula> figure_formulas() {
    return {forward(), of_step(), rates(), fitting(), duration(), blocking(), power(), round()};
}

} // namespace meshwright::catalogue
