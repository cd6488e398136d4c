// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace meshwright {

class FieldReader;

/// What a memory figure counts.
enum class MeasuredMemory {
    allocated, ///< by tensors
    allocated_on_last_rank, ///< by tensors on the pipeline's last rank; the others are of the rank that needs most
    reserved, ///< the allocator's pool
    device, ///< as the driver reports it, context included
    unknown ///< taken as reserved
};
const std::vector<std::string> &measured_memory_names();

/// What tells how near two runs are to each other.
struct RunShape {
    std::string stack; ///< id of the training software
    std::string architecture; ///< of the accelerators
    std::int64_t hidden = 1;
    std::int64_t layers = 1;
    std::int64_t microbatch_tokens = 1;
    std::int64_t accelerators = 1; ///< of one site
    std::int64_t tensor = 1;
    std::int64_t pipeline = 1;
    std::int64_t context = 1;
    std::int64_t expert = 1;
    std::int64_t microbatches = 1;
    bool experts = false; ///< a mixture of experts
    bool low_precision = false; ///< computes in fewer than 16 bits
    bool fully_sharded = false; ///< ZeRO-3
    bool recomputed = false;

    bool operator==(const RunShape &) const = default;
};

/// A figure of a run, and what the model says of it.
struct CheckedFigure {
    double measured = 0;
    double predicted = 0; ///< by constants fitted to the machine's other runs

    bool operator==(const CheckedFigure &) const = default;
};

/// A run that was measured on a machine whose constants are fitted to its runs, as the machine's preset keeps it.
struct OwnRun {
    std::string name;
    RunShape shape;
    std::optional<CheckedFigure> step; ///< seconds
    std::optional<CheckedFigure> memory; ///< bytes at the peak
    MeasuredMemory memory_kind = MeasuredMemory::unknown;

    bool operator==(const OwnRun &) const = default;
};

inline constexpr std::size_t max_own_runs = 2000;

/// Reads "measured_runs" of a cluster.
void read_own_runs(FieldReader &reader, std::vector<OwnRun> &runs);
/// Adds "measured_runs"; nothing if there are none.
void write_own_runs(nlohmann::ordered_json &value, const std::vector<OwnRun> &runs);

} // namespace meshwright
