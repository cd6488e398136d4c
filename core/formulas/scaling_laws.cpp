// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/scaling_laws.h"

#include "formulas/catalogue.h"

namespace meshwright::catalogue {

using namespace formula;
using enum Quantity;

namespace {

constexpr std::string_view topic = "Scaling laws";
constexpr std::string_view fits =
    "Hoffmann and others, arXiv 2203.15556, equations 2 and 4, appendix D.3; Besiroglu and "
    "others, arXiv 2404.10102; Llama 3, arXiv 2407.21783, section 3.2.1";

Symbol model() {
    return amount(parameters, "parameters", "N", "parameters");
}
Symbol data(std::string_view meaning) {
    return amount(tokens, "tokens", "D", meaning);
}
Symbol computation() {
    return amount(flops, "flops", "C", "computation of the training");
}
Symbol each() {
    return otherwise(amount(flops, "flops_per_parameter", "k", "FLOPs a parameter and token"), 6);
}
Symbol ratio() {
    return otherwise(real("tokens_per_parameter", "r", "tokens for each parameter at the optimum", 1e-3, 1e6), 20);
}

Formula chinchilla() {
    return {.id = "chinchilla",
            .title = "Tokens for a model, by a fixed ratio",
            .topic = topic,
            .symbols = {model(), ratio(), computation(), each()},
            .results = {result({"tokens", "D", "tokens", tokens, "parameters * tokens_per_parameter"},
                               {"parameters", "tokens_per_parameter"}, tokens_at_ratio),
                        result({"parameters", "N", "parameters for an amount of computation", parameters,
                                "sqrt(flops / (flops_per_parameter * tokens_per_parameter))"},
                               {"flops", "tokens_per_parameter", "flops_per_parameter"}, parameters_at_ratio)},
            .source = "Hoffmann and others, arXiv 2203.15556, table 3: about 20 tokens a parameter",
            .notes = "The ratio is of the paper's data and models; its parametric fit gives others (compute-optimal)."};
}

Formula optimum() {
    const Symbol law = otherwise(choice("law", "K", "whose constants", {"hoffmann", "besiroglu", "llama3"}), 1);
    constexpr std::string_view optimal =
        "law == 0 ? (0.34 * 406.4 / (0.28 * 410.7)) ^ (1 / (0.34 + 0.28))"
        " * (flops / flops_per_parameter) ^ (0.28 / (0.34 + 0.28))"
        " : (law == 1 ? (0.3478 * 482.01 / (0.3658 * 2085.43)) ^ (1 / (0.3478 + 0.3658))"
        " * (flops / flops_per_parameter) ^ (0.3658 / (0.3478 + 0.3658))"
        " : flops / flops_per_parameter / (0.29 * (flops / flop) ^ 0.53))";
    constexpr std::string_view tokens_there = "law == 2 ? 0.29 * (flops / flop) ^ 0.53 : flops / flops_per_parameter"
                                              " / (law == 0 ? (0.34 * 406.4 / (0.28 * 410.7)) ^ (1 / (0.34 + 0.28))"
                                              " * (flops / flops_per_parameter) ^ (0.28 / (0.34 + 0.28))"
                                              " : (0.3478 * 482.01 / (0.3658 * 2085.43)) ^ (1 / (0.3478 + 0.3658))"
                                              " * (flops / flops_per_parameter) ^ (0.3658 / (0.3478 + 0.3658)))";
    // Beyond these two laws there is none: Llama 3 gives tokens only.
    constexpr std::string_view loss_there =
        "law == 0 ? 1.69 + 406.4 * (0.34 * 406.4 / (0.28 * 410.7)) ^ (-0.34 / (0.34 + 0.28))"
        " * (flops / flops_per_parameter) ^ (-0.34 * 0.28 / (0.34 + 0.28))"
        " + 410.7 * (0.34 * 406.4 / (0.28 * 410.7)) ^ (0.28 / (0.34 + 0.28))"
        " * (flops / flops_per_parameter) ^ (-0.34 * 0.28 / (0.34 + 0.28))"
        " : (law == 1 ? 1.8172 + 482.01 * (0.3478 * 482.01 / (0.3658 * 2085.43)) ^ (-0.3478 / (0.3478 + 0.3658))"
        " * (flops / flops_per_parameter) ^ (-0.3478 * 0.3658 / (0.3478 + 0.3658))"
        " + 2085.43 * (0.3478 * 482.01 / (0.3658 * 2085.43)) ^ (0.3658 / (0.3478 + 0.3658))"
        " * (flops / flops_per_parameter) ^ (-0.3478 * 0.3658 / (0.3478 + 0.3658))"
        " : 0 / 0)";
    return {.id = "compute-optimal",
            .title = "Compute-optimal model",
            .topic = topic,
            .symbols = {computation(), law, each()},
            .results = {result({"parameters", "N", "parameters", parameters, optimal},
                               {"flops", "law", "flops_per_parameter"}, law_optimal_parameters),
                        result({"tokens", "D", "tokens", tokens, tokens_there}, {"flops", "law", "flops_per_parameter"},
                               law_optimal_tokens),
                        result({"loss", "L", "predicted loss, nats a token", Quantity::number, loss_there},
                               {"flops", "law", "flops_per_parameter"}, law_optimal_loss)},
            .source = fits,
            .notes =
                "Hoffmann's printed constants disagree with the paper's other two methods, and Besiroglu's fit of the "
                "same runs is the one that agrees with about 20 tokens a parameter. Llama 3 gives tokens only, and "
                "prints its constants to two digits: 0.29 and 0.53 make 10.5T tokens of 3.8e25 FLOP where the paper "
                "says 16.55T. None was measured near 10^25 FLOP: an extrapolation."};
}

Formula loss() {
    const Symbol law = otherwise(choice("law", "K", "whose constants", {"hoffmann", "besiroglu"}), 1);
    return {.id = "predicted-loss",
            .title = "Predicted loss",
            .topic = topic,
            .symbols = {model(), data("tokens of the training"), law},
            .results = {result({"loss", "L", "nats a token", Quantity::number,
                                "law == 0 ? 1.69 + 406.4 / parameters ^ 0.34 + 410.7 / tokens ^ 0.28"
                                " : 1.8172 + 482.01 / parameters ^ 0.3478 + 2085.43 / tokens ^ 0.3658"},
                               {"parameters", "tokens", "law"}, law_loss)},
            .source = fits,
            .notes = "Of the paper's data and tokenizer: compare losses with each other, not with another run's."};
}

Formula own_law() {
    return {.id = "parametric-loss",
            .title = "Loss by constants of one's own",
            .topic = topic,
            .symbols = {model(), data("tokens of the training"),
                        real("E", "E", "loss of unlimited model and data", 0, 100),
                        real("A", "A", "weight of the parameters", 0, 1e12),
                        real("B", "B", "weight of the tokens", 0, 1e12),
                        real("alpha", "a", "exponent of the parameters", 1e-3, 10),
                        real("beta", "b", "exponent of the tokens", 1e-3, 10)},
            .results = {result(
                {"loss", "L", "nats a token", Quantity::number, "E + A / parameters ^ alpha + B / tokens ^ beta"},
                {"parameters", "tokens", "E", "A", "B", "alpha", "beta"}, parametric_loss)},
            .source = "Hoffmann and others, arXiv 2203.15556, equation 2"};
}

Formula over() {
    return {
        .id = "overtraining",
        .title = "Training beyond the optimum",
        .topic = topic,
        .symbols = {model(), data("tokens of the training"), ratio(),
                    or_zero(amount(tokens, "generated_tokens", "D_g", "tokens that the model generates afterwards")),
                    each()},
        .results = {result({"times", "o", "tokens over those of the optimum", Quantity::number,
                            "tokens / (parameters * tokens_per_parameter)"},
                           {"parameters", "tokens", "tokens_per_parameter"}, overtraining),
                    result({"lifetime_flops", "C_l", "training and generating", flops,
                            "flops_per_parameter * parameters * tokens"
                            " + flops_per_parameter * parameters * generated_tokens / 3"},
                           {"parameters", "tokens", "generated_tokens", "flops_per_parameter"}, lifetime_flops)},
        .source = "Sardana and others, Beyond Chinchilla-optimal, arXiv 2401.00448, for generation at a third"};
}

} // namespace

std::vector<Formula> scaling_formulas() {
    return {chinchilla(), optimum(), loss(), own_law(), over()};
}

} // namespace meshwright::catalogue
