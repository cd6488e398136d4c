// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"

#include <string>

namespace meshwright {

/// Formats a result for a terminal, at most `pageColumns` columns wide. The content is that of the JSON.
std::string resultText(const Result &result);

/// Formats a fix's merge patch as options: "--set parallelism.tensor=4 --set batch.micro_sequences=2". Empty if the
/// patch replaces whole objects, because that is too long to type.
std::string asOptions(const Fix &fix);

} // namespace meshwright
