// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gantt/schedule_run.h"
#include "theme/roles.h"

#include <QString>

#include <memory>
#include <vector>

namespace meshwright {

/// A value that changes in steps: `values[i]` holds from `times[i]` on.
struct StepCurve {
    std::vector<double> times; ///< ascending
    std::vector<double> values;

    struct Range {
        double low = 0;
        double high = 0;
    };
    /// The value at a time; 0 before the first.
    double at(double time) const;
    /// Lowest and highest value within [begin, end], looked for from an index that is not after `begin`.
    Range within(double begin, double end, std::size_t &from) const;
    double highest() const;
};

/// A part of what a rank holds all the time.
struct MemoryLayer {
    QString name;
    double bytes = 0;
    Kind kind = Kind::Grey;
};

/// What each rank of a pipeline holds over time.
struct MemoryCurvesModel {
    std::vector<StepCurve> bytes; ///< a rank
    std::vector<StepCurve> inFlight; ///< chunks, or microbatches without chunks, a rank
    std::vector<std::vector<MemoryLayer>> layers; ///< of a rank: what is there all the time, from below
    double capacityBytes = 0;
    QString unitWord; ///< what is in flight: "chunks"
};

using MemoryCurvesPointer = std::shared_ptr<const MemoryCurvesModel>;

MemoryCurvesPointer memoryCurvesOf(const ScheduleRun &run);

} // namespace meshwright
