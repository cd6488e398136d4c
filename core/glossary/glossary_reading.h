// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "glossary/glossary.h"

#include <nlohmann/json_fwd.hpp>

#include <vector>

namespace meshwright {

/// Reads and checks a glossary document. @throws InputError with every problem found
std::vector<GlossaryTerm> terms_from_json(const nlohmann::ordered_json &document);

} // namespace meshwright
