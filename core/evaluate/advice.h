// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"

#include <stop_token>

namespace meshwright {

/// All diagnostics of an evaluated plan, the most severe first. Every fix has been evaluated and states its gain;
/// changes without a gain are not offered.
std::vector<Diagnostic> advise(const Result &result, const std::stop_token &stop);

} // namespace meshwright
