// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"
#include "report/page_flow.h"

#include <vector>

namespace meshwright {

/// The plan's pipeline as it runs, every rank a row of operations, and the fullest rank's memory through a step. Of a
/// schedule that is too long to be executed, one sentence.
std::vector<ReportSection> pipelineSections(const Result &result);

} // namespace meshwright
