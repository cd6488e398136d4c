// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace meshwright {

/// Which of a GPT model's modules DeepSpeed's PipelineModule counts when it balances the stages.
enum class CountedModules {
    layers, ///< "type:transformer": the transformer layers
    layers_and_embeddings ///< "type:transformer|embedding", in bigscience's fork: also the embedding and the head
};

/// A pipeline as PipelineModule divides it.
struct DeepSpeedStages {
    std::vector<std::int64_t> layers; ///< transformer layers of each stage
    bool has_empty_stage = false; ///< whether there is a stage without weights, whose optimizer cannot be built
};

/// The stages of a GPT model by DeepSpeed's rule (partition_balanced() in deepspeed/runtime/utils.py at edaa72212672,
/// applied to the modules in megatron/model/gpt_model.py of Megatron-DeepSpeed at 4efb479d5317). Returns no stages for
/// more than 500 layers or stages, because the run time of the rule grows with stages x layers^2.
DeepSpeedStages deepspeed_stages(std::int64_t layers, std::int64_t stages, CountedModules counted);

} // namespace meshwright
