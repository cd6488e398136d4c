// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/documents.h"
#include "evaluate/evaluate.h"

#include <memory>

namespace meshwright {

/// A document's whole answer, never null. `name` is what a failure is about. @throws Failure where it cannot be
/// evaluated
std::shared_ptr<const Result> evaluateNamed(const std::string &name, const nlohmann::ordered_json &document,
                                            const Library &library);

/// The same for a plan that is still to be read. @throws Failure
std::shared_ptr<const Result> evaluatePlan(const PlanArgument &argument, const Library &library);

} // namespace meshwright
