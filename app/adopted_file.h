// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/plan_edit.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>

namespace meshwright {

struct PlanView;

/// A file that is a part of a plan and not a plan: a model, a cluster, or a Hugging Face config.json. Gives the edit
/// that takes it into the present plan; nothing for any other file, which then is read as a plan.
/// @param name  the file's, or its folder's, for a configuration that does not name itself
/// @throws InputError for a configuration that cannot be imported
std::optional<PlanEdit> adoptingEdit(const nlohmann::ordered_json &file, const QString &name, const PlanView &view);

} // namespace meshwright
