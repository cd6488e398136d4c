// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/result.h"

namespace meshwright {

const std::vector<std::string> &bottleneck_names() {
    static const std::vector<std::string> names{"compute", "tensor",  "pipeline", "data",
                                                "expert",  "context", "memory",   "wan"};
    return names;
}

const std::vector<std::string> &step_term_names() {
    static const std::vector<std::string> names{"compute", "recompute", "bubble", "tensor",   "context",
                                                "expert",  "pipeline",  "data",   "optimizer"};
    return names;
}

} // namespace meshwright
