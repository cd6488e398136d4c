// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/run_plan.h"

#include <nlohmann/json_fwd.hpp>

namespace meshwright {

class Library;

/// The plan of a measured run as a document of its own: software that the rules have changed is spelled out, for a
/// preset's id would not say it. @pre the run has a plan
nlohmann::ordered_json run_document(const RunPlan &run, const Library &library);

/// A measured run's plan with what it lacks: a row is a few steps, and what a whole training adds (its length, faults)
/// is what any plan takes where nothing is said. A plan that has it stays as it is.
Plan whole_plan(Plan plan, const Library &library);

} // namespace meshwright
