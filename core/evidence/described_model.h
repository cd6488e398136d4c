// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/model.h"
#include "evidence/measured_run.h"

#include <optional>
#include <string>
#include <vector>

namespace meshwright {

class Library;

/// The catalog's model with this id or name, comparing letters and digits only. Returns nothing if there is none.
std::optional<Model> model_by_name(const std::string &name, const Library &library);

/// The model of a measured run: built from its dimensions if they are given, otherwise the catalog's model with that
/// name. Assumed values are added to `assumed`. Returns nothing if neither is known.
std::optional<Model> described_model(const MeasuredRun &run, const Library &library, std::vector<std::string> &assumed);

} // namespace meshwright
