// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/importers.h"

#include <vector>

namespace meshwright {

int hugging_face_likeness(const LaunchFile &file);
/// A model's `config.json` from the Hugging Face hub. All of its keys describe the model, so they are not listed one by
/// one.
Imported import_hugging_face_config(const std::vector<LaunchFile> &files, const Library &library);

} // namespace meshwright
