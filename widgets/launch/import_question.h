// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/imported.h"
#include "launch/run_comparison.h"

#include <QString>
#include <QStringList>

#include <nlohmann/json.hpp>

#include <optional>

namespace meshwright {

/// Contents of imported files, shown before anything is changed.
struct ImportQuestion {
    QString files; ///< file names, or "clipboard"
    QString kind; ///< format, such as "Megatron-LM arguments"
    Imported imported;
    QStringList tiers; ///< names of the current cluster's tiers, innermost first; a measured tier replaces one of them
    int tier = 0; ///< index in `tiers` of the best match for the measured tier
    std::optional<RunComparison> compared = {};
};

struct ImportAnswer {
    nlohmann::ordered_json document; ///< document with the user's edits to the assumed values
    int tier = 0;
};

} // namespace meshwright
