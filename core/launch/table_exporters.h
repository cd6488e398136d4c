// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/exporters.h"

namespace meshwright {

/// Exports tables of the evaluated plan: "figures.csv", "stages.csv" and "operations.csv".
LaunchExport export_csv(const Result &result, const Library &library);

/// Exports the simulated pipeline as a trace for Perfetto: "trace.json".
LaunchExport export_perfetto(const Result &result, const Library &library);

} // namespace meshwright
