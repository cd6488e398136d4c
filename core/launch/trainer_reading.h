// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/launch_plan.h"
#include "launch/option_names.h"

#include <cstdint>

namespace meshwright {

/// Translates the arguments of Hugging Face's Trainer into a plan, including the model and the sequence length that
/// programs built on Trainer state (TRL, alignment-handbook, LLaMA-Factory). The rules are those of transformers
/// 00349ae87edd (src/transformers/training_args.py).
class TrainerReading {
public:
    /// Call after the options of an accompanying Accelerate file are read.
    TrainerReading(LaunchPlan &launch, const Library &library);

    void read();
    void ignore_the_rest();

private:
    void read_model();
    void read_batch();
    void read_sharding();
    void read_deepspeed_file(bool has_json);
    void use_deepspeed();
    void set_stage(std::int64_t stage);
    void read_precision();
    bool json_enables_half() const;
    void read_recompute();
    void read_run();

    LaunchPlan &m_launch;
    OptionNames m_options;
    const Library &m_library;
    bool m_sharded = false; ///< whether FSDP or DeepSpeed shards the model; both keep FP32 master weights
};

} // namespace meshwright
