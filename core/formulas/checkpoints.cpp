// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/checkpoints.h"

#include "formulas/catalogue.h"

namespace meshwright::catalogue {

using namespace formula;
using enum Quantity;

namespace {

Symbol mtbf() {
    return amount(seconds, "mtbf_seconds", "M", "mean time between failures that stop the run");
}
Symbol write() {
    return or_zero(amount(seconds, "write_seconds", "w", "training time blocked by one checkpoint"));
}
Symbol interval() {
    return amount(seconds, "interval_seconds", "i", "training time between two checkpoints");
}
Symbol recovery() {
    return otherwise(or_zero(amount(seconds, "recovery_seconds", "r", "time from a failure until training resumes")),
                     0);
}

Formula size() {
    return {
        .id = "checkpoint-size",
        .title = "Checkpoint size",
        .topic = topic::checkpoints_and_failures,
        .symbols = {amount(parameters, "parameters", "P", "trained parameters"),
                    per_parameter("weight_bytes", "b_w", "bytes per weight; 0 to count only the optimizer states", 2),
                    per_parameter("master_bytes", "b_m", "bytes per FP32 master weight", 4),
                    per_parameter("momentum_bytes", "b_1", "bytes of Adam's first moment per parameter", 4),
                    per_parameter("variance_bytes", "b_2", "bytes of Adam's second moment per parameter", 4)},
        .results = {result({"bytes", "S", "checkpoint", bytes},
                           {"parameters", "weight_bytes", "master_bytes", "momentum_bytes", "variance_bytes"},
                           checkpoint_bytes)},
        .source = "Counted for Adam (arXiv 1412.6980) in mixed precision (arXiv 1710.03740)"};
}

Formula writing() {
    return {.id = "checkpoint-write",
            .title = "Checkpoint write time",
            .topic = topic::checkpoints_and_failures,
            .symbols = {amount(bytes, "bytes", "S", "checkpoint"),
                        amount(bytes_per_second, "bandwidth", "B", "write bandwidth per writer"),
                        otherwise(whole("writers", "n", "ranks that write their shards in parallel"), 1),
                        amount(bytes_per_second, "store_bandwidth", "B_s", "total write bandwidth of the store")},
            .results = {result({"seconds", "t", "duration", seconds}, {"bytes", "bandwidth", "writers"},
                               checkpoint_write_seconds),
                        result({"stored_seconds", "t_s", "write time limited by the store", seconds},
                               {"bytes", "bandwidth", "writers", "store_bandwidth"}, stored_write_seconds)},
            .source = "Definition",
            .notes = "More writers help only until the store is the bottleneck."};
}

Formula intervals() {
    return {.id = "checkpoint-interval",
            .title = "Checkpoint interval",
            .topic = topic::checkpoints_and_failures,
            .symbols = {mtbf(), write(), recovery(),
                        or_zero(amount(seconds, "stored_seconds", "w_s", "time to store one checkpoint"))},
            .results = {result({"young_seconds", "i_Y", "optimal interval, first order", seconds},
                               {"mtbf_seconds", "write_seconds"}, young_interval),
                        result({"daly_seconds", "i_D", "optimal interval, higher order", seconds},
                               {"mtbf_seconds", "write_seconds"}, daly_interval),
                        result({"waste_fraction", "f", "lost time / training time at Young's interval", share},
                               {"mtbf_seconds", "write_seconds", "recovery_seconds"}, young_waste),
                        result({"interval_seconds", "i", "optimal interval, but no shorter than one write", seconds},
                               {"mtbf_seconds", "write_seconds", "stored_seconds"}, checkpoint_interval)},
            .source =
                "Young, A first order approximation to the optimum checkpoint interval, 1974; Daly, A higher order "
                "estimate of the optimum checkpoint interval, 2006, equation 37",
            .notes = "Writes and repeated work each cause half of the lost time. A published loss of 2.4%, for a "
                     "98 s checkpoint every 68.5 min, counts only the writes. If writes hardly block training, Young's "
                     "interval is shorter than one write, and the store's bandwidth limits the interval."};
}

Formula waste() {
    return {
        .id = "checkpoint-waste",
        .title = "Checkpoint overhead and goodput",
        .topic = topic::checkpoints_and_failures,
        .symbols = {mtbf(), write(), interval(), recovery()},
        .results = {result({"waste_fraction", "f", "lost time / training time", share},
                           {"mtbf_seconds", "write_seconds", "interval_seconds", "recovery_seconds"}, checkpoint_waste),
                    result({"goodput", "g", "fraction of time spent training", share},
                           {"mtbf_seconds", "write_seconds", "interval_seconds", "recovery_seconds"},
                           checkpoint_goodput)},
        .source = "Young 1974, plus recovery time",
        .notes = "First order: failures during a write or a recovery are not counted."};
}

Formula failure() {
    return {
        .id = "failure-cost",
        .title = "Cost of a failure",
        .topic = topic::checkpoints_and_failures,
        .symbols = {whole("accelerators", "n", "accelerators stopped by the failure"),
                    or_zero(amount(dollars_per_hour, "price_per_hour", "c", "rental price per accelerator")),
                    interval(),
                    or_zero(amount(seconds, "write_seconds", "w", "training time blocked by one checkpoint")),
                    or_zero(amount(seconds, "recovery_seconds", "r", "time from a failure until training resumes"))},
        .results = {result({"dollars", "K", "cost of a failure: half an interval plus the recovery", dollars},
                           {"accelerators", "price_per_hour", "interval_seconds", "recovery_seconds"}, failure_dollars),
                    result({"lost_seconds", "t", "time lost", seconds}, {"interval_seconds", "recovery_seconds"},
                           failure_lost_seconds),
                    result({"write_dollars", "K_w", "cost of each checkpoint, with or without failures", dollars},
                           {"accelerators", "price_per_hour", "write_seconds"}, checkpoint_write_dollars)},
        .source = "Young 1974: a failure loses half an interval on average",
        .notes = "The time of the last checkpoint write is not counted as lost; published values that differ by a few "
                 "percent count it or round the interval."};
}

Formula failures() {
    return {.id = "expected-failures",
            .title = "Expected failures of a run",
            .topic = topic::checkpoints_and_failures,
            .symbols = {amount(seconds, "seconds", "T", "duration"),
                        otherwise(amount(seconds, "accelerator_mtbf_seconds", "m",
                                         "mean time between failures of one accelerator"),
                                  50677.0 * 3600),
                        whole("accelerators", "n", "accelerators in the job; one failure stops them all")},
            .results = {result({"failures", "k", "expected failures", Quantity::number},
                               {"seconds", "accelerator_mtbf_seconds", "accelerators"}, expected_failures),
                        result({"mtbf_seconds", "M", "mean time between failures of the job", seconds},
                               {"accelerator_mtbf_seconds", "accelerators"}, job_mtbf),
                        result({"no_failure_probability", "q", "probability of no failure", share},
                               {"seconds", "accelerator_mtbf_seconds", "accelerators"}, no_failure_probability)},
            .source = "Independent exponential lifetimes; the default is from Llama 3, arXiv 2407.21783, section "
                      "3.3.4: 419 interruptions in 54 days on 16,384 accelerators"};
}

Formula site() {
    return {.id = "site-availability",
            .title = "Availability of a site",
            .topic = topic::checkpoints_and_failures,
            .symbols = {mtbf(), or_zero(amount(seconds, "repair_seconds", "r", "downtime of a site per failure")),
                        otherwise(or_zero(amount(seconds, "rejoin_seconds", "j",
                                                 "time for a recovered site to rejoin training")),
                                  0)},
            .results = {result({"availability", "a", "fraction of time that the site trains", share},
                               {"mtbf_seconds", "repair_seconds", "rejoin_seconds"}, availability)},
            .source = "Renewal theory: mean uptime / mean cycle time"};
}

} // namespace

std::vector<Formula> checkpoint_formulas() {
    return {size(), writing(), intervals(), waste(), failure(), failures(), site()};
}

} // namespace meshwright::catalogue
