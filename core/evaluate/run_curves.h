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

/// A line of a chart: a formula of the catalog as a function of one of its symbols.
struct CurveSeries {
    std::string name;
    std::string formula;
    std::string result;
    std::map<std::string, double, std::less<>> arguments; ///< values of all symbols except the one on the x axis
    std::vector<double> x;
    std::vector<double> y;
};

enum class MarkKind { own, optimum, event };

struct CurveMark {
    std::string title;
    MarkKind kind = MarkKind::own;
    double x = 0;
    double y = 0;
    std::string figure = {}; ///< path of its derivation in explain()'s tree; empty for an event
};

struct RunCurve {
    std::string id;
    std::string title;
    CurveAxis x;
    CurveAxis y;
    std::vector<CurveSeries> series;
    std::vector<CurveMark> marks;
    std::vector<std::string> labels; ///< names of the points x = 0, 1, 2, ... if x counts items; empty otherwise
    Sentence note; ///< assumptions and their source
};

/// Charts of learning rate, warm-up, batch size, accumulation, loss laws, loss scaling, number formats, checkpoints and
/// failures for the plan's own batch, tokens, model and cluster. Values missing from the plan, such as a schedule's
/// warm-up, come from a published run, which the note names. Series have 2 to 400 finite points each. Charts that do
/// not apply to the plan are omitted. Takes about a millisecond.
std::vector<RunCurve> run_curves(const Result &result);

} // namespace meshwright
