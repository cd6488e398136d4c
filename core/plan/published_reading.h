// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

#include <nlohmann/json_fwd.hpp>

namespace meshwright {

class FieldReader;
class Library;

/// Reads `published` of a plan. Where the document is a preset of the library by its `id` and says something else than
/// the preset, the figures are marked as those of another plan.
void read_published(FieldReader &reader, Plan &plan, const nlohmann::ordered_json &document, const Library &library);

/// Empty where nothing is reported.
nlohmann::ordered_json published_json(const PublishedRun &published);

} // namespace meshwright
