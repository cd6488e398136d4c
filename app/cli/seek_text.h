// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "search/goal_seek.h"

#include <string>

namespace meshwright {

std::string seekText(const GoalAnswer &answer);

} // namespace meshwright
