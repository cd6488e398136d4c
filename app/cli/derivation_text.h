// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace meshwright {

struct Derivation;

std::string derivationText(const Derivation &tree);

} // namespace meshwright
