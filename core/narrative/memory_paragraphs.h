// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"
#include "formulas/derivation.h"

#include <string>

namespace meshwright {

/// The paragraph about the peak of memory, about one stage's total, or about one kind of memory of a stage; empty for
/// other figures.
std::string memory_paragraph(const Derivation &figure, const Result &result);

} // namespace meshwright
