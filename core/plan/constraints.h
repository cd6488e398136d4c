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

/// Fields of a layout that a search varies by itself; each has a slider or a choice of its own.
enum class LayoutField {
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
inline constexpr std::size_t layout_field_count = 12;
/// "tensor", "context", ... as plans spell them.
const std::vector<std::string> &layout_field_names();
/// The plan's value of a field: a count, 0 or 1, or the place of the word in its list.
std::int64_t value_of(const Plan &plan, LayoutField field);
/// The value as a document spells it: "4", "true", "interleaved".
std::string text_of_value(LayoutField field, std::int64_t value);

/// What a search varies only when asked to.
enum class SearchOption { offload, placement, layout, shard_group, group, precision, outer };
inline constexpr std::size_t search_option_count = 7;
const std::vector<std::string> &search_option_names();

/// low, low + step, ... up to high; at most `max_steps` values.
struct SteppedRange {
    std::int64_t low = 1;
    std::int64_t high = 1;
    std::int64_t step = 1;
    static constexpr std::int64_t max_steps = 256;
    std::vector<std::int64_t> values() const;
    bool operator==(const SteppedRange &) const = default;
};

/// What stays free where no number of bytes is given.
enum class Headroom {
    share, ///< `default_headroom_share` of the capacity
    sure ///< as much as makes the peak fit at the upper end of its 80 % interval
};
/// "5%", "80%-sure"
const std::vector<std::string> &headroom_names();
inline constexpr double default_headroom_share = 0.05;

/// What a plan tells the search: its `constraints`.
struct Constraints {
    std::array<bool, layout_field_count> fixed{}; ///< the plan's own value alone
    std::array<std::vector<std::int64_t>, layout_field_count> allowed; ///< these values alone; empty: all
    /// At least this much stays free on the fullest accelerator; unset: `default_headroom_share`, or what `headroom`
    /// asks for.
    std::optional<double> headroom_bytes;
    Headroom headroom = Headroom::share;
    bool any_software = false; ///< also layouts that the plan's software cannot run
    bool tensor_within_node = false; ///< tensor at most the accelerators of a node
    std::optional<double> deadline_seconds; ///< of the run, for the fewest accelerators
    std::array<bool, search_option_count> also{}; ///< opted in
    std::optional<SteppedRange> global_sequences;
    std::optional<SteppedRange> accelerators; ///< of a site
    std::vector<std::string> accelerator_types; ///< presets; each with its own links inside a node and its own price

    /// Bytes of one accelerator that stay free, what an interval asks for apart.
    double kept_free_bytes(double capacity_bytes) const {
        return headroom_bytes.value_or(headroom == Headroom::share ? default_headroom_share * capacity_bytes : 0);
    }
    bool searches(SearchOption option) const { return also[static_cast<std::size_t>(option)]; }
    bool admits(LayoutField field, std::int64_t value, std::int64_t present) const;
    bool operator==(const Constraints &) const = default;
};

/// Reads the object under `key`; every problem goes to the reader.
Constraints read_constraints(FieldReader &reader, const char *key);

/// Of a plan that has been read: what its document said.
Constraints constraints_of(const Plan &plan);

} // namespace meshwright
