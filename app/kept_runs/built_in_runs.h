// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/compared_run.h"

namespace meshwright {

/// The measured runs as this program predicted them when it was built: write_built_in_runs.cpp writes the source that
/// defines it.
BuiltInRuns built_in_runs();

} // namespace meshwright
