// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

#include <nlohmann/json_fwd.hpp>

namespace meshwright {

class FieldReader;
class Library;

/// Reads a plan's `published`. If the document has the `id` of a library preset but differs from it, `plan_changed` is
/// set: the figures belong to another plan.
void read_published(FieldReader &reader, Plan &plan, const nlohmann::ordered_json &document, const Library &library);

/// Published figures as JSON; an empty object if there are none.
nlohmann::ordered_json published_json(const PublishedRun &published);

} // namespace meshwright
