// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/documents.h"
#include "evaluate/evaluate.h"

#include <memory>

namespace meshwright {

/// Evaluates a document; never null. @param name  document name in error messages @throws Failure if it cannot be
/// evaluated
std::shared_ptr<const Result> evaluateNamed(const std::string &name, const nlohmann::ordered_json &document,
                                            const Library &library);

/// @throws Failure
std::shared_ptr<const Result> evaluatePlan(const PlanArgument &argument, const Library &library);

} // namespace meshwright
