// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/measured_document.h"
#include "launch/megatron_reading.h"
#include "measured/training_log.h"

namespace meshwright {

/// Fills a run's columns from the arguments that Megatron prints at the start, or else from the command line that a
/// launcher prints. Columns that are already set stay unchanged.
void set_logged_arguments(const TrainingLog &log, MegatronDialect dialect, MeasuredDocument &run,
                          const Library &library);

} // namespace meshwright
