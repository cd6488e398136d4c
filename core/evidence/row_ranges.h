// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/measured_run.h"

#include <string>

namespace meshwright {

/// Describes the first number of a row that is out of range ("pipeline 1e+07, expected 1 to 10000"). Returns an empty
/// string if there is none. Missing values are in range.
std::string number_out_of_range(const MeasuredRun &run);

} // namespace meshwright
