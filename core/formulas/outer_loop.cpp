// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/outer_loop.h"

#include "formulas/catalogue.h"

namespace meshwright::catalogue {

using namespace formula;
using enum Quantity;

namespace {

constexpr std::string_view topic = "Outer loop";
constexpr std::string_view charles = "Charles and others, DiLoCo scaling laws, arXiv 2503.09799";

Symbol model() {
    return amount(parameters, "parameters", "N", "parameters");
}
Symbol replicas(double low) {
    return whole("replicas", "M", "replicas that train apart", low, 1e6);
}
Symbol inner_steps() {
    return whole("inner_steps", "H", "inner steps of a round");
}
Symbol step_time() {
    return amount(seconds, "step_seconds", "t", "one inner step");
}

Formula interval() {
    return {.id = "outer-interval",
            .title = "Length of an outer round",
            .topic = topic,
            .symbols = {step_time(), inner_steps()},
            .results = {result({"seconds", "T", "inner steps of a round", seconds, "step_seconds * inner_steps"},
                               {"step_seconds", "inner_steps"}, outer_interval_seconds)},
            .source = "DiLoCo, arXiv 2311.08105, section 2",
            .notes = "128 steps are 53 min at 25 s and 49 min at 23 s: both figures are right, of two step times."};
}

Formula utilised() {
    return {.id = "diloco-utilisation",
            .title = "Compute utilisation of rounds that wait",
            .topic = topic,
            .symbols = {amount(seconds, "inner_seconds", "T", "inner steps of a round"),
                        or_zero(amount(seconds, "sync_seconds", "x", "synchronising, while nothing computes"))},
            .results = {result({"utilisation", "u", "share of the time that computes", share,
                                "inner_seconds / (inner_seconds + sync_seconds)"},
                               {"inner_seconds", "sync_seconds"}, outer_utilisation)},
            .source = "INTELLECT-1, arXiv 2412.01152, table 2"};
}

Formula bandwidth() {
    return {
        .id = "diloco-bandwidth",
        .title = "Bandwidth for a compute utilisation",
        .topic = topic,
        .symbols = {model(), step_time(), inner_steps(),
                    otherwise(whole("fragments", "P", "fragments, synchronised apart", 1, 1e6), 1),
                    otherwise(whole("overlap_steps", "o", "steps that an update may be late", 0, 1e6), 0),
                    in("bit", otherwise(amount(bytes, "bits", "b", "bits of a parameter on the wire"), 16)),
                    replicas(2), amount(share, "utilisation", "u", "share of the time to compute"),
                    otherwise(whole("buckets", "K", "buckets of a step's gradients", 1, 1e6), 128)},
        .results = {result(
            {"bits_per_second", "W", "rate of a link", bits_per_second,
             "max(2 * (1 - 1 / replicas) * parameters * bits * utilisation / (inner_steps * step_seconds),"
             " 2 * (1 - 1 / replicas) * parameters * bits / fragments"
             " / (inner_steps * step_seconds / fragments * (1 / utilisation - 1)"
             " + overlap_steps * step_seconds + 2 * step_seconds / 3 * (1 - 1 / buckets)))"},
            {"parameters", "step_seconds", "inner_steps", "fragments", "overlap_steps", "bits", "replicas",
             "utilisation", "buckets"},
            diloco_bits_per_second)},
        .source = "Closed form of the bandwidth simulator of Streaming DiLoCo's authors; the paper: arXiv 2501.18512, "
                  "table 4",
        .notes =
            "The paper's table stands on a grid of 50 rates whose neighbours differ by a fifth; 72 of its 75 cells lie "
            "within 20 % of this. One inner step is data parallelism."};
}

Formula bound() {
    const Symbol up = or_zero(amount(seconds, "up_seconds", "t_u", "sending a round's updates"));
    const Symbol down = or_zero(amount(seconds, "down_seconds", "t_d", "receiving a round's updates"));
    return {.id = "outer-round",
            .title = "What a link allows an outer round",
            .topic = topic,
            .symbols = {amount(seconds, "inner_seconds", "T", "inner steps of a round"), up, down,
                        otherwise(flag("full_duplex", "f", "both directions at once"), 1),
                        amount(seconds, "transfer_seconds", "x", "one fragment's way up and down"), step_time()},
            .results = {result({"utilisation_bound", "u", "the most, with everything overlapped", share,
                                "min(1, inner_seconds / (full_duplex ? max(up_seconds, down_seconds)"
                                " : up_seconds + down_seconds))"},
                               {"inner_seconds", "up_seconds", "down_seconds", "full_duplex"}, outer_throughput_bound),
                        result({"overlap_steps", "o", "steps of overlap that hide it", count,
                                "ceil(transfer_seconds / step_seconds)"},
                               {"transfer_seconds", "step_seconds"}, inner_steps_to_hide)},
            .source = "Derived: a queue that is fed faster than it drains",
            .notes =
                "Keep-a-quarter with a bitmap (36 GB each way at 100 Mb/s, 53 min a round) fits a full-duplex link at "
                "90 % load and does not fit a half-duplex one."};
}

Formula lag() {
    const Symbol up = or_zero(amount(seconds, "up_seconds", "t_u", "sending one fragment"));
    const Symbol down = or_zero(amount(seconds, "down_seconds", "t_d", "receiving one"));
    return {.id = "outer-lag",
            .title = "How late a fragment's average is",
            .topic = topic,
            .symbols = {up, down, otherwise(whole("together", "b", "fragments released with one step", 1, 1e6), 1),
                        otherwise(or_zero(amount(seconds, "round_trip_seconds", "R", "to the aggregator and back")), 0),
                        otherwise(or_zero(amount(seconds, "waiting_seconds", "w", "for the quorum")), 0)},
            .results = {result({"lag_seconds", "L", "from release to receipt", seconds,
                                "max(together * up_seconds + down_seconds, up_seconds + together * down_seconds)"
                                " + round_trip_seconds + waiting_seconds"},
                               {"up_seconds", "down_seconds", "together", "round_trip_seconds", "waiting_seconds"},
                               fragment_lag)},
            .source = "Derived: a queue of two stages",
            .notes =
                "Hidden where it is at most the overlap's steps; beyond, every fragment of a round is waited for."};
}

Formula lagging() {
    return {.id = "outer-stalls",
            .title = "Compute utilisation with late averages",
            .topic = topic,
            .symbols = {amount(seconds, "inner_seconds", "T", "inner steps of a round"),
                        otherwise(whole("fragments", "P", "fragments, synchronised apart", 1, 1e6), 1),
                        or_zero(amount(seconds, "lag_seconds", "L", "from a fragment's release to its receipt")),
                        or_zero(amount(seconds, "overlap_seconds", "o", "that it may take"))},
            .results = {result({"utilisation", "u", "share of the time that computes", share,
                                "inner_seconds / (inner_seconds + fragments * max(0, lag_seconds - overlap_seconds))"},
                               {"inner_seconds", "fragments", "lag_seconds", "overlap_seconds"}, lagging_utilisation)},
            .source = "Derived: each fragment is waited for alone, its queue drained in between",
            .notes = "A link that is loaded beyond its rate keeps a queue, and waits longer than this says."};
}

Formula star() {
    constexpr std::string_view needed =
        "overlap_steps * step_seconds + inner_seconds / fragments * (1 / utilisation - 1) - round_trip_seconds > 0"
        " ? max((full_duplex ? max(up_bits, down_bits) : up_bits + down_bits) * utilisation / inner_seconds,"
        " max(ceil(fragments / inner_steps) * up_bits + down_bits, up_bits + ceil(fragments / inner_steps) * down_bits)"
        " / fragments / (overlap_steps * step_seconds + inner_seconds / fragments * (1 / utilisation - 1)"
        " - round_trip_seconds)) : bit / (0 * second)";
    const Symbol up = in("bit", or_zero(amount(bytes, "up_bits", "S_u", "sent in a round")));
    const Symbol down = in("bit", or_zero(amount(bytes, "down_bits", "S_d", "received in a round")));
    return {.id = "outer-star-bandwidth",
            .title = "Link to an aggregator for a compute utilisation",
            .topic = topic,
            .symbols = {up, down, amount(seconds, "inner_seconds", "T", "inner steps of a round"), step_time(),
                        otherwise(whole("fragments", "P", "fragments, synchronised apart", 1, 1e6), 1), inner_steps(),
                        otherwise(whole("overlap_steps", "o", "steps that an update may be late", 0, 1e6), 0),
                        amount(share, "utilisation", "u", "share of the time to compute"),
                        otherwise(or_zero(amount(seconds, "round_trip_seconds", "R", "to the aggregator and back")), 0),
                        otherwise(flag("full_duplex", "f", "both directions at once"), 1)},
            .results = {result({"bits_per_second", "W", "rate of each direction", bits_per_second, needed},
                               {"up_bits", "down_bits", "inner_seconds", "step_seconds", "fragments", "inner_steps",
                                "overlap_steps", "utilisation", "round_trip_seconds", "full_duplex"},
                               star_bits_per_second)},
            .source = "Derived: the throughput of a round and the lag of a fragment, whichever asks for more",
            .notes = "Infinite where the round trip alone takes longer than overlap and allowed stalls."};
}

Formula egress() {
    constexpr std::string_view tiers = "months * dollar / (1e9 * byte) * (0.09 * min(bytes / months, 10e12 * byte)"
                                       " + 0.085 * max(0, min(bytes / months, 50e12 * byte) - 10e12 * byte)"
                                       " + 0.07 * max(0, min(bytes / months, 150e12 * byte) - 50e12 * byte)"
                                       " + 0.05 * max(0, bytes / months - 150e12 * byte))";
    return {.id = "egress-tiers",
            .title = "What leaves a cloud, by tiers",
            .topic = topic,
            .symbols = {or_zero(amount(bytes, "bytes", "S", "sent to sites in the run")),
                        real("months", "m", "that it takes", 1e-3, 1e4)},
            .results = {result({"dollars", "c", "by the tiers of a list price", dollars, tiers}, {"bytes", "months"},
                               tiered_egress_dollars)},
            .source =
                "Amazon EC2 data transfer pricing: 0.09, 0.085, 0.07 and 0.05 $/GB in a month's first 10, next 40, "
                "next 100 and further TB",
            .notes = "Some object stores charge nothing for it."};
}

Formula wan_pipeline() {
    const Symbol batch = amount(tokens, "batch_tokens", "B", "tokens of a step");
    const Symbol hidden = whole("hidden", "h", "width of the activations", 1, 1e7);
    const Symbol bits = in("bit", otherwise(amount(bytes, "bits", "b", "bits of an activation on the wire"), 16));
    const Symbol stages = whole("stages", "p", "sites that hold a stage each", 1, 1e6);
    const Symbol rate = amount(flops_per_second, "stage_flops_per_second", "Q", "what one site computes in a second");
    return {
        .id = "wan-pipeline",
        .title = "Pipeline stages on sites of their own",
        .topic = topic,
        .symbols = {model(), batch, stages, rate, hidden, bits,
                    amount(bits_per_second, "bits_per_second", "W", "link between two sites, each way"),
                    otherwise(amount(share, "utilisation", "u", "share of the time to compute"), 0.9),
                    otherwise(amount(flops, "flops_per_parameter", "k", "FLOPs a parameter and token"), 6)},
        .results =
            {result({"seconds", "t", "activations of a step over one link", seconds,
                     "batch_tokens * hidden * bits / bits_per_second"},
                    {"batch_tokens", "hidden", "bits", "bits_per_second"}, wan_pipeline_seconds),
             result({"utilisation_bound", "u_0", "the most, with everything overlapped", share,
                     "min(1, flops_per_parameter * parameters * batch_tokens / (stages * stage_flops_per_second)"
                     " / (batch_tokens * hidden * bits / bits_per_second))"},
                    {"parameters", "batch_tokens", "stages", "stage_flops_per_second", "hidden", "bits",
                     "bits_per_second", "flops_per_parameter"},
                    wan_pipeline_utilisation),
             result(
                 {"needed_bits_per_second", "W_u", "link for the utilisation", bits_per_second,
                  "utilisation * hidden * bits * stages * stage_flops_per_second / (flops_per_parameter * parameters)"},
                 {"parameters", "stages", "stage_flops_per_second", "hidden", "bits", "utilisation",
                  "flops_per_parameter"},
                 wan_pipeline_bits)},
        .source =
            "SWARM, arXiv 2301.11913: computation grows with the cube of the width, communication with its square",
        .notes = "Forward activations go one way and gradients the other, as many; sequences may be of any length. For "
                 "models that no site holds."};
}

Formula rounds() {
    return {
        .id = "outer-rounds",
        .title = "Outer rounds of a run",
        .topic = topic,
        .symbols = {amount(tokens, "tokens", "D", "tokens of the run, all sites"),
                    amount(tokens, "batch_tokens", "B", "tokens of a site's step"),
                    whole("sites", "M", "sites", 1, 1e6), inner_steps()},
        .results = {result({"rounds", "R", "rounds", Quantity::number, "tokens / (batch_tokens * sites * inner_steps)"},
                           {"tokens", "batch_tokens", "sites", "inner_steps"}, outer_rounds)},
        .source = "DiLoCo, arXiv 2311.08105, section 2"};
}

Formula rejoin() {
    return {.id = "rejoin-time",
            .title = "A site that comes back",
            .topic = topic,
            .symbols = {model(), amount(bytes, "bytes_per_parameter", "b", "weights 2, with optimizer state 14"),
                        amount(bits_per_second, "bits_per_second", "W", "downlink of the site")},
            .results = {result({"seconds", "t", "downloading the state", seconds,
                                "parameters * bytes_per_parameter * 8 / bits_per_second"},
                               {"parameters", "bytes_per_parameter", "bits_per_second"}, rejoin_seconds)},
            .source = "Counted",
            .notes = "The same once at the start, for every site."};
}

Formula wall_clock() {
    const Symbol bits = in("bit", otherwise(amount(bytes, "bits", "b", "bits of a parameter on the wire"), 16));
    const Symbol each = otherwise(amount(flops, "flops_per_parameter", "k", "FLOPs a parameter and token"), 6);
    const Symbol fast = amount(bits_per_second, "fast_bits_per_second", "W_0", "network inside a replica");
    const Symbol slow = amount(bits_per_second, "slow_bits_per_second", "W_1", "network between replicas");
    constexpr std::string_view compute =
        "flops_per_parameter * parameters * tokens / (accelerators * flops_per_second)";
    constexpr std::string_view inner = "(2 * parameters * bits / fast_bits_per_second * (1 - replicas / accelerators)"
                                       " + fast_latency) * (tokens / batch_tokens)";
    constexpr std::string_view outer = "(2 * parameters * bits / slow_bits_per_second * (1 - 1 / accelerators)"
                                       " + slow_latency) * (tokens / batch_tokens) / inner_steps";
    constexpr std::string_view sum = "flops_per_parameter * parameters * tokens / (accelerators * flops_per_second)"
                                     " + (2 * parameters * bits / fast_bits_per_second * (1 - replicas / accelerators)"
                                     " + fast_latency) * (tokens / batch_tokens)"
                                     " + (2 * parameters * bits / slow_bits_per_second * (1 - 1 / accelerators)"
                                     " + slow_latency) * (tokens / batch_tokens) / inner_steps";
    return {.id = "wall-clock",
            .title = "Wall clock of DiLoCo",
            .topic = topic,
            .symbols = {model(), amount(tokens, "tokens", "D", "tokens of the run"),
                        whole("accelerators", "R", "accelerators of all replicas"),
                        amount(flops_per_second, "flops_per_second", "Q", "what an accelerator computes in a second"),
                        amount(tokens, "batch_tokens", "B", "tokens of all replicas' step"), replicas(2), inner_steps(),
                        bits, fast, or_zero(amount(seconds, "fast_latency", "e_0", "of it")), slow,
                        or_zero(amount(seconds, "slow_latency", "e_1", "of it")), each},
            .results = {result({"seconds", "t", "duration", seconds, sum},
                               {"parameters", "tokens", "accelerators", "flops_per_second", "batch_tokens", "replicas",
                                "inner_steps", "bits", "fast_bits_per_second", "fast_latency", "slow_bits_per_second",
                                "slow_latency", "flops_per_parameter"},
                               wall_clock_seconds),
                        result({"compute_seconds", "t_c", "computing", seconds, compute},
                               {"parameters", "tokens", "accelerators", "flops_per_second", "flops_per_parameter"},
                               wall_clock_compute),
                        result({"inner_seconds", "t_0", "all-reduces inside replicas", seconds, inner},
                               {"parameters", "tokens", "accelerators", "batch_tokens", "replicas", "bits",
                                "fast_bits_per_second", "fast_latency"},
                               wall_clock_inner),
                        result({"outer_seconds", "t_1", "all-reduces between replicas", seconds, outer},
                               {"parameters", "tokens", "accelerators", "batch_tokens", "inner_steps", "bits",
                                "slow_bits_per_second", "slow_latency"},
                               wall_clock_outer)},
            .source = "Charles and others, DiLoCo scaling laws, arXiv 2503.09799, appendix A",
            .notes = "Nothing overlaps in this model."};
}

Formula loss() {
    return {
        .id = "diloco-loss",
        .title = "Loss and settings of DiLoCo",
        .topic = topic,
        .symbols = {model(), replicas(1)},
        .results = {result({"loss", "L", "joint fit, nats a token", Quantity::number,
                            "19.226 * parameters ^ (-0.0985) * replicas ^ 0.0116"},
                           {"parameters", "replicas"}, diloco_loss),
                    result({"data_parallel_loss", "L_0", "data-parallel training", Quantity::number,
                            "18.129 * parameters ^ (-0.0953)"},
                           {"parameters"}, data_parallel_loss),
                    result({"learning_rate", "r", "best inner learning rate", Quantity::number,
                            "22256 * parameters ^ (-0.8827) * replicas ^ 0.2929"},
                           {"parameters", "replicas"}, diloco_learning_rate),
                    result({"batch_tokens", "B", "best batch of all replicas", tokens,
                            "0.00709 * parameters ^ 0.4695 * replicas ^ 0.3399 * 2048"},
                           {"parameters", "replicas"}, diloco_batch_tokens)},
        .source = charles,
        .notes =
            "Fitted on 35M to 2.4B parameters, up to 8 replicas, 30 inner steps, 20 tokens a parameter. The fits of "
            "data parallelism and DiLoCo cross further out, where neither was measured: beyond 10B compare the "
            "band of loss-penalty instead. The batch law is in sequences of 2,048 tokens."};
}

Formula penalty() {
    const Symbol slope =
        otherwise(real("slope", "a", "growth of ln loss with ln replicas at 10^9 parameters", 0, 1), 0.0103);
    const Symbol exponent = otherwise(real("exponent", "x", "how that shrinks with parameters", -1, 0), -0.2136);
    const Symbol offset = otherwise(real("offset", "c", "of the fit", -0.1, 0.1), -0.00756);
    const Symbol low = otherwise(real("step_slope_low", "h_0", "growth with ln(inner steps / 30), low", 0, 1), 0);
    const Symbol high = otherwise(real("step_slope_high", "h_1", "the same, high", 0, 1), 0.0092);
    return {
        .id = "loss-penalty",
        .title = "Loss that DiLoCo costs",
        .topic = topic,
        .symbols = {model(), replicas(2), inner_steps(), slope, exponent, offset, low, high},
        .results = {result({"high", "p_1", "relative growth of the loss, upper end", share,
                            "exp(max(0, slope * (parameters / 1e9) ^ exponent * ln(replicas) + offset"
                            " + step_slope_high * max(0, ln(inner_steps / 30)))) - 1"},
                           {"parameters", "replicas", "inner_steps", "slope", "exponent", "offset", "step_slope_high"},
                           loss_penalty),
                    result({"low", "p_0", "lower end", share,
                            "exp(max(0, slope * (parameters / 1e9) ^ exponent * ln(replicas) + offset"
                            " + step_slope_low * max(0, ln(inner_steps / 30)))) - 1"},
                           {"parameters", "replicas", "inner_steps", "slope", "exponent", "offset", "step_slope_low"},
                           loss_penalty)},
        .source = "Fitted to arXiv 2503.09799 (replicas) and to arXiv 2501.18512, table 6 (inner steps)",
        .notes = "A band, not validated beyond 2.4B parameters and 8 replicas. What compression costs is not in it. "
                 "Where the fit gives a gain, which is within its error, the penalty is 0."};
}

Formula optimal_equivalent() {
    return {.id = "compute-for-optimal-loss",
            .title = "Computation that a loss is worth, compute-optimal",
            .topic = topic,
            .symbols = {amount(flops, "flops", "C", "computation of the training"),
                        or_zero(amount(share, "growth", "p", "relative growth of the loss")),
                        otherwise(choice("law", "l", "whose fit", {"chinchilla", "besiroglu"}), 1),
                        otherwise(amount(flops, "flops_per_parameter", "k", "FLOPs a parameter and token"), 6)},
            .results = {result({"times", "f", "computation that makes up for it", Quantity::number},
                               {"flops", "growth", "law", "flops_per_parameter"}, compute_for_optimal_loss)},
            .source = "Besiroglu and others, arXiv 2404.10102; Hoffmann and others, arXiv 2203.15556, equation 4",
            .notes = "Near the irreducible loss a percent is worth much: 2.1 times the computation at 1e24 FLOP, 2.8 "
                     "times at 1e25. A power law without one says 1.23 times."};
}

Formula equivalent() {
    return {.id = "compute-for-loss",
            .title = "Computation that a loss is worth",
            .topic = topic,
            .symbols = {or_zero(amount(share, "growth", "p", "relative growth of the loss")),
                        otherwise(real("exponent", "x", "loss falls with this power of computation", 1e-3, 1), 0.0477)},
            .results = {result(
                {"times", "f", "computation that makes up for it", Quantity::number, "(1 + growth) ^ (1 / exponent)"},
                {"growth", "exponent"}, compute_for_loss)},
            .source = charles,
            .notes =
                "1 % of loss is 1.23 times the computation by this law, and twice or more by laws with an irreducible "
                "loss (compute-optimal): give a band."};
}

} // namespace

std::vector<Formula> outer_formulas() {
    return {interval(), utilised(), bandwidth(), bound(),  lag(),         lagging(),
            star(),     rounds(),   rejoin(),    egress(), wan_pipeline()};
}

std::vector<Formula> diloco_formulas() {
    return {wall_clock(), loss(), penalty(), equivalent(), optimal_equivalent()};
}

} // namespace meshwright::catalogue
