// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"

#include <string>

namespace meshwright {

/// A result for people at a terminal: everything that the JSON says, in at most `pageColumns` columns.
std::string resultText(const Result &result);

/// A fix's merge patch as the options that apply it: "--set parallelism.tensor=4 --set batch.micro_sequences=2". Empty
/// where the patch replaces whole objects, which no one types.
std::string asOptions(const Fix &fix);

} // namespace meshwright
