// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace meshwright {

/// Text of unknown origin for a report: one line of at most some 400 bytes, whatever it holds.
std::string printable(std::string text);

} // namespace meshwright
