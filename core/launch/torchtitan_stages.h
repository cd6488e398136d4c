// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace meshwright {

/// Layers of each virtual stage as distributed by torchtitan. The embedding and the head count as `first` and `last`
/// layers. The total is divided evenly; the remainder goes to the earlier stages. Empty if there are too few layers.
/// Source: v0.2.2, torchtitan/distributed/pipeline_parallel.py, generate_llm_fqn_per_model_part.
std::vector<std::int64_t> torchtitan_layers(std::int64_t layers, std::int64_t stages, std::int64_t first,
                                            std::int64_t last);

} // namespace meshwright
