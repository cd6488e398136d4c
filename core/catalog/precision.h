// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace meshwright {

/// Number formats that weights, gradients, optimizer states and matrix multiplies use.
enum class DataType { fp32, tf32, bf16, fp16, fp8, mxfp8, int8, nvfp4, mxfp4, none };

/// Names in the order of the enumerators, as plans and presets spell them.
const std::vector<std::string> &data_type_names();
const std::string &name_of(DataType type);

/// Storage of one element in bytes, block scales included (OCP MX: 1 scale byte per 32; NVFP4: 1 per 16).
double bytes_of(DataType type);

} // namespace meshwright
