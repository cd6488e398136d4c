// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/exporters.h"
#include "launch/model_shape.h"

#include <cstdint>
#include <optional>

namespace meshwright {

/// Writes a model's "config.json" for Hugging Face's transformers (Llama, Qwen3 and DeepSeek-V3 architectures), from
/// which import_hugging_face() reads the same model. Returns nothing for a shape that none of these architectures has.
/// @param longest  maximum sequence length
std::optional<ExportFile> hugging_face_config(const ModelShape &shape, std::int64_t longest);

} // namespace meshwright
