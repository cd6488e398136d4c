// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/scaling_laws.h"

#include "formulas/catalogue.h"

namespace meshwright::catalogue {

using namespace formula;
using enum Quantity;

namespace {

constexpr std::string_view fits = "Hoffmann et al., arXiv 2203.15556, equations 2 and 4, appendix D.3; Besiroglu et "
                                  "al., arXiv 2404.10102; Llama 3, arXiv 2407.21783, section 3.2.1";

Symbol model() {
    return amount(parameters, "parameters", "N", "parameters");
}
Symbol data(std::string_view meaning) {
    return amount(tokens, "tokens", "D", meaning);
}
Symbol computation() {
    return amount(flops, "flops", "C", "training compute");
}
Symbol each() {
    return otherwise(amount(flops, "flops_per_parameter", "k", "FLOPs per parameter and token"), 6);
}
Symbol ratio() {
    return otherwise(real("tokens_per_parameter", "r", "compute-optimal tokens per parameter", 1e-3, 1e6), 20);
}

Formula chinchilla() {
    return {
        .id = "chinchilla",
        .title = "Compute-optimal tokens from a fixed ratio",
        .topic = topic::scaling_laws,
        .symbols = {model(), ratio(), computation(), each()},
        .results = {result({"tokens", "D", "tokens", tokens}, {"parameters", "tokens_per_parameter"}, tokens_at_ratio),
                    result({"parameters", "N", "compute-optimal parameters for a compute budget", parameters},
                           {"flops", "tokens_per_parameter", "flops_per_parameter"}, parameters_at_ratio)},
        .source = "Hoffmann et al., arXiv 2203.15556, table 3: about 20 tokens per parameter",
        .notes = "The ratio holds for the paper's data and models; its parametric fit gives other ratios (see "
                 "compute-optimal)."};
}

Formula optimum() {
    const Symbol law = otherwise(choice("law", "K", "scaling law", {"hoffmann", "besiroglu", "llama3"}), 1);
    // Llama 3's law gives tokens but no loss.
    return {
        .id = "compute-optimal",
        .title = "Compute-optimal model",
        .topic = topic::scaling_laws,
        .symbols = {computation(), law, each()},
        .results = {result({"parameters", "N", "parameters", parameters}, {"flops", "law", "flops_per_parameter"},
                           law_optimal_parameters),
                    result({"tokens", "D", "tokens", tokens}, {"flops", "law", "flops_per_parameter"},
                           law_optimal_tokens),
                    result({"loss", "L", "predicted loss in nats per token", Quantity::number},
                           {"flops", "law", "flops_per_parameter"}, law_optimal_loss)},
        .source = fits,
        .notes =
            "Hoffmann's printed constants disagree with the paper's other two methods; Besiroglu's fit of the same "
            "runs agrees with about 20 tokens per parameter. Llama 3's law gives only tokens, and the "
            "paper prints its constants with two digits: 0.29 and 0.53 give 10.5T tokens for 3.8e25 FLOP, although the "
            "paper says 16.55T. None of the laws was measured near 10^25 FLOP; results there are extrapolations."};
}

Formula loss() {
    const Symbol law = otherwise(choice("law", "K", "scaling law", {"hoffmann", "besiroglu"}), 1);
    return {.id = "predicted-loss",
            .title = "Predicted loss",
            .topic = topic::scaling_laws,
            .symbols = {model(), data("training tokens"), law},
            .results = {result({"loss", "L", "predicted loss in nats per token", Quantity::number},
                               {"parameters", "tokens", "law"}, law_loss)},
            .source = fits,
            .notes = "Depends on the paper's data and tokenizer: compare predicted losses with each other, not with "
                     "another run's loss."};
}

Formula own_law() {
    return {.id = "parametric-loss",
            .title = "Loss with custom constants",
            .topic = topic::scaling_laws,
            .symbols = {model(), data("training tokens"), real("E", "E", "irreducible loss", 0, 100),
                        real("A", "A", "coefficient of the parameter term", 0, 1e12),
                        real("B", "B", "coefficient of the token term", 0, 1e12),
                        real("alpha", "a", "exponent of the parameters", 1e-3, 10),
                        real("beta", "b", "exponent of the tokens", 1e-3, 10)},
            .results = {result({"loss", "L", "predicted loss in nats per token", Quantity::number},
                               {"parameters", "tokens", "E", "A", "B", "alpha", "beta"}, parametric_loss)},
            .source = "Hoffmann et al., arXiv 2203.15556, equation 2"};
}

Formula over() {
    return {.id = "overtraining",
            .title = "Training beyond the compute optimum",
            .topic = topic::scaling_laws,
            .symbols = {model(), data("training tokens"), ratio(),
                        or_zero(amount(tokens, "generated_tokens", "D_g", "tokens generated after training")), each()},
            .results = {result({"times", "o", "training tokens / compute-optimal tokens", Quantity::number},
                               {"parameters", "tokens", "tokens_per_parameter"}, overtraining),
                        result({"lifetime_flops", "C_l", "compute for training and inference", flops},
                               {"parameters", "tokens", "generated_tokens", "flops_per_parameter"}, lifetime_flops)},
            .source = "Sardana et al., Beyond Chinchilla-optimal, arXiv 2401.00448; inference takes a third of the "
                      "training compute per token"};
}

} // namespace

std::vector<Formula> scaling_formulas() {
    return {chinchilla(), optimum(), loss(), own_law(), over()};
}

} // namespace meshwright::catalogue
