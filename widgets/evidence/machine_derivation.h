// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "calibration/machine_fit.h"
#include "formulas/derivation.h"

#include <QString>

#include <optional>
#include <vector>

namespace meshwright {

/// How what is shown of a machine's fit comes about: "machine_run.2.step_before" a cell of the runs' table
/// (step, memory, and either with _before or _after), "machine_constant.1.after" one of the constants' (before, after,
/// information).
/// @param fit  null before the first
std::optional<Derivation> machineDerivation(const QString &figure, const std::vector<MachineRun> &runs,
                                            const MachineFit *fit);

/// The plan of a run as it was predicted with the registry's constants, "machine_run.2.before", or with those of the
/// fit, "machine_run.2.after". Nothing without the fit.
std::optional<Plan> machinePlan(const QString &name, const std::vector<MachineRun> &runs, const MachineFit *fit);

} // namespace meshwright
