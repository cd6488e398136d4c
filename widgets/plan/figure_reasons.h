// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controls/fact_list.h"
#include "evaluate/result.h"

#include <QString>

#include <vector>

namespace meshwright {

enum class KeyQuantity { Memory, Step, Run, Cost };

struct Reasoning {
    QString title;
    QString sum;
    std::vector<Fact> parts;
};

Reasoning reasoningOf(KeyQuantity quantity, const Result &result);

} // namespace meshwright
