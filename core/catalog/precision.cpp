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

} // namespace meshwright
