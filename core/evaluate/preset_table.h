// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace meshwright {

class Library;

/// One plan of the library, with the errors of its predictions against published figures.
struct PresetRow {
    std::string id;
    std::string name;
    std::shared_ptr<const Result> result; ///< null if the plan cannot be evaluated
    std::string problem; ///< reason why the plan cannot be evaluated; empty if it can
    /// The published figure that best describes speed: the first available of MFU, step time, throughput and HFU,
    /// otherwise the plan's first figure. Null if nothing is published.
    const PublishedComparison *main() const;
    const PublishedComparison *published(std::string_view figure) const; ///< null if the figure is not published
};

/// All plans of the library that can be evaluated, with intervals, in the library's order. After a stop request, the
/// list is incomplete. Takes tens of milliseconds per plan and uses all cores.
std::vector<PresetRow> preset_rows(const Library &library, const std::stop_token &stop = {});

/// Describes a cluster without the vendor's name, as "2,048 x H800", or with several sites as "72 x 16 x GH200".
std::string hardware_text(const Cluster &cluster);

} // namespace meshwright
