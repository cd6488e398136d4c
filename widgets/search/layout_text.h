// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"
#include "figures/sentence_text.h"
#include "plan/constraints.h"
#include "search/search.h"

#include <QPair>
#include <QString>
#include <QVector>

#include <vector>

namespace meshwright {

struct PlanEdit;
struct PlanView;

/// "Tensor", "Micro-batch", ...
QString layoutFieldText(LayoutField field);
/// "8", "on", "Interleaved 1F1B", "first 3 layers"
QString layoutValueText(const Plan &plan, LayoutField field);
/// What searches vary only when asked to: "Offloading", "Number formats", ...
QString searchOptionText(SearchOption option);
QString objectiveText(Objective objective);

/// One setting of a plan against that of another.
struct LayoutDifference {
    QString name;
    QString from;
    QString to;
};
/// Everything in which a configuration differs from the plan: degrees first, then formats, batch and cluster.
QVector<LayoutDifference> layoutDifferences(const Plan &from, const Plan &to);
/// "tensor 8 → 4, chunks 1 → 5": all of them.
QString differencesText(const QVector<LayoutDifference> &differences);
/// The first of them and how many there are besides: "tensor 8 → 4 and 3 more", for the name of an edit.
QString shortDifferencesText(const QVector<LayoutDifference> &differences);

/// What makes one step shorter than the other, the largest terms first: "tensor traffic seen 8.2 → 4.4 s; the bubble
/// grows 0.7 → 1.7 s". Empty where no term differs much.
/// @param patch  that makes the first plan the second
SentenceText whyText(const Result &from, const Result &to, const QString &patch);

/// "12 % faster", "3 % dearer", "as fast": a gain by an objective in words; positive is better.
QString gainText(double gain, Objective objective);
/// The share that it says, apart from the words behind it; empty where it says none.
struct GainWords {
    QString share;
    QString rest;
};
GainWords gainWords(double gain, Objective objective);

/// The edit that has the search hold a field at the plan's value, or vary it again.
PlanEdit editHolding(const PlanView &view, LayoutField field, bool held);

/// The merge patch that makes the document's plan the entry's, and touches no more than that takes.
std::string patchApplying(const PlanView &view, const SearchEntry &entry, const Library &library);

} // namespace meshwright
