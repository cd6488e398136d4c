// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace meshwright {

enum class DataType { fp32, tf32, bf16, fp16, fp8, mxfp8, int8, nvfp4, mxfp4, none };

/// Names in plans and presets, in the order of the enumerators.
const std::vector<std::string> &data_type_names();
const std::string &name_of(DataType type);

/// Bytes per element, including block scales (OCP MX: 1 scale byte per 32 elements; NVFP4: 1 per 16).
constexpr double bytes_of(DataType type) {
    switch (type) {
    case DataType::fp32:
    case DataType::tf32:
        return 4;
    case DataType::bf16:
    case DataType::fp16:
        return 2;
    case DataType::fp8:
    case DataType::int8:
        return 1;
    case DataType::mxfp8:
        return 1 + 1.0 / 32;
    case DataType::nvfp4:
        return 0.5 + 1.0 / 16;
    case DataType::mxfp4:
        return 0.5 + 1.0 / 32;
    case DataType::none:
        break;
    }
    return 0;
}

} // namespace meshwright
