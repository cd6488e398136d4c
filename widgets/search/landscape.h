// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/constraints.h"

#include <QMap>
#include <QString>

#include <array>

namespace meshwright {

/// What could be had at each value of one degree: the step time, in seconds, of the best layout that has it.
struct Landscape {
    QMap<qint64, double> fits;
    QMap<qint64, double> tooLarge; ///< where nothing fits: of the fastest that does not
    QMap<qint64, QString> with; ///< what the best one at a value has that the plan has not: "Seq1F1B"
    bool isEmpty() const { return fits.isEmpty() && tooLarge.isEmpty(); }
    bool operator==(const Landscape &) const = default;
};

/// By LayoutField; empty where there is none.
using Landscapes = std::array<Landscape, layout_field_count>;

} // namespace meshwright
