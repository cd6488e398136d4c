// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace meshwright {

/// Makes untrusted text safe to print: replaces control characters with spaces and truncates the text to about 400
/// bytes.
std::string printable(std::string text);

} // namespace meshwright
