// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/compared_run.h"

namespace meshwright {

/// Predictions of the measured runs, calculated at build time. write_built_in_runs.cpp generates the definition.
BuiltInRuns built_in_runs();

} // namespace meshwright
