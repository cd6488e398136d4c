// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/sentence_text.h"
#include "search/first_plan.h"

#include <QString>

#include <vector>

namespace meshwright {

/// What names the answer's plans in FigureRef::ofPlan(): "best.3" and "next.3" of the third answer.
struct AnswerNames {
    QString best;
    QString next;
};

/// "TP4 PP4 DP32, interleaved, ZeRO 1, no recomputation"
QString configurationText(const Plan &plan);

/// Why it is this plan: what a step is made of and what stays free. @pre the answer has a result
SentenceText whyBest(const FirstPlan &answer, const AnswerNames &names);
/// What the next best would take; empty where there is none.
SentenceText whyNotNext(const FirstPlan &answer, const AnswerNames &names);
/// What there is instead of a plan where nothing fits, or there is nothing to search.
QString whyNothing(const FirstPlan &answer, const Library &library);

} // namespace meshwright
