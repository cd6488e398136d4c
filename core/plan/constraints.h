// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace meshwright {

class FieldReader;

/// Fields of a configuration that every search varies. Each has its own slider or choice in the window.
enum class ConfigurationField {
    tensor,
    context,
    pipeline,
    chunks,
    expert,
    expert_tensor,
    data,
    sequence_parallel,
    zero_stage,
    schedule,
    micro_sequences,
    recompute
};
inline constexpr std::size_t configuration_field_count = 12;
/// Names of the fields in plan files: "tensor", "context", ...
const std::vector<std::string> &configuration_field_names();
/// The plan's value of a field: a count, 0 or 1 for a boolean, or the index of an enumerated value.
std::int64_t value_of(const Plan &plan, ConfigurationField field);
/// The value as written in a plan file: "4", "true", "interleaved".
std::string text_of_value(ConfigurationField field, std::int64_t value);

/// Settings that a search varies only on request.
enum class SearchOption { offload, placement, layout, shard_group, group, precision, outer };
inline constexpr std::size_t search_option_count = 7;
const std::vector<std::string> &search_option_names();

/// The values low, low + step, ... up to high; at most `max_steps` values.
struct SteppedRange {
    std::int64_t low = 1;
    std::int64_t high = 1;
    std::int64_t step = 1;
    static constexpr std::int64_t max_steps = 256;
    std::vector<std::int64_t> values() const;
    bool operator==(const SteppedRange &) const = default;
};

/// How much memory must stay free if no number of bytes is given.
enum class Headroom {
    share, ///< fraction `default_headroom_share` of the memory capacity
    sure ///< enough that the upper end of the peak's 80% interval fits
};
/// Names in plan files: "5%", "80%-sure".
const std::vector<std::string> &headroom_names();
inline constexpr double default_headroom_share = 0.05;

struct Constraints {
    std::array<bool, configuration_field_count> fixed{}; ///< fields that a search keeps at the plan's value
    std::array<std::vector<std::int64_t>, configuration_field_count> allowed; ///< values to search by field; empty: all
    /// Minimum free bytes on the accelerator with peak memory; unset: determined by `headroom`.
    std::optional<double> headroom_bytes;
    Headroom headroom = Headroom::share;
    bool any_software = false; ///< whether to include configurations that the plan's software cannot run
    bool tensor_within_node = false;
    std::optional<double> deadline_seconds; ///< deadline of the run, for the objective to minimize accelerators
    std::array<bool, search_option_count> also{}; ///< settings that the plan asks a search to vary
    std::optional<SteppedRange> global_sequences;
    std::optional<SteppedRange> accelerators; ///< numbers of accelerators per site to search
    /// Ids of accelerator presets to search, each with its own intra-node links and price.
    std::vector<std::string> accelerator_types;

    /// Bytes per accelerator that must stay free, without the margin that `Headroom::sure` adds from the prediction
    /// interval.
    double kept_free_bytes(double capacity_bytes) const {
        return headroom_bytes.value_or(headroom == Headroom::share ? default_headroom_share * capacity_bytes : 0);
    }
    bool searches(SearchOption option) const { return also[static_cast<std::size_t>(option)]; }
    bool admits(ConfigurationField field, std::int64_t value, std::int64_t present) const;
    bool operator==(const Constraints &) const = default;
};

/// Reads the object under `key`. Every problem is reported to the reader.
Constraints read_constraints(FieldReader &reader, const char *key);

Constraints constraints_of(const Plan &plan);

} // namespace meshwright
