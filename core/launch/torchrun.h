// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/export_text.h"
#include "plan/plan.h"

namespace meshwright {

/// Sets the shell array LAUNCHER, the command that starts the training: torchrun on every node, or only the interpreter
/// if run.sbatch has started one process per accelerator.
void add_torchrun(ExportText &text, const Plan &plan);

} // namespace meshwright
