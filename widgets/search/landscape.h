// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/constraints.h"

#include <QMap>
#include <QString>

#include <array>

namespace meshwright {

/// Step time of the best configuration at each value of one setting, in seconds.
struct Landscape {
    QMap<qint64, double> fits;
    /// Step time of the fastest configuration, for values at which no configuration fits.
    QMap<qint64, double> tooLarge;
    QMap<qint64, QString> with; ///< schedule of the best configuration at each value; empty if it is the plan's
    bool isEmpty() const { return fits.isEmpty() && tooLarge.isEmpty(); }
    bool operator==(const Landscape &) const = default;
};

/// Indexed by ConfigurationField; empty for settings without a landscape.
using Landscapes = std::array<Landscape, configuration_field_count>;

} // namespace meshwright
