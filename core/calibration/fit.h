// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "calibration/free_parameters.h"
#include "evidence/error_statistics.h"

#include <string>
#include <vector>

namespace meshwright {

/// What constants are fitted to.
enum class FitQuantity { step_time, memory };

/// Measured steps, or memory, with the plans that predict them, and what each weighs.
struct FitRows {
    FitQuantity quantity = FitQuantity::step_time;
    std::vector<RunPlan> plans;
    std::vector<double> measured; ///< seconds or bytes
    std::vector<MeasuredMemory> kinds; ///< what each row's memory counts
    std::vector<double> weights;
    std::vector<std::size_t> rows; ///< index of each in the table that it came from

    /// What the model says of one row with some constants. @param plan  the row's own, in which fields may have moved
    double predicted(std::size_t row, const Plan &plan, const Assumptions &assumptions) const;
};

/// The rows of a table that have a step, or memory, worth fitting to. A source with n of them weighs as much as
/// sqrt(n), so that a large table does not drown the others.
FitRows fit_rows(const std::vector<MeasuredRun> &runs, const std::vector<RunPlan> &plans, FitQuantity quantity);

/// Values of the free parameters that meet what was measured best: least squares of ln(predicted / measured), rows far
/// off counting less (Cauchy), with the parameters' own spread around what is expected of them. Gauss-Newton.
class Fit {
public:
    Fit(FitRows rows, std::vector<FreeParameter> parameters);

    /// Moves to the best values, from where the presets stand. @param rounds  of Gauss-Newton
    void run(int rounds);
    const std::vector<double> &values() const { return m_values; }
    const std::vector<FreeParameter> &parameters() const { return m_parameters; }

    /// The best values where the rows that `left_out` holds did not exist, from the values of all rows on.
    /// @param rounds  of Gauss-Newton, the first with the slopes at the values of all rows; at least one
    std::vector<double> values_without(const std::vector<bool> &left_out, int rounds) const;
    /// ln(predicted / measured) of one row with these values.
    double error(std::size_t row, const std::vector<double> &values) const;
    const FitRows &rows() const { return m_rows; }

private:
    /// Errors and slopes of all rows at some values.
    struct Linear {
        std::vector<double> errors;
        std::vector<double> slopes; ///< d error / d ln(value), row by row
    };
    Linear linear_at(const std::vector<double> &values, const std::vector<bool> &left_out) const;
    std::vector<double> moved(const std::vector<double> &values, const Linear &linear,
                              const std::vector<bool> &left_out) const;

    FitRows m_rows;
    std::vector<FreeParameter> m_parameters;
    std::vector<double> m_values;
    Linear m_linear; ///< at m_values
};

} // namespace meshwright
