// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/run_plan.h"

#include <nlohmann/json_fwd.hpp>

namespace meshwright {

class Library;

/// The plan of a measured run as a document of its own: software that the rules have changed is spelled out, for a
/// preset's id would not say it. @pre the run has a plan
nlohmann::ordered_json run_document(const RunPlan &run, const Library &library);

} // namespace meshwright
