// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/precision.h"

namespace meshwright {

const std::vector<std::string> &data_type_names() {
    static const std::vector<std::string> names{"fp32",  "tf32", "bf16",  "fp16",  "fp8",
                                                "mxfp8", "int8", "nvfp4", "mxfp4", "none"};
    return names;
}

const std::string &name_of(DataType type) {
    return data_type_names()[static_cast<std::size_t>(type)];
}

double bytes_of(DataType type) {
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
