// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gantt/schedule_run.h"
#include "theme/roles.h"

#include <QString>

#include <memory>
#include <vector>

namespace meshwright {

/// A step function: `values[i]` is the value from time `times[i]` to the next time.
struct StepCurve {
    std::vector<double> times; ///< ascending
    std::vector<double> values;

    struct Range {
        double low = 0;
        double high = 0;
    };
    /// The value at a time; 0 before the first time.
    double at(double time) const;
    /// Lowest and highest value within [begin, end]. The search starts at index `from`, whose time must not be after
    /// `begin`.
    Range within(double begin, double end, std::size_t &from) const;
    double highest() const;
};

/// Memory of one kind that a rank uses during the whole step.
struct MemoryLayer {
    QString name;
    double bytes = 0;
    Kind kind = Kind::Grey;
};

struct MemoryCurvesModel {
    std::vector<StepCurve> bytes;
    /// Activations in flight on each rank over time, in chunks, or in microbatches if there are no chunks.
    std::vector<StepCurve> inFlight;
    std::vector<std::vector<MemoryLayer>> layers; ///< memory of each rank, stacked from the bottom up
    double capacityBytes = 0;
    QString unitWord; ///< unit of inFlight, such as "chunks"
};

using MemoryCurvesPointer = std::shared_ptr<const MemoryCurvesModel>;

MemoryCurvesPointer memoryCurvesOf(const ScheduleRun &run);

} // namespace meshwright
