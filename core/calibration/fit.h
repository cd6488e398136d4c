// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "calibration/free_parameters.h"
#include "evidence/error_statistics.h"

#include <string>
#include <vector>

namespace meshwright {

enum class FitQuantity { step_time, memory };

/// Measured step times or memory figures, each with its weight and the plan that predicts it.
struct FitRows {
    FitQuantity quantity = FitQuantity::step_time;
    std::vector<RunPlan> plans;
    std::vector<double> measured; ///< seconds or bytes
    std::vector<MeasuredMemory> kinds; ///< which memory figure each row measures
    std::vector<double> weights;
    std::vector<std::size_t> rows;

    /// Predicts one row with the given constants.
    /// @param plan  the row's plan, possibly with changed fields
    double predicted(std::size_t row, const Plan &plan, const Assumptions &assumptions) const;
};

/// The rows of a table that have a measured step time or memory. A source with n rows has a total weight of sqrt(n), so
/// that a large table does not dominate.
FitRows fit_rows(const std::vector<MeasuredRun> &runs, const std::vector<RunPlan> &plans, FitQuantity quantity);

/// Fits the free parameters to the measurements. Minimizes the squares of ln(predicted / measured) by Gauss-Newton,
/// with a Cauchy loss for outliers and log-normal priors on the parameters.
class Fit {
public:
    Fit(FitRows rows, std::vector<FreeParameter> parameters);

    /// Moves to the best values, starting from the presets.
    /// @param rounds  number of Gauss-Newton iterations
    void run(int rounds);
    const std::vector<double> &values() const { return m_values; }
    const std::vector<FreeParameter> &parameters() const { return m_parameters; }

    /// Values fitted to all rows except `left_out`. The fit starts from the values fitted to all rows.
    /// @param rounds  number of Gauss-Newton iterations, at least 1; the first one uses the Jacobian for all rows
    std::vector<double> values_without(const std::vector<bool> &left_out, int rounds) const;
    double error(std::size_t row, const std::vector<double> &values) const;
    const FitRows &rows() const { return m_rows; }

private:
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
    Linear m_linear;
};

} // namespace meshwright
