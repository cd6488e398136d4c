// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/run_plan.h"

#include <nlohmann/json_fwd.hpp>

namespace meshwright {

class Library;

/// Writes a measured run's plan as a document. If rules have changed the stack, it is written in full, because a
/// preset's id would not show the change.
/// @pre the run has a plan
nlohmann::ordered_json run_document(const RunPlan &run, const Library &library);

/// Completes a measured run's plan for a whole training run. Run length and faults get a plan's defaults if they are
/// unset.
Plan whole_plan(Plan plan, const Library &library);

} // namespace meshwright
