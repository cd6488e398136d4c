// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/outer_loop.h"

#include "formulas/catalogue.h"

namespace meshwright::catalogue {

using namespace formula;
using enum Quantity;

namespace {

constexpr std::string_view charles = "Charles et al., DiLoCo scaling laws, arXiv 2503.09799";

Symbol model() {
    return amount(parameters, "parameters", "N", "parameters");
}
Symbol replicas(double low) {
    return whole("replicas", "M", "replicas", low, 1e6);
}
Symbol inner_steps() {
    return whole("inner_steps", "H", "inner steps per round");
}
Symbol step_time() {
    return amount(seconds, "step_seconds", "t", "time of one inner step");
}

Formula interval() {
    return {.id = "outer-interval",
            .title = "Length of an outer round",
            .topic = topic::diloco,
            .symbols = {step_time(), inner_steps()},
            .results = {result({"seconds", "T", "compute time per round", seconds}, {"step_seconds", "inner_steps"},
                               outer_interval_seconds)},
            .source = "DiLoCo, arXiv 2311.08105, section 2",
            .notes = "128 steps take 53 min at 25 s per step and 49 min at 23 s: both published figures are right, for "
                     "different step times."};
}

Formula utilised() {
    return {.id = "diloco-utilisation",
            .title = "Compute utilization with blocking synchronization",
            .topic = topic::diloco,
            .symbols = {amount(seconds, "inner_seconds", "T", "compute time per round"),
                        or_zero(amount(seconds, "sync_seconds", "x", "exposed synchronization time per round"))},
            .results = {result({"utilisation", "u", "compute utilization", share}, {"inner_seconds", "sync_seconds"},
                               outer_utilisation)},
            .source = "INTELLECT-1, arXiv 2412.01152, table 2"};
}

Formula bandwidth() {
    return {
        .id = "diloco-bandwidth",
        .title = "Bandwidth for a target compute utilization",
        .topic = topic::diloco,
        .symbols = {model(), step_time(), inner_steps(),
                    otherwise(whole("fragments", "P", "fragments, synchronized separately", 1, 1e6), 1),
                    otherwise(whole("overlap_steps", "o", "overlap: allowed delay of an update, in steps", 0, 1e6), 0),
                    in("bit", otherwise(amount(bytes, "bits", "b", "bits sent per parameter"), 16)), replicas(2),
                    amount(share, "utilisation", "u", "target compute utilization"),
                    otherwise(whole("buckets", "K", "gradient buckets per step", 1, 1e6), 128)},
        .results = {result({"bits_per_second", "W", "required link rate", bits_per_second},
                           {"parameters", "step_seconds", "inner_steps", "fragments", "overlap_steps", "bits",
                            "replicas", "utilisation", "buckets"},
                           diloco_bits_per_second)},
        .source =
            "Closed form of the bandwidth simulator of Streaming DiLoCo's authors; paper: arXiv 2501.18512, table 4",
        .notes = "The paper's table uses a grid of 50 rates, each 20% above the previous one; 72 of its 75 "
                 "cells lie within 20% of this formula. With one inner step, the formula describes data parallelism."};
}

Formula bound() {
    const Symbol up = or_zero(amount(seconds, "up_seconds", "t_u", "upload time of a round's updates"));
    const Symbol down = or_zero(amount(seconds, "down_seconds", "t_d", "download time of a round's updates"));
    return {
        .id = "outer-round",
        .title = "Link limits of an outer round",
        .topic = topic::diloco,
        .symbols = {amount(seconds, "inner_seconds", "T", "compute time per round"), up, down,
                    otherwise(flag("full_duplex", "f", "1 if both directions transfer simultaneously, otherwise 0"), 1),
                    amount(seconds, "transfer_seconds", "x", "one fragment's upload and download time"), step_time()},
        .results = {result({"utilisation_bound", "u", "maximum compute utilization with full overlap", share},
                           {"inner_seconds", "up_seconds", "down_seconds", "full_duplex"}, outer_throughput_bound),
                    result({"overlap_steps", "o", "minimum overlap that hides the transfer", count},
                           {"transfer_seconds", "step_seconds"}, inner_steps_to_hide)},
        .source = "Derived: a link saturates when a round's transfers take longer than its compute",
        .notes = "Example: with updates of 36 GB in each direction (a quarter of the values, plus a bitmap) and rounds "
                 "of 53 min, a full-duplex link of 100 Mb/s has a load of 90%, and a half-duplex link is too slow."};
}

Formula lag() {
    const Symbol up = or_zero(amount(seconds, "up_seconds", "t_u", "upload time of one fragment"));
    const Symbol down = or_zero(amount(seconds, "down_seconds", "t_d", "download time of one fragment"));
    return {
        .id = "outer-lag",
        .title = "Lag of a fragment's average",
        .topic = topic::diloco,
        .symbols = {up, down, otherwise(whole("together", "b", "fragments sent in one step", 1, 1e6), 1),
                    otherwise(or_zero(amount(seconds, "round_trip_seconds", "R", "round-trip time to the aggregator")),
                              0),
                    otherwise(or_zero(amount(seconds, "waiting_seconds", "w", "time spent waiting for the quorum")),
                              0)},
        .results = {result({"lag_seconds", "L", "time from sending an update to receiving its average", seconds},
                           {"up_seconds", "down_seconds", "together", "round_trip_seconds", "waiting_seconds"},
                           fragment_lag)},
        .source = "Derived: fragments sent together queue for the uplink, then for the downlink",
        .notes =
            "The lag is hidden if it is at most the overlap; otherwise the site waits for every fragment of a round."};
}

Formula lagging() {
    return {.id = "outer-stalls",
            .title = "Compute utilization with late averages",
            .topic = topic::diloco,
            .symbols = {amount(seconds, "inner_seconds", "T", "compute time per round"),
                        otherwise(whole("fragments", "P", "fragments, synchronized separately", 1, 1e6), 1),
                        or_zero(amount(seconds, "lag_seconds", "L",
                                       "time from sending a fragment's update to receiving its average")),
                        or_zero(amount(seconds, "overlap_seconds", "o", "allowed delay of an average"))},
            .results = {result({"utilisation", "u", "compute utilization", share},
                               {"inner_seconds", "fragments", "lag_seconds", "overlap_seconds"}, lagging_utilisation)},
            .source = "Derived: the site waits for each fragment separately, and the queue drains in between",
            .notes = "On an overloaded link the queue persists, and the wait is longer than this formula gives."};
}

Formula star() {
    const Symbol up = in("bit", or_zero(amount(bytes, "up_bits", "S_u", "bits sent per round")));
    const Symbol down = in("bit", or_zero(amount(bytes, "down_bits", "S_d", "bits received per round")));
    return {.id = "outer-star-bandwidth",
            .title = "Site-to-aggregator link rate for a target compute utilization",
            .topic = topic::diloco,
            .symbols =
                {up, down, amount(seconds, "inner_seconds", "T", "compute time per round"), step_time(),
                 otherwise(whole("fragments", "P", "fragments, synchronized separately", 1, 1e6), 1), inner_steps(),
                 otherwise(whole("overlap_steps", "o", "overlap: allowed delay of an update, in steps", 0, 1e6), 0),
                 amount(share, "utilisation", "u", "target compute utilization"),
                 otherwise(or_zero(amount(seconds, "round_trip_seconds", "R", "round-trip time to the aggregator")), 0),
                 otherwise(flag("full_duplex", "f", "1 if both directions transfer simultaneously, otherwise 0"), 1)},
            .results = {result({"bits_per_second", "W", "required rate per direction", bits_per_second},
                               {"up_bits", "down_bits", "inner_seconds", "step_seconds", "fragments", "inner_steps",
                                "overlap_steps", "utilisation", "round_trip_seconds", "full_duplex"},
                               star_bits_per_second)},
            .source = "Derived: the higher of the rates required by the round's throughput and by a fragment's lag",
            .notes = "Infinite if the round-trip time alone exceeds the overlap plus the allowed stalls."};
}

Formula egress() {
    return {.id = "egress-tiers",
            .title = "Tiered cloud egress cost",
            .topic = topic::diloco,
            .symbols = {or_zero(amount(bytes, "bytes", "S", "bytes sent to sites over the run")),
                        real("months", "m", "duration of the run in months", 1e-3, 1e4)},
            .results = {result({"dollars", "c", "cost at tiered list prices", dollars}, {"bytes", "months"},
                               tiered_egress_dollars)},
            .source = "Amazon EC2 data transfer pricing: 0.09, 0.085, 0.07 and 0.05 $/GB for the first 10 TB per "
                      "month, the next 40 TB, the next 100 TB, and the rest",
            .notes = "Some object stores charge nothing for egress."};
}

Formula wan_pipeline() {
    const Symbol batch = amount(tokens, "batch_tokens", "B", "tokens per step");
    const Symbol hidden = whole("hidden", "h", "hidden size of the activations", 1, 1e7);
    const Symbol bits = in("bit", otherwise(amount(bytes, "bits", "b", "bits sent per activation"), 16));
    const Symbol stages = whole("stages", "p", "sites, each with one pipeline stage", 1, 1e6);
    const Symbol rate = amount(flops_per_second, "stage_flops_per_second", "Q", "sustained FLOP/s of one site");
    return {
        .id = "wan-pipeline",
        .title = "Pipeline parallelism across sites",
        .topic = topic::diloco,
        .symbols = {model(), batch, stages, rate, hidden, bits,
                    amount(bits_per_second, "bits_per_second", "W", "link rate between two sites, per direction"),
                    otherwise(amount(share, "utilisation", "u", "target compute utilization"), 0.9),
                    otherwise(amount(flops, "flops_per_parameter", "k", "FLOPs per parameter and token"), 6)},
        .results = {result({"seconds", "t", "time to send a step's activations over one link", seconds},
                           {"batch_tokens", "hidden", "bits", "bits_per_second"}, wan_pipeline_seconds),
                    result({"utilisation_bound", "u_0", "maximum compute utilization with full overlap", share},
                           {"parameters", "batch_tokens", "stages", "stage_flops_per_second", "hidden", "bits",
                            "bits_per_second", "flops_per_parameter"},
                           wan_pipeline_utilisation),
                    result({"needed_bits_per_second", "W_u", "link rate required for the utilization", bits_per_second},
                           {"parameters", "stages", "stage_flops_per_second", "hidden", "bits", "utilisation",
                            "flops_per_parameter"},
                           wan_pipeline_bits)},
        .source = "SWARM, arXiv 2301.11913: computation grows with the cube of the hidden size, communication with its "
                  "square",
        .notes = "Activations flow in one direction and the same number of gradients in the other; the sequence length "
                 "does not matter. This method is for models that do not fit at any single site."};
}

Formula rounds() {
    return {.id = "outer-rounds",
            .title = "Outer rounds of a run",
            .topic = topic::diloco,
            .symbols = {amount(tokens, "tokens", "D", "tokens of the run at all sites"),
                        amount(tokens, "batch_tokens", "B", "tokens per step of one site"),
                        whole("sites", "M", "sites", 1, 1e6), inner_steps()},
            .results = {result({"rounds", "R", "rounds", Quantity::number},
                               {"tokens", "batch_tokens", "sites", "inner_steps"}, outer_rounds)},
            .source = "DiLoCo, arXiv 2311.08105, section 2"};
}

Formula rejoin() {
    return {.id = "rejoin-time",
            .title = "Rejoin time of a site",
            .topic = topic::diloco,
            .symbols = {model(),
                        amount(bytes, "bytes_per_parameter", "b",
                               "bytes per parameter: 2 for weights, 14 with optimizer states"),
                        amount(bits_per_second, "bits_per_second", "W", "downlink rate of the site")},
            .results = {result({"seconds", "t", "time to download the state", seconds},
                               {"parameters", "bytes_per_parameter", "bits_per_second"}, rejoin_seconds)},
            .source = "Counted",
            .notes = "Every site needs the same download once at the start."};
}

Formula wall_clock() {
    const Symbol bits = in("bit", otherwise(amount(bytes, "bits", "b", "bits sent per parameter"), 16));
    const Symbol each = otherwise(amount(flops, "flops_per_parameter", "k", "FLOPs per parameter and token"), 6);
    const Symbol fast = amount(bits_per_second, "fast_bits_per_second", "W_0", "network rate inside a replica");
    const Symbol slow = amount(bits_per_second, "slow_bits_per_second", "W_1", "network rate between replicas");
    return {.id = "wall-clock",
            .title = "Wall-clock time of DiLoCo",
            .topic = topic::diloco,
            .symbols = {model(), amount(tokens, "tokens", "D", "tokens of the run"),
                        whole("accelerators", "R", "accelerators of all replicas"),
                        amount(flops_per_second, "flops_per_second", "Q", "sustained FLOP/s per accelerator"),
                        amount(tokens, "batch_tokens", "B", "tokens per step, all replicas"), replicas(2),
                        inner_steps(), bits, fast,
                        or_zero(amount(seconds, "fast_latency", "e_0", "latency inside a replica")), slow,
                        or_zero(amount(seconds, "slow_latency", "e_1", "latency between replicas")), each},
            .results = {result({"seconds", "t", "duration", seconds},
                               {"parameters", "tokens", "accelerators", "flops_per_second", "batch_tokens", "replicas",
                                "inner_steps", "bits", "fast_bits_per_second", "fast_latency", "slow_bits_per_second",
                                "slow_latency", "flops_per_parameter"},
                               wall_clock_seconds),
                        result({"compute_seconds", "t_c", "compute time", seconds},
                               {"parameters", "tokens", "accelerators", "flops_per_second", "flops_per_parameter"},
                               wall_clock_compute),
                        result({"inner_seconds", "t_0", "time of all-reduces inside replicas", seconds},
                               {"parameters", "tokens", "accelerators", "batch_tokens", "replicas", "bits",
                                "fast_bits_per_second", "fast_latency"},
                               wall_clock_inner),
                        result({"outer_seconds", "t_1", "time of all-reduces between replicas", seconds},
                               {"parameters", "tokens", "accelerators", "batch_tokens", "inner_steps", "bits",
                                "slow_bits_per_second", "slow_latency"},
                               wall_clock_outer)},
            .source = "Charles et al., DiLoCo scaling laws, arXiv 2503.09799, appendix A",
            .notes = "This model assumes that communication does not overlap with compute."};
}

Formula loss() {
    return {.id = "diloco-loss",
            .title = "Loss and hyperparameters of DiLoCo",
            .topic = topic::diloco,
            .symbols = {model(), replicas(1)},
            .results = {result({"loss", "L", "DiLoCo loss under the joint fit, nats per token", Quantity::number},
                               {"parameters", "replicas"}, diloco_loss),
                        result({"data_parallel_loss", "L_0", "loss of data-parallel training", Quantity::number},
                               {"parameters"}, data_parallel_loss),
                        result({"learning_rate", "r", "optimal inner learning rate", Quantity::number},
                               {"parameters", "replicas"}, diloco_learning_rate),
                        result({"batch_tokens", "B", "optimal batch size of all replicas", tokens},
                               {"parameters", "replicas"}, diloco_batch_tokens)},
            .source = charles,
            .notes = "Fitted on models of 35M to 2.4B parameters with up to 8 replicas, 30 inner steps and 20 tokens "
                     "per parameter. The fits for data parallelism and DiLoCo cross at larger sizes, where neither was "
                     "measured; beyond 10B parameters, use the range from loss-penalty instead. The batch-size law "
                     "counts sequences of 2,048 tokens."};
}

Formula penalty() {
    const Symbol slope =
        otherwise(real("slope", "a", "slope of ln(loss) vs. ln(replicas) at 10^9 parameters", 0, 1), 0.0103);
    const Symbol exponent =
        otherwise(real("exponent", "x", "exponent x: the slope scales as (parameters / 10^9)^x", -1, 0), -0.2136);
    const Symbol offset = otherwise(
        real("offset", "c", "constant term of the fitted ln(loss / data-parallel loss)", -0.1, 0.1), -0.00756);
    const Symbol low = otherwise(
        real("step_slope_low", "h_0", "lower bound on the slope of ln(loss) vs. ln(inner steps / 30)", 0, 1), 0);
    const Symbol high = otherwise(
        real("step_slope_high", "h_1", "upper bound on the slope of ln(loss) vs. ln(inner steps / 30)", 0, 1), 0.0092);
    return {
        .id = "loss-penalty",
        .title = "DiLoCo loss penalty",
        .topic = topic::diloco,
        .symbols = {model(), replicas(2), inner_steps(), slope, exponent, offset, low, high},
        .results = {result({"high", "p_1", "upper bound of the relative loss increase", share},
                           {"parameters", "replicas", "inner_steps", "slope", "exponent", "offset", "step_slope_high"},
                           loss_penalty),
                    result({"low", "p_0", "lower bound of the relative loss increase", share},
                           {"parameters", "replicas", "inner_steps", "slope", "exponent", "offset", "step_slope_low"},
                           loss_penalty)},
        .source = "Fitted to arXiv 2503.09799 (replicas) and to arXiv 2501.18512, table 6 (inner steps)",
        .notes = "The range is not validated beyond 2.4B parameters and 8 replicas, and it excludes the effect of "
                 "compression. Where the fit predicts a lower loss than data parallelism (by less than the fit's "
                 "error), the penalty is 0."};
}

Formula optimal_equivalent() {
    return {.id = "compute-for-optimal-loss",
            .title = "Compute equivalent of a loss increase in compute-optimal training",
            .topic = topic::diloco,
            .symbols = {amount(flops, "flops", "C", "training compute"),
                        or_zero(amount(share, "growth", "p", "relative loss increase")),
                        otherwise(choice("law", "l", "loss law", {"chinchilla", "besiroglu"}), 1),
                        otherwise(amount(flops, "flops_per_parameter", "k", "FLOPs per parameter and token"), 6)},
            .results = {result({"times", "f", "compute factor that offsets the loss increase", Quantity::number},
                               {"flops", "growth", "law", "flops_per_parameter"}, compute_for_optimal_loss)},
            .source = "Besiroglu et al., arXiv 2404.10102; Hoffmann et al., arXiv 2203.15556, equation 4",
            .notes =
                "Near the irreducible loss, offsetting a 1% loss increase takes 2.1 times the compute at 1e24 FLOP "
                "and 2.8 times at 1e25. Under a power law without an irreducible loss, it takes 1.23 times."};
}

Formula equivalent() {
    return {
        .id = "compute-for-loss",
        .title = "Compute equivalent of a loss increase",
        .topic = topic::diloco,
        .symbols = {or_zero(amount(share, "growth", "p", "relative loss increase")),
                    otherwise(real("exponent", "x", "exponent x of the power law loss ~ compute^-x", 1e-3, 1), 0.0477)},
        .results = {result({"times", "f", "compute factor that offsets the loss increase", Quantity::number},
                           {"growth", "exponent"}, compute_for_loss)},
        .source = charles,
        .notes =
            "Under this law, offsetting a 1% loss increase takes 1.23 times the compute; under compute-optimal laws "
            "with an irreducible loss, it takes 2 times the compute or more. Report a range."};
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
