// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/launch_plan.h"
#include "launch/option_names.h"

#include <cstdint>
#include <string>
#include <vector>

namespace meshwright {

/// Prefix of an Accelerate file's options in a list that also has the options of the launched program.
inline constexpr std::string_view accelerate_prefix = "accelerate.";

/// Translates the options of `accelerate config` and `accelerate launch` into a plan. The rules are those of Accelerate
/// at 16cb6eb80dd9 (src/accelerate/commands/launch.py, src/accelerate/parallelism_config.py).
class AccelerateReading {
public:
    /// @param prefixes  option prefixes, as in OptionNames. Options with the last prefix are those of the file, and
    /// options of the command line override them.
    AccelerateReading(LaunchPlan &launch, std::vector<std::string> prefixes, const Library &library);

    void read();
    void ignore_the_rest();

private:
    enum class Engine { single, replicas, fsdp, deepspeed, megatron };
    Engine engine();

    void read_machines();
    void read_degrees();
    void read_fsdp();
    void read_deepspeed();
    void read_megatron();
    void read_precision();

    LaunchPlan &m_launch;
    OptionNames m_options;
    std::string m_prefix;
    const Library &m_library;
    Engine m_engine = Engine::replicas;
    bool m_states_degrees = false; ///< whether parallelism_config states the data-parallel ranks
    std::int64_t m_shard = 1; ///< ranks that shard the model states
};

} // namespace meshwright
