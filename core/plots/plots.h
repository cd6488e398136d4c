// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plots/plot.h"

/// One function per plot; plot_of() adds the name and the title.
namespace meshwright::plots {

Plot measured_runs(const PlotRequest &request);
Plot best_configuration(const PlotRequest &request);
Plot compute_by_date(const PlotRequest &request);
Plot synchronization_by_bandwidth(const PlotRequest &request);
Plot bubble_by_schedule(const PlotRequest &request);

} // namespace meshwright::plots
