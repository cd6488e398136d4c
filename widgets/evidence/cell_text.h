// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <string_view>

namespace meshwright {

/// A cell of a user's CSV file as one line: without line breaks and control characters, cut to `letters` characters.
QString cellText(std::string_view cell, int letters);

} // namespace meshwright
