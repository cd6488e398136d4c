// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/prediction.h"
#include "figures/figure_ref.h"
#include "formulas/derivation.h"

#include <QString>

#include <map>
#include <string>

namespace meshwright {

/// The plan of a measured run and the view that provides it. A click on a prediction for the run opens the evaluation
/// of this plan.
struct PredictedRun {
    const Plan *plan = nullptr; ///< plan with the constants used for the prediction
    double batchShare = 1; ///< see RunPlan::batch_share
    FigureView view = FigureView::evidence;
    QString name;
};

Derivation predictedStep(const PredictedRun &run, double seconds);
/// Node "predicted": predicted memory. It has the same scope and rank as the measured memory.
Derivation predictedMemory(const PredictedRun &run, MeasuredMemory kind, double bytes);
/// A figure from the run's evaluation, given by its path, under another name.
Derivation figureOfRun(const PredictedRun &run, const std::string &figure, Labelled what, double value);
/// Node "batch_share": sequences per step of the run divided by those of its plan.
Derivation batchShareOf(const PredictedRun &run);

/// Plan of a measured run with overridden constants. @param name  identifies the run
Plan planWith(Plan plan, const std::map<std::string, double> &overrides, const std::string &name);

} // namespace meshwright
