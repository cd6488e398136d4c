// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

#include <QString>

namespace meshwright {

struct ComparedPlan {
    QString name; ///< name of the plan as its author wrote it
    QString origin; ///< source of the plan: "preset", "run.plan", "pin A"
    Plan plan;
};

/// The letter of a plan in tables, bars and references. Index 0 is "A", the current plan.
inline QString letterOf(int plan) {
    return QString(QChar(static_cast<char16_t>(u'A' + plan)));
}

/// Maximum number of plans to compare with the current one; more columns would not fit a small window.
inline constexpr int maxOtherPlans = 4;

} // namespace meshwright
