// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/prediction.h"
#include "figures/figure_ref.h"
#include "formulas/derivation.h"

#include <QString>

#include <map>
#include <string>

namespace meshwright {

/// A measured run's plan as a view names it, so that what is predicted of it opens into the evaluation of that plan.
struct PredictedRun {
    const Plan *plan = nullptr; ///< with the constants that it is predicted with
    double batchShare = 1; ///< RunPlan::batch_share
    FigureView view = FigureView::evidence; ///< that knows it
    QString name;
};

/// "predicted", the step that the model says of a run.
Derivation predictedStep(const PredictedRun &run, double seconds);
/// "predicted", the memory of one kind, on the rank that it is of.
Derivation predictedMemory(const PredictedRun &run, MeasuredMemory kind, double bytes);
/// A figure of the run's evaluation by its path, as an input of another name.
Derivation figureOfRun(const PredictedRun &run, const std::string &figure, Labelled what, double value);
/// Sequences of the run's step over those of the plan's, "batch_share".
Derivation batchShareOf(const PredictedRun &run);

/// The plan of a measured run with constants of the registry set otherwise, and a name that says which run it is.
Plan planWith(Plan plan, const std::map<std::string, double> &overrides, const std::string &name);

} // namespace meshwright
