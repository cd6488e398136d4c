// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/failure_losses.h"

#include "formulas/catalogue.h"

namespace meshwright::catalogue {

using namespace formula;
using enum Quantity;

namespace {

Symbol accelerators() {
    return whole("accelerators", "n", "accelerators in the job; one failure stops them all");
}
Symbol price() {
    return or_zero(amount(dollars_per_hour, "price_per_hour", "c", "rental price per accelerator"));
}
Symbol recovery() {
    return otherwise(or_zero(amount(seconds, "recovery_seconds", "r", "time from a failure until training resumes")),
                     0);
}

Formula crash() {
    return {.id = "crash-cost",
            .title = "Work lost to a crash at a step",
            .topic = topic::checkpoints_and_failures,
            .symbols = {whole("step", "i", "steps trained when the run crashes", 0, 1e12),
                        whole("checkpoint_steps", "i_c", "steps between two checkpoints", 1, 1e12),
                        amount(seconds, "step_seconds", "t", "step time"), recovery(), accelerators(), price()},
            .results = {result({"lost_steps", "n_l", "steps since the last checkpoint, to be repeated", count},
                               {"step", "checkpoint_steps"}, crash_lost_steps),
                        result({"lost_seconds", "t_l", "time for repeated steps and the recovery", seconds},
                               {"step", "checkpoint_steps", "step_seconds", "recovery_seconds"}, crash_lost_seconds),
                        in("h",
                           result({"accelerator_hours", "h", "accelerator-hours lost", seconds},
                                  {"step", "checkpoint_steps", "step_seconds", "recovery_seconds", "accelerators"},
                                  crash_lost_hours)),
                        result({"dollars", "K", "rental cost of the lost time", dollars},
                               {"step", "checkpoint_steps", "step_seconds", "recovery_seconds", "accelerators",
                                "price_per_hour"},
                               crash_dollars)},
            .source = "Derived: a run resumes at its last checkpoint",
            .notes = "A checkpoint due at the step of the crash counts as written. For a run without checkpoints, "
                     "enter a checkpoint interval longer than the run."};
}

Formula losses() {
    return {
        .id = "failure-losses",
        .title = "Days and cost of failures over a run",
        .topic = topic::checkpoints_and_failures,
        .symbols = {in("days", amount(seconds, "days", "T", "training time without failures and checkpoint writes")),
                    amount(seconds, "mtbf_seconds", "M", "mean time between failures that stop the run"),
                    amount(seconds, "interval_seconds", "i", "training time between two checkpoints"),
                    otherwise(or_zero(amount(seconds, "write_seconds", "w", "training time blocked by one checkpoint")),
                              0),
                    recovery(), accelerators(), price()},
        .results =
            {result({"failures", "k", "expected failures", Quantity::number}, {"days", "mtbf_seconds"}, run_failures),
             in("days",
                result({"lost_days", "T_l", "time for repeated steps and recoveries", seconds},
                       {"days", "mtbf_seconds", "interval_seconds", "recovery_seconds"}, failure_lost_days)),
             result({"dollars", "K", "rental cost of the time lost to failures", dollars},
                    {"days", "mtbf_seconds", "interval_seconds", "recovery_seconds", "accelerators", "price_per_hour"},
                    failures_dollars),
             in("days",
                result({"waste_days", "T_w", "time lost to failures and checkpoint writes", seconds},
                       {"days", "mtbf_seconds", "write_seconds", "interval_seconds", "recovery_seconds"}, waste_days)),
             result({"waste_dollars", "K_w", "rental cost of the time lost to failures and checkpoint writes", dollars},
                    {"days", "mtbf_seconds", "write_seconds", "interval_seconds", "recovery_seconds", "accelerators",
                     "price_per_hour"},
                    waste_dollars)},
        .source = "Young 1974, plus recovery time, over a whole run",
        .notes = "First order: failures during repeated steps, writes and recoveries are not counted."};
}

Formula point() {
    return {.id = "mfu-value",
            .title = "Value of one percentage point of MFU",
            .topic = topic::cost_and_energy,
            .symbols = {amount(flops, "flops", "C", "FLOPs"), whole("accelerators", "n", "accelerators"),
                        amount(flops_per_second, "peak", "Q", "dense peak per accelerator"),
                        amount(share, "mfu", "U", "model FLOPs utilization"),
                        otherwise(amount(share, "gain", "g", "MFU increase"), 0.01), price()},
            .results = {in("days",
                           result({"days", "T", "training days saved", seconds},
                                  {"flops", "accelerators", "peak", "mfu", "gain"}, mfu_gain_days)),
                        result({"dollars", "K", "rental cost saved", dollars},
                               {"flops", "accelerators", "peak", "mfu", "gain", "price_per_hour"}, mfu_gain_dollars)},
            .source = "Definition of model FLOPs utilization, PaLM, arXiv 2204.02311, section 4.1",
            .notes = "A percentage point is not a percent: raising MFU from 40% to 41% saves 2.4% of the time; raising "
                     "it to 40.4% saves only 1.0%."};
}

} // namespace

std::vector<Formula> failure_loss_formulas() {
    return {crash(), losses(), point()};
}

} // namespace meshwright::catalogue
