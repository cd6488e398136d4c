// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <string_view>

namespace meshwright {

/// A cell of a foreign table for one line: without line breaks and control characters, and ended after so many letters.
QString cellText(std::string_view cell, int letters);

} // namespace meshwright
