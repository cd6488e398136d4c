// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/batch_and_rates.h"

#include "formulas/catalogue.h"

namespace meshwright::catalogue {

using namespace formula;
using enum Quantity;

namespace {

Symbol micro_batch() {
    return whole("micro_batch", "b", "sequences per microbatch");
}
Symbol data_parallel() {
    return whole("data_parallel", "d", "replicas");
}
Symbol steps() {
    return whole("accumulation_steps", "m", "microbatches per step");
}

Formula accumulation() {
    return {
        .id = "accumulation-steps",
        .title = "Gradient accumulation steps",
        .topic = topic::batch_and_learning_rate,
        .symbols = {whole("target_batch", "B", "target sequences per step", 1, 1e12), micro_batch(), data_parallel()},
        .results = {result({"steps", "m", "microbatches per step on each replica", count},
                           {"target_batch", "micro_batch", "data_parallel"}, needed_accumulation_steps)},
        .source = "Definition of the global batch",
        .notes = "Rounded up: a target that is not a multiple of micro-batch size times data-parallel degree gives a "
                 "step with more sequences than the target."};
}

Formula effective() {
    return {.id = "effective-batch",
            .title = "Effective batch size",
            .topic = topic::batch_and_learning_rate,
            .symbols = {micro_batch(), steps(), data_parallel()},
            .results = {result({"batch", "B", "sequences per step", count},
                               {"micro_batch", "accumulation_steps", "data_parallel"}, effective_batch)},
            .source = "Definition of the global batch"};
}

Formula batch_tokens() {
    return {.id = "tokens-per-batch",
            .title = "Tokens per batch",
            .topic = topic::batch_and_learning_rate,
            .symbols = {whole("batch", "B", "sequences", 1, 1e12), whole("sequence", "s", "sequence length in tokens")},
            .results = {result({"tokens", "n", "tokens", tokens}, {"batch", "sequence"}, tokens_per_batch)},
            .source = "The Ultra-Scale Playbook, one training step"};
}

Formula saving() {
    return {.id = "accumulation-saving",
            .title = "All-reduces saved by gradient accumulation",
            .topic = topic::batch_and_learning_rate,
            .symbols = {steps(), amount(seconds, "all_reduce_seconds", "t_a", "time of one gradient all-reduce")},
            .results = {result({"seconds", "t", "all-reduce time saved per step", seconds},
                               {"accumulation_steps", "all_reduce_seconds"}, accumulation_saving_seconds)},
            .source = "Derived: one all-reduce per step instead of one per microbatch"};
}

Formula step() {
    return {.id = "accumulated-step",
            .title = "Step time with gradient accumulation",
            .topic = topic::batch_and_learning_rate,
            .symbols = {steps(),
                        amount(seconds, "micro_batch_seconds", "t_m",
                               "time of the forward and backward pass of one microbatch"),
                        amount(seconds, "all_reduce_seconds", "t_a", "time of the all-reduce at the end of the step"),
                        whole("batch", "B", "sequences per step", 1, 1e12)},
            .results = {result({"seconds", "t", "step time", seconds},
                               {"accumulation_steps", "micro_batch_seconds", "all_reduce_seconds"},
                               accumulated_step_seconds),
                        in("1/s",
                           result({"samples_per_second", "v", "sequences per second", Quantity::number},
                                  {"accumulation_steps", "micro_batch_seconds", "all_reduce_seconds", "batch"},
                                  accumulated_samples_per_second)),
                        result({"communication_fraction", "f", "fraction of the step spent in the all-reduce", share},
                               {"accumulation_steps", "micro_batch_seconds", "all_reduce_seconds"},
                               accumulated_communication_fraction)},
            .source = "Derived: microbatches run in sequence, followed by one all-reduce",
            .notes = "64 x 120 ms + 50 ms is 7730 ms; the published 7731 is an arithmetic slip."};
}

Formula recompute() {
    return {
        .id = "recompute-tradeoff",
        .title = "Larger microbatch size through recomputation",
        .topic = topic::batch_and_learning_rate,
        .symbols = {whole("target_batch", "B", "sequences per step", 1, 1e12), data_parallel(), micro_batch(),
                    whole("larger_micro_batch", "b'", "sequences per microbatch with recomputation"),
                    or_zero(amount(share, "recompute_overhead", "r",
                                   "extra compute for recomputation; 1/3 for full recomputation"))},
        .results = {result({"slowdown", "f", "step time relative to the step without recomputation", Quantity::number},
                           {"target_batch", "data_parallel", "micro_batch", "larger_micro_batch", "recompute_overhead"},
                           recompute_slowdown),
                    result({"micro_batch_times", "n'",
                            "step time with recomputation / time of one small microbatch without it", Quantity::number},
                           {"target_batch", "data_parallel", "micro_batch", "larger_micro_batch", "recompute_overhead"},
                           recomputed_micro_batches),
                    result({"plain_micro_batch_times", "n",
                            "step time without recomputation / time of one small microbatch", Quantity::number},
                           {"target_batch", "data_parallel", "micro_batch"}, plain_micro_batches)},
        .source = "Overhead of one more forward pass: Chen et al., arXiv 1604.06174",
        .notes =
            "Assumes that a larger microbatch is no faster per sequence, which makes recomputation pure overhead."};
}

Formula ramp() {
    return {.id = "batch-ramp",
            .title = "Batch size ramp-up",
            .topic = topic::batch_and_learning_rate,
            .symbols = {amount(tokens, "start_batch", "B_0", "tokens per batch at the start"),
                        amount(tokens, "batch", "B", "tokens per batch after the ramp-up"),
                        amount(tokens, "ramp_tokens", "D_r", "tokens over which the batch grows"),
                        or_zero(amount(tokens, "tokens", "D", "tokens trained so far"))},
            .results = {result({"batch_now", "B_D", "tokens per batch now", tokens},
                               {"start_batch", "batch", "ramp_tokens", "tokens"}, ramped_batch),
                        result({"ramp_steps", "n", "optimizer steps of the ramp-up", Quantity::number},
                               {"start_batch", "batch", "ramp_tokens"}, ramp_steps)},
            .source = "GPT-3, arXiv 2005.14165, appendix B; the steps are the integral of 1 / batch"};
}

Formula critical() {
    return {.id = "critical-batch",
            .title = "Critical batch size",
            .topic = topic::batch_and_learning_rate,
            .symbols = {amount(Quantity::number, "least_steps", "S",
                               "minimum steps to reach the loss, with a very large batch"),
                        amount(Quantity::number, "least_examples", "E",
                               "minimum examples to reach the loss, with a very small batch"),
                        amount(Quantity::number, "critical_batch", "B_c",
                               "critical batch size, in the same unit as the batch"),
                        amount(Quantity::number, "batch", "B", "batch")},
            .results = {result({"batch", "B_c", "critical batch size", Quantity::number},
                               {"least_steps", "least_examples"}, critical_batch),
                        result({"steps", "S_B", "steps at this batch size", Quantity::number},
                               {"least_steps", "critical_batch", "batch"}, steps_at_batch),
                        result({"examples", "E_B", "examples at this batch size", Quantity::number},
                               {"least_steps", "critical_batch", "batch"}, examples_at_batch)},
            .source = "McCandlish et al., arXiv 1812.06162, equation 2.11",
            .notes = "At the critical batch size a run takes twice the minimum steps and twice the minimum examples."};
}

Formula critical_at_loss() {
    return {.id = "critical-batch-at-loss",
            .title = "Critical batch size at a loss",
            .topic = topic::batch_and_learning_rate,
            .symbols = {real("loss", "L", "training loss in nats per token", 0.1, 20),
                        otherwise(amount(tokens, "scale", "B*", "fitted constant"), 2e8),
                        otherwise(real("exponent", "a", "fitted exponent", 0.01, 10), 0.21)},
            .results = {result({"tokens", "B_c", "critical batch size", tokens}, {"loss", "scale", "exponent"},
                               critical_batch_at_loss)},
            .source = "Kaplan et al., arXiv 2001.08361, equation 1.4"};
}

} // namespace

std::vector<Formula> batch_formulas() {
    return {accumulation(), effective(), batch_tokens(), saving(),          step(),
            recompute(),    ramp(),      critical(),     critical_at_loss()};
}

} // namespace meshwright::catalogue
