// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "edit_command.h"

#include <QDateTime>
#include <QString>

#include <nlohmann/json_fwd.hpp>

#include <vector>

namespace meshwright {

/// A state of the plan that was saved under a name. Kept in the plan's own file under `snapshots`, so that it goes
/// wherever the file goes: copied, renamed, sent. No evaluation reads it.
struct PlanSnapshot {
    QString name;
    QDateTime time;
    DocumentPointer plan; ///< without snapshots of its own
    DocumentPointer entry = {}; ///< as its file holds it, with what other versions add to it; null for a new one
};

using PlanSnapshots = std::vector<PlanSnapshot>;

/// Takes the snapshots out of a plan's document. What does not read as a snapshot stays where it is.
PlanSnapshots takeSnapshots(nlohmann::ordered_json &document);
/// The document as its file holds it.
nlohmann::ordered_json withSnapshots(nlohmann::ordered_json document, const PlanSnapshots &snapshots);
/// Those of `own` that `others` lack, after the others.
PlanSnapshots joined(PlanSnapshots others, const PlanSnapshots &own);

} // namespace meshwright
