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

/// Label of a field: "Tensor", "Microbatch", ...
QString layoutFieldText(ConfigurationField field);
/// Text of a field's value: "8", "on", "Interleaved 1F1B", "first 3 layers".
QString layoutValueText(const Plan &plan, ConfigurationField field);
/// Name of an option that a search includes only on request: "Offloading to host memory", "Number formats", ...
QString searchOptionText(SearchOption option);
QString objectiveText(Objective objective);

struct ConfigurationDifference {
    QString name;
    QString from;
    QString to;
};
/// All settings of a configuration that differ from the plan: degrees first, then formats, batch and cluster.
QVector<ConfigurationDifference> layoutDifferences(const Plan &from, const Plan &to);
/// All differences: "tensor 8 → 4, chunks 1 → 5".
QString differencesText(const QVector<ConfigurationDifference> &differences);
/// The first two differences and the number of others, for the name of an edit: "tensor 8 → 4, data 16 → 32 and 3
/// more".
QString shortDifferencesText(const QVector<ConfigurationDifference> &differences);

/// Why the step times of two plans differ, largest terms first: "Exposed TP communication 8.20 s → 4.40 s · bubble
/// 0.70 s → 1.70 s". Empty if no term differs much.
/// @param patch  merge patch that turns the first plan into the second
SentenceText whyText(const Result &from, const Result &to, const QString &patch);

/// A gain in an objective as text: "12% faster", "3% more expensive", "as fast". Positive is better.
QString gainText(double gain, Objective objective);
/// A gain's text, split into its percentage and the rest; the percentage is empty if the text has none.
struct GainWords {
    QString share;
    QString rest;
};
GainWords gainWords(double gain, Objective objective);

/// The edit that makes the search keep a setting fixed at the plan's value, or vary it.
PlanEdit editHolding(const PlanView &view, ConfigurationField field, bool held);

/// The smallest merge patch that turns the document's plan into the entry's.
std::string patchApplying(const PlanView &view, const SearchEntry &entry, const Library &library);

} // namespace meshwright
