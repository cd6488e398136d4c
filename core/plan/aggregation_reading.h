// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

namespace meshwright {

class FieldReader;

/// Reads `aggregation` of a plan whose cluster and outer loop are read already.
void read_aggregation(FieldReader &reader, Plan &plan);

/// Reads the fields of `faults` that are about whole sites.
void read_site_faults(FieldReader &reader, Faults &faults);

} // namespace meshwright
