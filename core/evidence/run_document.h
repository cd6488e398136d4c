// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/run_plan.h"

#include <nlohmann/json_fwd.hpp>

namespace meshwright {

class Library;

/// A measured run's plan as a document. Software changed by the rules is spelled out, since a preset's id would not
/// show the change.
/// @pre the run has a plan
nlohmann::ordered_json run_document(const RunPlan &run, const Library &library);

/// A measured run's plan completed for a whole training run: its length and faults get a plan's defaults. Values that
/// are set stay.
Plan whole_plan(Plan plan, const Library &library);

} // namespace meshwright
