// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"
#include "quantities/sentence.h"
#include "quantities/text.h"

#include <map>
#include <string>
#include <vector>

namespace meshwright {

struct CurveAxis {
    std::string title;
    Quantity quantity = Quantity::number;
    bool logarithmic = false;
};

/// One line of a curve: a formula of the catalogue over one of its symbols.
struct CurveSeries {
    std::string name;
    std::string formula; ///< its id, as calculators take it
    std::string result; ///< which of its results y is
    std::map<std::string, double, std::less<>> arguments; ///< all but the symbol of the x axis
    std::vector<double> x;
    std::vector<double> y;
};

enum class MarkKind {
    own, ///< where the plan stands
    optimum, ///< where a law says that it should
    event ///< a point on the way
};

struct CurveMark {
    std::string title;
    MarkKind kind = MarkKind::own;
    double x = 0;
    double y = 0;
    std::string figure = {}; ///< path of its explanation in explain()'s tree; empty for an event
};

/// A curve of a run with the plan's own values: data for a chart.
struct RunCurve {
    std::string id; ///< "checkpoint-waste"
    std::string title;
    CurveAxis x;
    CurveAxis y;
    std::vector<CurveSeries> series;
    std::vector<CurveMark> marks;
    std::vector<std::string> labels; ///< of whole x from 0 on, where they stand for things; else empty
    Sentence note; ///< what is assumed, and its source
};

/// Learning rate, warm-up, batch, accumulation, loss laws, loss scaling, number formats, checkpoints and failures, each
/// with the plan's own batch, tokens, model and cluster. What the plan does not say (a schedule's warm-up) is as in a
/// published run, which the note names. Series have 2 to 400 finite points each. A curve that means nothing for the
/// plan is left out. About a millisecond.
std::vector<RunCurve> run_curves(const Result &result);

} // namespace meshwright
