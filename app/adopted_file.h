// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/plan_edit.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>

namespace meshwright {

struct PlanView;

/// Returns the edit that puts a model, a cluster or a Hugging Face config.json into the current plan. Returns nothing
/// for any other file, which the caller then reads as a plan.
/// @param name  file or folder name; becomes the model's name if the configuration has none
/// @throws InputError for a model configuration that cannot be imported
std::optional<PlanEdit> adoptingEdit(const nlohmann::ordered_json &file, const QString &name, const PlanView &view);

} // namespace meshwright
