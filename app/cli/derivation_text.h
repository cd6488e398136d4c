// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace meshwright {

struct Derivation;
struct Result;

/// How the figures of a result are calculated. Key figures are first explained in a paragraph.
/// @param tree  the result's derivations, from explain()
std::string derivationText(const Derivation &tree, const Result &result);

} // namespace meshwright
