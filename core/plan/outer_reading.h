// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

namespace meshwright {

class FieldReader;

/// Reads `outer` of a plan whose cluster and model are read already, and fills its defaults in.
void read_outer(FieldReader &reader, Plan &plan);

} // namespace meshwright
