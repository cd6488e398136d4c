// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/launch_plan.h"
#include "launch/option_names.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace meshwright {

/// The stack preset of a training program that uses DeepSpeed, and the reason to assume it.
inline constexpr const char *deepspeed_stack = "deepspeed-2023";
inline constexpr const char *why_deepspeed_stack = "a training program with DeepSpeed";

/// The program that uses DeepSpeed. Its options repeat some of the JSON's settings. Option names are spelled as in
/// OptionNames.
struct DeepSpeedCaller {
    OptionNames *options = nullptr; ///< null if only the JSON is imported
    std::string_view title; ///< "Megatron-DeepSpeed"
    bool fills_auto = false; ///< whether the program fills in "auto"
    std::string_view global_batch;
    std::string_view micro_batch;
    std::string_view accumulation;
    std::string_view zero_stage;
    std::string_view bf16;
    std::string_view fp16;
};

/// The format in which DeepSpeed sums gradients unless its JSON states one: that of the weights, or FP32 for BF16
/// weights without ZeRO (engine.py). @param weights  format of the weights
std::string deepspeed_gradients(const std::string &weights, std::int64_t zero_stage);

/// Translates a DeepSpeed JSON into a plan, alone or after the options of its caller have been read. If both give a
/// setting, the values must agree; otherwise an error is reported, and the plan has the caller's value. The rules are
/// those of DeepSpeed at commit edaa72212672 (deepspeed/runtime/config.py).
class DeepSpeedReading {
public:
    /// @param prefix  prefix of the JSON's options in the list
    DeepSpeedReading(LaunchPlan &launch, std::string prefix, const DeepSpeedCaller &caller, const Library &library);

    void read();
    void ignore_the_rest();

private:
    bool is_alone() const { return m_caller.options == nullptr; }
    bool caller_states(std::string_view names) const;
    /// A count that the caller's options may also give. @param names  the caller's names for it
    std::optional<std::int64_t> shared_count(std::string_view option, std::string_view field, std::string_view names);

    void read_batch();
    void read_parallelism();
    void read_zero();
    void read_offload();
    void read_precision();
    void read_states(const std::string &half);
    void read_run();

    LaunchPlan &m_launch;
    OptionNames m_options;
    std::string m_prefix;
    DeepSpeedCaller m_caller;
    const Library &m_library;
};

} // namespace meshwright
