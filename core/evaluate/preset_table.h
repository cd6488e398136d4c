// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace meshwright {

class Library;

/// One plan of the library: the model and hardware, and the error of the prediction against the published figures.
struct PresetRow {
    std::string id;
    std::string name;
    std::shared_ptr<const Result> result; ///< null if the plan cannot be evaluated
    std::string problem; ///< set if the plan cannot be evaluated: the reason
    /// The published figure that best describes speed: MFU, step time, throughput, HFU, else the first. Null if there
    /// is none.
    const PublishedComparison *main() const;
    const PublishedComparison *published(std::string_view figure) const; ///< null if it is not published
};

/// All evaluable plans of the library, with intervals, in the library's order; fewer once asked to stop. Each takes
/// some tens of milliseconds; they run on all cores.
std::vector<PresetRow> preset_rows(const Library &library, const std::stop_token &stop = {});

/// "2,048 x H800", or for several sites "72 x 16 x GH200". Without the vendor's name.
std::string hardware_text(const Cluster &cluster);

} // namespace meshwright
