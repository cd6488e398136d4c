// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/imported.h"
#include "launch/run_comparison.h"

#include <QString>
#include <QStringList>

#include <nlohmann/json.hpp>

#include <optional>

namespace meshwright {

/// The content of imported files, before anything is changed.
struct ImportQuestion {
    QString files; ///< names of the files, or "clipboard"
    QString kind; ///< "Megatron-LM arguments"
    Imported imported;
    QStringList tiers; ///< names of the current cluster's tiers, innermost first; for a measured tier
    int tier = 0; ///< index of the tier that fits best
    std::optional<RunComparison> compared = {}; ///< a measured run next to the current plan, if both have figures
};

/// The user's decision about the imported content.
struct ImportAnswer {
    nlohmann::ordered_json document; ///< document with the assumed values as the user edited them
    int tier = 0;
};

} // namespace meshwright
