// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/exporters.h"
#include "launch/model_shape.h"

#include <cstdint>
#include <optional>

namespace meshwright {

/// Whether hugging_face_config() describes a shape as a Llama.
bool is_llama(const ModelShape &shape);

/// A model's "config.json" as Hugging Face's transformers library reads it (Llama, Qwen3 and DeepSeek-V3
/// architectures), which import_hugging_face() turns back into the model. Returns nothing if none of these
/// architectures has the shape.
/// @param longest  maximum sequence length
/// @param in_bf16  whether the weights are created in BF16
std::optional<ExportFile> hugging_face_config(const ModelShape &shape, std::int64_t longest, bool in_bf16 = false);

} // namespace meshwright
