// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"

#include <string>

namespace meshwright {

/// A result as text for a terminal: the content of the JSON in at most `pageColumns` columns.
std::string resultText(const Result &result);

/// A fix's merge patch as options: "--set parallelism.tensor=4 --set batch.micro_sequences=2". Empty if the patch
/// replaces whole objects and is too long to type.
std::string asOptions(const Fix &fix);

} // namespace meshwright
