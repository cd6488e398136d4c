// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

namespace meshwright {

class FieldReader;

/// Reads a plan's `aggregation`. The plan's cluster and outer loop must have been read before.
void read_aggregation(FieldReader &reader, Plan &plan);

/// Reads the fields of `faults` that concern whole sites.
void read_site_faults(FieldReader &reader, Faults &faults);

} // namespace meshwright
