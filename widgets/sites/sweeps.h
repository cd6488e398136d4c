// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sites/sites_run.h"

#include <QPointF>
#include <QVector>

#include <optional>
#include <string>
#include <vector>

namespace meshwright {

struct PlanView;

/// The setting that is varied while the rest of the plan is fixed.
enum class SweepOf { LinkRate, InnerSteps, Fragments, Overlap };

struct Sweep {
    SweepOf of = SweepOf::LinkRate;
    QVector<QPointF> points; ///< compute utilization (y) at each value of the setting (x), in ascending order of x
    QPointF today;
};

struct Sweeps {
    SitesQuestion question;
    std::vector<Sweep> sweeps; ///< empty if the plan takes too long to simulate dozens of times
    std::int64_t sites = 0; ///< simulated sites; a sample if the plan has very many
};
using SweepsPointer = std::shared_ptr<const Sweeps>;

/// Simulates the plan with values of each setting around its own, each with one seed and 20 rounds. Null if stopped.
SweepsPointer sweepsOf(const SitesQuestion &asked, const std::stop_token &stop);

/// The plan with another value of the setting, rounded if it is an integer. Both directions of all links scale
/// together.
Plan planAt(const Plan &plan, SweepOf of, double value);
double valueOf(const Plan &plan, SweepOf of);

/// The value that dragging to this point sets, rounded to the precision of the curve or to whole steps and fragments.
double shownValue(SweepOf of, double value);

std::string patchAt(const PlanView &view, SweepOf of, double value);

} // namespace meshwright
