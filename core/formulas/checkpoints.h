// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/function.h"

#include <algorithm>
#include <cmath>

/// Formulas of checkpoints and failures. All times are in seconds.
namespace meshwright::formula {

inline FormulaFunction checkpoint_bytes{
    [](auto parameters, auto weight_bytes, auto master_bytes, auto momentum_bytes, auto variance_bytes) {
        return parameters * (weight_bytes + master_bytes + momentum_bytes + variance_bytes);
    }};
inline FormulaFunction checkpoint_write_seconds{
    [](auto bytes, auto bandwidth, auto writers) { return bytes / (bandwidth * writers); }};
/// Time to write a checkpoint into a store that limits the total bandwidth of all writers.
inline FormulaFunction stored_write_seconds{[](auto bytes, auto bandwidth, auto writers, auto store_bandwidth) {
    return bytes / min(bandwidth * writers, store_bandwidth);
}};

/// First-order approximation of the interval that minimizes lost time. Source: Young 1974.
inline FormulaFunction young_interval{
    [](auto mtbf_seconds, auto write_seconds) { return sqrt(2 * write_seconds * mtbf_seconds); }};
/// Young's interval, or the write time if that is longer: a checkpoint starts only after the previous one is stored,
/// even if training does not wait for it.
inline FormulaFunction checkpoint_interval{[](auto mtbf_seconds, auto write_seconds, auto stored_seconds) {
    return max(young_interval(mtbf_seconds, write_seconds), stored_seconds);
}};
/// Higher-order approximation of the optimal interval. Source: Daly 2006, equation 37.
inline FormulaFunction daly_interval{[](auto mtbf_seconds, auto write_seconds) {
    const auto ratio = write_seconds / (2 * mtbf_seconds);
    return when(write_seconds >= 2 * mtbf_seconds, mtbf_seconds,
                young_interval(mtbf_seconds, write_seconds) * (1 + sqrt(ratio) / 3 + ratio / 9) - write_seconds);
}};
/// Time lost per second of training: writes, and for each failure half an interval plus the recovery. The estimate is
/// first-order, so it can exceed 1 if failures are frequent.
inline FormulaFunction checkpoint_waste{[](auto mtbf_seconds, auto write_seconds, auto interval_seconds,
                                           auto recovery_seconds) {
    return write_seconds / interval_seconds + interval_seconds / (2 * mtbf_seconds) + recovery_seconds / mtbf_seconds;
}};
inline FormulaFunction young_waste{[](auto mtbf_seconds, auto write_seconds, auto recovery_seconds) {
    return checkpoint_waste(mtbf_seconds, write_seconds, young_interval(mtbf_seconds, write_seconds), recovery_seconds);
}};
/// Fraction of time left for training.
inline FormulaFunction goodput_of_waste{[](auto waste) { return 1 / (1 + waste); }};
inline FormulaFunction checkpoint_goodput{
    [](auto mtbf_seconds, auto write_seconds, auto interval_seconds, auto recovery_seconds) {
        return goodput_of_waste(checkpoint_waste(mtbf_seconds, write_seconds, interval_seconds, recovery_seconds));
    }};

/// Mean time between failures of a job that stops when any of its accelerators fails; failures are independent.
inline FormulaFunction job_mtbf{
    [](auto accelerator_mtbf_seconds, auto accelerators) { return accelerator_mtbf_seconds / accelerators; }};
inline FormulaFunction expected_failures{[](auto seconds, auto accelerator_mtbf_seconds, auto accelerators) {
    return seconds / job_mtbf(accelerator_mtbf_seconds, accelerators);
}};
/// Probability that no accelerator fails, with exponential lifetimes.
inline FormulaFunction no_failure_probability{[](auto seconds, auto accelerator_mtbf_seconds, auto accelerators) {
    return exp(-expected_failures(seconds, accelerator_mtbf_seconds, accelerators));
}};

/// Time lost to one failure: half an interval on average, plus the recovery time.
inline FormulaFunction failure_lost_seconds{
    [](auto interval_seconds, auto recovery_seconds) { return interval_seconds / 2 + recovery_seconds; }};
inline FormulaFunction failure_dollars{
    [](auto accelerators, auto price_per_hour, auto interval_seconds, auto recovery_seconds) {
        return accelerators * price_per_hour / 3600 * failure_lost_seconds(interval_seconds, recovery_seconds);
    }};
/// Cost of one blocking write. Failures do not change it.
inline FormulaFunction checkpoint_write_dollars{[](auto accelerators, auto price_per_hour, auto write_seconds) {
    return accelerators * price_per_hour / 3600 * write_seconds;
}};

/// Fraction of time that a site trains.
inline FormulaFunction availability{[](auto mtbf_seconds, auto repair_seconds, auto return_seconds) {
    return mtbf_seconds / (mtbf_seconds + repair_seconds + return_seconds);
}};

} // namespace meshwright::formula
