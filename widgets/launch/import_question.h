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
    QStringList tiers; ///< tiers of the current cluster, innermost first, if a measured tier replaces one
    int tier = 0; ///< index of the tier that fits best
    /// Comparison of a measured run with the current plan, for the figures that both have.
    std::optional<RunComparison> compared = {};
};

/// The user's decision about the imported files.
struct ImportAnswer {
    nlohmann::ordered_json document; ///< document with the assumed values as the user edited them
    int tier = 0;
};

} // namespace meshwright
