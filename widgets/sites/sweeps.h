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

/// What is varied while all else of a plan stays.
enum class SweepOf { LinkRate, InnerSteps, Fragments, Overlap };

struct Sweep {
    SweepOf of = SweepOf::LinkRate;
    QVector<QPointF> points; ///< share of the time that sites compute, by rising value
    QPointF today;
};

struct Sweeps {
    SitesQuestion question;
    std::vector<Sweep> sweeps; ///< empty: the plan takes too long to simulate by the dozen
    std::int64_t sites = 0; ///< that were simulated; fewer than the plan's where those are very many
};
using SweepsPointer = std::shared_ptr<const Sweeps>;

/// Simulates the plan at values around today's, each with one seed and 20 rounds. Null where it was stopped.
SweepsPointer sweepsOf(const SitesQuestion &asked, const std::stop_token &stop);

/// The plan with another value of what is varied; whole numbers are rounded. Both ways of all links change together.
Plan planAt(const Plan &plan, SweepOf of, double value);
double valueOf(const Plan &plan, SweepOf of);

/// What a drag to this place of the curve means: no more digits than the curve can show, whole steps and fragments.
double shownValue(SweepOf of, double value);

/// The merge patch that changes a document so.
std::string patchAt(const PlanView &view, SweepOf of, double value);

} // namespace meshwright
