// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/documents.h"
#include "evaluate/evaluate.h"

#include <memory>

namespace meshwright {

/// The plan's whole answer, never null. @throws Failure where it cannot be read or evaluated
std::shared_ptr<const Result> evaluatePlan(const PlanArgument &argument, const Library &library);

} // namespace meshwright
