// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/batch_and_rates.h"

#include "formulas/catalogue.h"

namespace meshwright::catalogue {

using namespace formula;
using enum Quantity;

namespace {

constexpr std::string_view topic = "Batch and learning rate";

Symbol micro_batch() {
    return whole("micro_batch", "b", "sequences of a microbatch");
}
Symbol data_parallel() {
    return whole("data_parallel", "d", "replicas");
}
Symbol steps() {
    return whole("accumulation_steps", "m", "microbatches of a step");
}

Formula accumulation() {
    return {
        .id = "accumulation-steps",
        .title = "Gradient accumulation steps",
        .topic = topic,
        .symbols = {whole("target_batch", "B", "sequences of a step, wanted", 1, 1e12), micro_batch(), data_parallel()},
        .results = {result({"steps", "m", "microbatches of a step on each replica", count,
                            "ceil(target_batch / (micro_batch * data_parallel))"},
                           {"target_batch", "micro_batch", "data_parallel"}, needed_accumulation_steps)},
        .source = "Definition of the global batch",
        .notes = "Rounded up: where the batch does not divide, the step holds more than was wanted."};
}

Formula effective() {
    return {.id = "effective-batch",
            .title = "Effective batch",
            .topic = topic,
            .symbols = {micro_batch(), steps(), data_parallel()},
            .results = {result(
                {"batch", "B", "sequences of a step", count, "micro_batch * accumulation_steps * data_parallel"},
                {"micro_batch", "accumulation_steps", "data_parallel"}, effective_batch)},
            .source = "Definition of the global batch"};
}

Formula batch_tokens() {
    return {.id = "tokens-per-batch",
            .title = "Tokens of a batch",
            .topic = topic,
            .symbols = {whole("batch", "B", "sequences", 1, 1e12), whole("sequence", "s", "tokens of a sequence")},
            .results = {result({"tokens", "n", "tokens", tokens, "batch * sequence"}, {"batch", "sequence"},
                               tokens_per_batch)},
            .source = "The Ultra-Scale Playbook, one training step"};
}

Formula saving() {
    return {.id = "accumulation-saving",
            .title = "All-reduces that accumulation saves",
            .topic = topic,
            .symbols = {steps(), amount(seconds, "all_reduce_seconds", "t_a", "one all-reduce of the gradients")},
            .results = {result(
                {"seconds", "t", "saved in a step", seconds, "(accumulation_steps - 1) * all_reduce_seconds"},
                {"accumulation_steps", "all_reduce_seconds"}, accumulation_saving_seconds)},
            .source = "Counted: one all-reduce where there were as many as microbatches"};
}

Formula step() {
    return {.id = "accumulated-step",
            .title = "A step with accumulation",
            .topic = topic,
            .symbols = {steps(), amount(seconds, "micro_batch_seconds", "t_m", "forward and backward pass of one"),
                        amount(seconds, "all_reduce_seconds", "t_a", "all-reduce at the end"),
                        whole("batch", "B", "sequences of a step", 1, 1e12)},
            .results = {result({"seconds", "t", "duration of a step", seconds,
                                "accumulation_steps * micro_batch_seconds + all_reduce_seconds"},
                               {"accumulation_steps", "micro_batch_seconds", "all_reduce_seconds"},
                               accumulated_step_seconds),
                        in("1/s",
                           result({"samples_per_second", "v", "sequences in a second", Quantity::number,
                                   "batch / (accumulation_steps * micro_batch_seconds + all_reduce_seconds)"},
                                  {"accumulation_steps", "micro_batch_seconds", "all_reduce_seconds", "batch"},
                                  accumulated_samples_per_second)),
                        result({"communication_fraction", "f", "share of the all-reduce", share,
                                "all_reduce_seconds / (accumulation_steps * micro_batch_seconds + all_reduce_seconds)"},
                               {"accumulation_steps", "micro_batch_seconds", "all_reduce_seconds"},
                               accumulated_communication_fraction)},
            .source = "Counted: microbatches one after another, one all-reduce behind them",
            .notes = "64 x 120 ms + 50 ms are 7730 ms; 7731 is a slip."};
}

Formula recompute() {
    return {
        .id = "recompute-tradeoff",
        .title = "A larger micro-batch by recomputation",
        .topic = topic,
        .symbols = {whole("target_batch", "B", "sequences of a step", 1, 1e12), data_parallel(), micro_batch(),
                    whole("larger_micro_batch", "b'", "sequences of one, with recomputation"),
                    or_zero(amount(share, "recompute_overhead", "r", "added computation, 1/3 for everything"))},
        .results = {result({"slowdown", "f", "time of a step against the plain one", Quantity::number,
                            "(target_batch / (data_parallel * larger_micro_batch) * (larger_micro_batch / micro_batch)"
                            " * (1 + recompute_overhead)) / (target_batch / (data_parallel * micro_batch))"},
                           {"target_batch", "data_parallel", "micro_batch", "larger_micro_batch", "recompute_overhead"},
                           recompute_slowdown),
                    result({"micro_batch_times", "n'", "time of a step, in times of a plain microbatch",
                            Quantity::number,
                            "target_batch / (data_parallel * larger_micro_batch) * (larger_micro_batch / micro_batch)"
                            " * (1 + recompute_overhead)"},
                           {"target_batch", "data_parallel", "micro_batch", "larger_micro_batch", "recompute_overhead"},
                           recomputed_micro_batches),
                    result({"plain_micro_batch_times", "n", "the same without", Quantity::number,
                            "target_batch / (data_parallel * micro_batch)"},
                           {"target_batch", "data_parallel", "micro_batch"}, plain_micro_batches)},
        .source = "Chen and others, arXiv 1604.06174, for the overhead of one more forward pass",
        .notes =
            "Holds where a larger micro-batch computes no faster for each sequence. Then recomputation only costs."};
}

Formula ramp() {
    return {.id = "batch-ramp",
            .title = "Batch ramp",
            .topic = topic,
            .symbols = {amount(tokens, "start_batch", "B_0", "tokens of the first batches"),
                        amount(tokens, "batch", "B", "tokens of a batch after the ramp"),
                        amount(tokens, "ramp_tokens", "D_r", "tokens over which it grows"),
                        or_zero(amount(tokens, "tokens", "D", "tokens seen so far"))},
            .results = {result({"batch_now", "B_D", "tokens of a batch now", tokens,
                                "start_batch + (batch - start_batch) * min(1, tokens / ramp_tokens)"},
                               {"start_batch", "batch", "ramp_tokens", "tokens"}, ramped_batch),
                        result({"ramp_steps", "n", "optimizer steps of the ramp", Quantity::number,
                                "batch == start_batch ? ramp_tokens / batch"
                                " : ramp_tokens / (batch - start_batch) * ln(batch / start_batch)"},
                               {"start_batch", "batch", "ramp_tokens"}, ramp_steps)},
            .source = "GPT-3, arXiv 2005.14165, appendix B; the steps are the integral of 1 / batch"};
}

Formula critical() {
    return {
        .id = "critical-batch",
        .title = "Critical batch size",
        .topic = topic,
        .symbols = {amount(Quantity::number, "least_steps", "S", "steps to the loss, however large the batch"),
                    amount(Quantity::number, "least_examples", "E", "examples to the loss, however small the batch"),
                    amount(Quantity::number, "critical_batch", "B_c", "critical batch, in the batch's unit"),
                    amount(Quantity::number, "batch", "B", "batch")},
        .results = {result({"batch", "B_c", "critical batch", Quantity::number, "least_examples / least_steps"},
                           {"least_steps", "least_examples"}, critical_batch),
                    result({"steps", "S_B", "steps with this batch", Quantity::number,
                            "least_steps * (1 + critical_batch / batch)"},
                           {"least_steps", "critical_batch", "batch"}, steps_at_batch),
                    result({"examples", "E_B", "examples with this batch", Quantity::number,
                            "least_steps * (critical_batch + batch)"},
                           {"least_steps", "critical_batch", "batch"}, examples_at_batch)},
        .source = "McCandlish and others, arXiv 1812.06162, equation 2.11",
        .notes = "At the critical batch a run takes twice the least steps and twice the least examples."};
}

Formula critical_at_loss() {
    return {.id = "critical-batch-at-loss",
            .title = "Critical batch at a loss",
            .topic = topic,
            .symbols = {real("loss", "L", "training loss, nats a token", 0.1, 20),
                        otherwise(amount(tokens, "scale", "B*", "constant of the fit"), 2e8),
                        otherwise(real("exponent", "a", "exponent of the fit", 0.01, 10), 0.21)},
            .results = {result({"tokens", "B_c", "critical batch", tokens, "scale / loss ^ (1 / exponent)"},
                               {"loss", "scale", "exponent"}, critical_batch_at_loss)},
            .source = "Kaplan and others, arXiv 2001.08361, equation 1.4"};
}

} // namespace

std::vector<Formula> batch_formulas() {
    return {accumulation(), effective(), batch_tokens(), saving(),          step(),
            recompute(),    ramp(),      critical(),     critical_at_loss()};
}

} // namespace meshwright::catalogue
