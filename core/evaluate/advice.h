// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"

#include <stop_token>

namespace meshwright {

/// Everything that is worth saying about an evaluated plan, the most serious first. Every fix has been evaluated and
/// says what it gains; those that gain nothing are left out.
std::vector<Diagnostic> advise(const Result &result, const std::stop_token &stop);

} // namespace meshwright
