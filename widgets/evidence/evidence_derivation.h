// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/evidence_set.h"
#include "evidence/similar_run.h"
#include "formulas/derivation.h"

#include <QString>

#include <optional>
#include <vector>

namespace meshwright {

/// Derivation of a figure in the table of nearest measured runs. For the fifth run: "run.4.measured", "run.4.predicted"
/// and "run.4.error".
/// @param table  contains the rows of the runs
std::optional<Derivation> nearestRunDerivation(const QString &figure, const std::vector<SimilarRun> &nearest,
                                               const EvidenceTable &table);

} // namespace meshwright
