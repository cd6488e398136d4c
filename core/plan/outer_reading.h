// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

namespace meshwright {

class FieldReader;

/// Reads a plan's `outer` and fills in its defaults. The plan's cluster and model must have been read before.
void read_outer(FieldReader &reader, Plan &plan);

} // namespace meshwright
