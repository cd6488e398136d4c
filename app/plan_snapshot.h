// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "edit_command.h"

#include <QDateTime>
#include <QString>

#include <nlohmann/json_fwd.hpp>

#include <vector>

namespace meshwright {

/// A named snapshot of the plan. Stored in the plan's file under `snapshots`, so that it stays with the file. Not used
/// by the evaluation.
struct PlanSnapshot {
    QString name;
    QDateTime time;
    DocumentPointer plan; ///< document of the saved plan, without snapshots of its own
    DocumentPointer entry = {}; ///< original JSON, including fields written by other versions; null for a new snapshot
};

using PlanSnapshots = std::vector<PlanSnapshot>;

/// Removes the snapshots from a plan's document and returns them. Invalid entries stay in the document.
PlanSnapshots takeSnapshots(nlohmann::ordered_json &document);
nlohmann::ordered_json withSnapshots(nlohmann::ordered_json document, const PlanSnapshots &snapshots);
/// `others`, followed by those snapshots of `own` that are not in `others`.
PlanSnapshots joined(PlanSnapshots others, const PlanSnapshots &own);

} // namespace meshwright
