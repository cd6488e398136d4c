// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace meshwright {

class Library;

/// Many defaults follow from other fields: sequence parallelism from the tensor degree, the schedule from the chunks.
/// An edit must change what it says and nothing else, so this writes the values down that would change without a word.
///
/// @param before  the document as it was
/// @param after   the same with `patch` applied; gets the fields that would else have followed
/// Not written down: what the panels show as following (data parallel, the accelerator's own price) as long as the
/// document leaves it out, and the outer loop of a plan that had one site.
void keepUntouchedFields(const nlohmann::ordered_json &before, nlohmann::ordered_json &after,
                         const nlohmann::ordered_json &patch, const Library &library);

} // namespace meshwright
