// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace meshwright {

class FieldReader;

/// The scope of a measured memory figure: only tensors, the allocator's pool, or everything that the driver reports.
enum class MeasuredMemory {
    allocated,
    /// Memory of tensors on the last pipeline rank; the other kinds are measured on the rank with peak memory.
    allocated_on_last_rank,
    reserved,
    device, ///< memory in use as the driver reports it, CUDA context included
    unknown ///< scope not stated; treated as reserved memory
};
const std::vector<std::string> &measured_memory_names();

struct RunShape {
    std::string stack;
    std::string architecture;
    std::int64_t hidden = 1;
    std::int64_t layers = 1;
    std::int64_t microbatch_tokens = 1;
    std::int64_t accelerators = 1; ///< number of accelerators in one site
    std::int64_t tensor = 1;
    std::int64_t pipeline = 1;
    std::int64_t context = 1;
    std::int64_t expert = 1;
    std::int64_t microbatches = 1;
    bool experts = false; ///< mixture-of-experts model
    bool low_precision = false; ///< GEMMs in fewer than 16 bits
    bool fully_sharded = false; ///< ZeRO-3
    bool recomputed = false;

    bool operator==(const RunShape &) const = default;
};

struct CheckedFigure {
    double measured = 0;
    double predicted = 0; ///< held-out prediction, with constants fitted to the machine's other runs

    bool operator==(const CheckedFigure &) const = default;
};

/// A measured run stored in a machine's preset, whose constants are fitted to such runs.
struct OwnRun {
    std::string name;
    RunShape shape;
    std::optional<CheckedFigure> step; ///< seconds
    std::optional<CheckedFigure> memory; ///< peak memory in bytes
    MeasuredMemory memory_kind = MeasuredMemory::unknown;

    bool operator==(const OwnRun &) const = default;
};

inline constexpr std::size_t max_own_runs = 2000;

void read_own_runs(FieldReader &reader, std::vector<OwnRun> &runs);
void write_own_runs(nlohmann::ordered_json &value, const std::vector<OwnRun> &runs);

} // namespace meshwright
