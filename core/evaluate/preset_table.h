// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace meshwright {

class Library;

/// One plan of the library: what was trained on what, and how far the prediction is from what its makers report.
struct PresetRow {
    std::string id;
    std::string name;
    std::shared_ptr<const Result> result; ///< null where the plan cannot be evaluated
    std::string problem; ///< then: why not
    /// The report's figure that says most about speed: MFU, step time, rate, then what else there is. Null: none.
    const PublishedComparison *main() const;
    const PublishedComparison *published(std::string_view figure) const; ///< null where it is not reported
};

/// All plans of the library that are no cards, with intervals, in the library's order; fewer once asked to stop. Each
/// takes some tens of milliseconds, shared out over all cores.
std::vector<PresetRow> preset_rows(const Library &library, const std::stop_token &stop = {});

/// "2,048 x H800"; of several sites "72 x 16 x GH200". Without the maker's name.
std::string hardware_text(const Cluster &cluster);

} // namespace meshwright
