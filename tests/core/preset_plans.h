// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/library.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

namespace meshwright {

/// Only the presets of the checkout, without the user's presets on this machine.
inline const Library &shipped_presets() {
    static const Library library({MESHWRIGHT_PRESETS});
    return library;
}

inline std::vector<std::string> evaluable_plans() {
    std::vector<std::string> ids;
    for (const PresetEntry &entry : shipped_presets().entries())
        if (entry.kind == PresetKind::plan && entry.evaluable)
            ids.push_back(entry.id);
    return ids;
}

/// A test name with the characters that GoogleTest allows: letters, digits and underscores.
inline std::string test_name(std::string id) {
    std::replace_if(
        id.begin(), id.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
    return id;
}

} // namespace meshwright
