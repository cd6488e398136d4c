// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/batch_and_rates.h"
#include "formulas/catalogue.h"
#include "formulas/learning_rate_exposure.h"

namespace meshwright::catalogue {

using namespace formula;
using enum Quantity;

namespace {

Formula scaled_rate() {
    return {
        .id = "scaled-learning-rate",
        .title = "Learning rate for a different batch size",
        .topic = topic::batch_and_learning_rate,
        .symbols = {real("base_rate", "r_0", "tuned learning rate", 1e-12, 1e3),
                    amount(Quantity::number, "base_batch", "B_0", "batch size used for tuning"),
                    amount(Quantity::number, "batch", "B", "new batch size, in the same unit as the old"),
                    choice("rule", "k", "scaling rule", {"linear", "sqrt"}),
                    real("exponent", "e", "exponent of the batch ratio: 0.5 for square root, 1 for linear", 0, 2)},
        .results = {result({"rate", "r", "learning rate", Quantity::number},
                           {"base_rate", "base_batch", "batch", "rule"}, scaled_learning_rate),
                    result(
                        {"power_rate", "r_e", "learning rate scaled by a power of the batch ratio", Quantity::number},
                        {"base_rate", "base_batch", "batch", "exponent"}, power_learning_rate)},
        .source =
            "Linear: Goyal et al., arXiv 1706.02677, section 2.1; square root: Krizhevsky, arXiv 1404.5997, section "
            "5, and for Adam Malladi et al., arXiv 2205.10287",
        .notes = "The linear rule held for SGD up to batches of 8,192 images (Goyal et al.). Both rules assume a batch "
                 "size below the critical batch size; exponents between 0.5 and 1 come from sweeps."};
}

Formula warmup() {
    return {.id = "warmup-steps",
            .title = "Warm-up for a different batch size",
            .topic = topic::batch_and_learning_rate,
            .symbols = {amount(Quantity::number, "base_batch", "B_0", "batch size of the known run"),
                        amount(Quantity::number, "batch", "B", "new batch size, in the same unit as the old"),
                        amount(Quantity::number, "base_steps", "n_0", "warm-up steps of the known run"),
                        whole("total_steps", "n", "steps of the run", 1, 1e12)},
            .results = {result({"steps", "n_w", "warm-up steps", Quantity::number},
                               {"base_batch", "batch", "base_steps"}, scaled_warmup_steps),
                        result({"fraction", "f", "warm-up as a fraction of the run", share},
                               {"base_batch", "batch", "base_steps", "total_steps"}, warmup_fraction)},
            .source = "Rule of thumb: warm-up steps proportional to the batch size",
            .notes = "The rule scales steps: with eight times the batch size, warm-up takes eight times the steps and "
                     "64 times the tokens. With constant warm-up tokens, the steps would shrink to an eighth; which is "
                     "better is an open question."};
}

Formula schedule() {
    return {
        .id = "learning-rate-schedule",
        .title = "Learning rate at a step",
        .topic = topic::batch_and_learning_rate,
        .symbols = {real("peak_rate", "r", "peak learning rate", 1e-12, 1e3),
                    or_zero(whole("step", "i", "step", 0, 1e12)),
                    whole("warmup_steps", "w", "linear warm-up steps", 0, 1e12),
                    whole("total_steps", "n", "steps of the run", 1, 1e12),
                    otherwise(or_zero(amount(share, "final_share", "f", "final rate relative to the peak")), 0.1),
                    otherwise(amount(share, "decay_share", "d", "WSD decay phase as a fraction of the run"), 0.1)},
        .results = {result({"cosine_rate", "r_c", "cosine decay", Quantity::number},
                           {"peak_rate", "step", "warmup_steps", "total_steps", "final_share"}, cosine_rate),
                    result({"linear_rate", "r_l", "linear decay", Quantity::number},
                           {"peak_rate", "step", "warmup_steps", "total_steps", "final_share"}, linear_rate),
                    result({"wsd_rate", "r_w", "warm-up, stable, decay (WSD)", Quantity::number},
                           {"peak_rate", "step", "warmup_steps", "total_steps", "final_share", "decay_share"},
                           wsd_rate)},
        .source =
            "Cosine: SGDR, arXiv 1608.03983, equation 5; warm-up, stable, decay: MiniCPM, arXiv 2404.06395, section 4",
        .notes =
            "A cosine must end with the run: with twice the batch size and half the steps, it spans half the steps."};
}

Formula exposure() {
    return {
        .id = "learning-rate-exposure",
        .title = "Area under a learning-rate schedule",
        .topic = topic::batch_and_learning_rate,
        .symbols = {real("peak_rate", "r", "peak learning rate", 1e-12, 1e3),
                    whole("warmup_steps", "w", "linear warm-up steps", 0, 1e12),
                    whole("total_steps", "n", "steps of the run", 1, 1e12),
                    otherwise(or_zero(amount(share, "final_share", "f", "final rate relative to the peak")), 0.1),
                    otherwise(amount(share, "decay_share", "d", "WSD decay phase as a fraction of the run"), 0.1),
                    amount(tokens, "batch_tokens", "B", "tokens per batch")},
        .results =
            {result({"area", "A", "area over steps, with cosine or linear decay", Quantity::number},
                    {"peak_rate", "warmup_steps", "total_steps", "final_share"}, decay_area),
             result({"wsd_area", "A_w", "area over steps, with warm-up, stable, decay (WSD)", Quantity::number},
                    {"peak_rate", "warmup_steps", "total_steps", "final_share", "decay_share"}, wsd_area),
             result({"exposure", "X", "area under the learning rate over the tokens, with cosine or linear decay",
                     Quantity::number},
                    {"peak_rate", "warmup_steps", "total_steps", "final_share", "batch_tokens"}, decay_exposure),
             result({"wsd_exposure", "X_w", "area under the learning rate over the tokens, with WSD", Quantity::number},
                    {"peak_rate", "warmup_steps", "total_steps", "final_share", "decay_share", "batch_tokens"},
                    wsd_exposure)},
        .source = "Integrals of the schedules of SGDR, arXiv 1608.03983, equation 5, and MiniCPM, arXiv 2404.06395, "
                  "section 4",
        .notes = "With twice the batch size, twice the peak rate and half the steps, the area over the steps stays the "
                 "same. Weighted by tokens it doubles, because each token's step has twice the rate."};
}

Formula steps() {
    return {.id = "training-steps",
            .title = "Optimizer steps of a run",
            .topic = topic::batch_and_learning_rate,
            .symbols = {amount(tokens, "tokens", "D", "tokens of the run"),
                        amount(tokens, "batch_tokens", "B", "tokens per batch")},
            .results = {result({"steps", "n", "optimizer steps", count}, {"tokens", "batch_tokens"}, training_steps)},
            .source = "Definition"};
}

} // namespace

std::vector<Formula> learning_rate_formulas() {
    return {scaled_rate(), warmup(), schedule(), exposure(), steps()};
}

} // namespace meshwright::catalogue
