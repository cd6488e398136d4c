// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/sentence_text.h"
#include "search/first_plan.h"

#include <QString>

#include <vector>

namespace meshwright {

/// Names of an answer's plans in FigureRef::ofPlan(): "best.3" and "next.3" for the third answer.
struct AnswerNames {
    QString best;
    QString next;
};

/// A plan's configuration in one line: "TP4 PP4 DP32 · Interleaved 1F1B · ZeRO 1 · no recomputation".
QString configurationText(const Plan &plan);

/// Why this plan is the best: the largest terms of its step time, and its headroom. @pre the answer has a result
SentenceText whyBest(const FirstPlan &answer, const AnswerNames &names);
/// Step time, run time and cost of the next best configuration, or a statement that no other one fits.
SentenceText whyNotNext(const FirstPlan &answer, const AnswerNames &names);
/// Why the answer has no plan: nothing fits, or the request is invalid.
QString whyNothing(const FirstPlan &answer, const Library &library);

} // namespace meshwright
