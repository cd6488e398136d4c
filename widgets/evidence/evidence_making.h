// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/evidence_set.h"
#include "evidence/similar_run.h"
#include "formulas/derivation.h"

#include <QString>

#include <optional>
#include <vector>

namespace meshwright {

/// How what measured runs say of the model comes about. Figures are those of a summary, "median", "p90", "bias",
/// "coverage", "width", "memory", "fits", "rows", "steps", "memories", "skipped", of all rows or after "source.3." of
/// one source's; "family.2" the rows of a family; and "run.4.measured", "predicted", "error" and "distance" of a run.
/// @param slice  after "shown." the same figures of its rows; null: there are none
/// @param set  null before the first answer: only the last ones are known then
/// @param nearest  the runs that they count
/// @param plans  what the names of the runs' plans begin with: "row.17" is the plan of a row of the set's table
std::optional<Derivation> evidenceMaking(const QString &figure, const EvidenceSet *set,
                                         const std::vector<SimilarRun> &nearest, const QString &plans = {},
                                         const EvidenceSlice *slice = nullptr);

} // namespace meshwright
