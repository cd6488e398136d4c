// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "calibration/machine_fit.h"
#include "formulas/derivation.h"

#include <QString>

#include <optional>
#include <vector>

namespace meshwright {

/// Derivation of a figure of the fit. "machine_run.2.step_before" is a cell in the table of runs (step or memory, each
/// also with _before or _after). "machine_constant.1.after" is a cell in the table of constants (before, after or
/// information).
/// @param fit  null before the first fit
std::optional<Derivation> machineDerivation(const QString &figure, const std::vector<MachineRun> &runs,
                                            const MachineFit *fit);

/// Plan of a run with the default constants ("machine_run.2.before") or the fitted ones ("machine_run.2.after").
/// Returns nothing without a fit.
std::optional<Plan> machinePlan(const QString &name, const std::vector<MachineRun> &runs, const MachineFit *fit);

} // namespace meshwright
