// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/checkpoints.h"
#include "formulas/costs.h"
#include "formulas/function.h"
#include "formulas/training_compute.h"

/// Losses of a run from crashes and idle accelerators. Times are in seconds unless the name says days.
namespace meshwright::formula {

/// Number of steps since the last checkpoint, which are repeated after a crash at `step`.
inline FormulaFunction crash_lost_steps{
    [](auto step, auto checkpoint_steps) { return step - checkpoint_steps * floor(step / checkpoint_steps); }};
inline FormulaFunction crash_lost_seconds{
    [](auto step, auto checkpoint_steps, auto step_seconds, auto recovery_seconds) {
        return crash_lost_steps(step, checkpoint_steps) * step_seconds + recovery_seconds;
    }};
inline FormulaFunction crash_lost_hours{
    [](auto step, auto checkpoint_steps, auto step_seconds, auto recovery_seconds, auto accelerators) {
        return accelerators * crash_lost_seconds(step, checkpoint_steps, step_seconds, recovery_seconds) / 3600;
    }};
inline FormulaFunction crash_dollars{[](auto step, auto checkpoint_steps, auto step_seconds, auto recovery_seconds,
                                        auto accelerators, auto price_per_hour) {
    return crash_lost_hours(step, checkpoint_steps, step_seconds, recovery_seconds, accelerators) * price_per_hour;
}};

/// Number of failures in a run. @param days training time, without the time lost to failures
inline FormulaFunction run_failures{[](auto days, auto mtbf_seconds) { return days * seconds_per_day / mtbf_seconds; }};
/// Days that failures add to a run: half a checkpoint interval plus the recovery time for each failure.
inline FormulaFunction failure_lost_days{
    [](auto days, auto mtbf_seconds, auto interval_seconds, auto recovery_seconds) {
        return run_failures(days, mtbf_seconds) * failure_lost_seconds(interval_seconds, recovery_seconds)
            / seconds_per_day;
    }};
inline FormulaFunction failures_dollars{[](auto days, auto mtbf_seconds, auto interval_seconds, auto recovery_seconds,
                                           auto accelerators, auto price_per_hour) {
    return rental_dollars(accelerators, failure_lost_days(days, mtbf_seconds, interval_seconds, recovery_seconds),
                          price_per_hour);
}};
/// Days that failures and checkpoint writes add to a run.
inline FormulaFunction waste_days{
    [](auto days, auto mtbf_seconds, auto write_seconds, auto interval_seconds, auto recovery_seconds) {
        return days * checkpoint_waste(mtbf_seconds, write_seconds, interval_seconds, recovery_seconds);
    }};
inline FormulaFunction waste_dollars{[](auto days, auto mtbf_seconds, auto write_seconds, auto interval_seconds,
                                        auto recovery_seconds, auto accelerators, auto price_per_hour) {
    return rental_dollars(accelerators,
                          waste_days(days, mtbf_seconds, write_seconds, interval_seconds, recovery_seconds),
                          price_per_hour);
}};

/// Days that a higher MFU saves. @param gain  increase of the MFU: 0.01 for one percentage point
inline FormulaFunction mfu_gain_days{[](auto flops, auto accelerators, auto peak, auto mfu, auto gain) {
    return training_days(flops, accelerators, peak, mfu) - training_days(flops, accelerators, peak, mfu + gain);
}};
inline FormulaFunction mfu_gain_dollars{
    [](auto flops, auto accelerators, auto peak, auto mfu, auto gain, auto price_per_hour) {
        return rental_dollars(accelerators, mfu_gain_days(flops, accelerators, peak, mfu, gain), price_per_hour);
    }};

} // namespace meshwright::formula
