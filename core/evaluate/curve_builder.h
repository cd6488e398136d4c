// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/run_curves.h"
#include "formulas/sampling.h"

namespace meshwright {

struct CurveContext {
    explicit CurveContext(const Result &shown);

    const Result &result;
    const Plan &plan;
    /// Tokens per optimizer step: of one site if sites step independently, otherwise of all sites.
    double batch_tokens;
    double batch_sequences;
    double parameters; ///< active parameters per token
    double tokens; ///< training tokens of the whole run
    double steps; ///< optimizer steps of the whole run
};

using Arguments = std::map<std::string, double, std::less<>>;

/// A requested series: a formula's result as a function of one of its symbols.
struct SeriesWanted {
    std::string name;
    std::string_view formula;
    std::string_view result;
    Arguments arguments;
    std::string_view symbol;
};
CurveSeries series_of(SeriesWanted wanted, std::vector<double> places);
double value_at(std::string_view id, std::string_view name, const Arguments &arguments);

std::vector<RunCurve> learning_curves(const CurveContext &context);
std::vector<RunCurve> loss_curves(const CurveContext &context);
std::vector<RunCurve> number_curves(const CurveContext &context);
std::vector<RunCurve> failure_curves(const CurveContext &context);

} // namespace meshwright
