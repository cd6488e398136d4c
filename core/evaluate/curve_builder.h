// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/run_curves.h"
#include "formulas/sampling.h"

namespace meshwright {

/// What curves of a run share.
struct CurveContext {
    explicit CurveContext(const Result &shown);

    const Result &result;
    const Plan &plan;
    double batch_tokens; ///< of one optimizer step: of a site where sites step alone, else of all
    double batch_sequences;
    double parameters; ///< that a token passes
    double tokens; ///< of the run
    double steps; ///< of the run
};

using Arguments = std::map<std::string, double, std::less<>>;

/// A formula's result over one of its symbols.
struct SeriesWanted {
    std::string name;
    std::string_view formula;
    std::string_view result;
    Arguments arguments;
    std::string_view symbol;
};
CurveSeries series_of(SeriesWanted wanted, std::vector<double> places);
/// The result at one place, with all arguments given.
double value_at(std::string_view id, std::string_view name, const Arguments &arguments);

std::vector<RunCurve> learning_curves(const CurveContext &context);
std::vector<RunCurve> loss_curves(const CurveContext &context);
std::vector<RunCurve> number_curves(const CurveContext &context);
std::vector<RunCurve> failure_curves(const CurveContext &context);

} // namespace meshwright
