// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/stack.h"
#include "evidence/measured_run.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace meshwright {

class Library;

/// How to split a replica's sequences into microbatches for a pipeline. Applies if the source gives no microbatch size,
/// or one that covers all sequences.
enum class BatchCut { none, stages, sequences };

/// Assumptions for values that a run's source does not give, and the run's software stack.
struct RunAssumptions {
    std::string stack_id;
    Stack stack;
    std::string recompute = "none";
    bool recompute_to_fit = false; ///< whether every layer is recomputed if the run would not fit otherwise
    std::int64_t micro_batch = 0; ///< 0 means the largest useful size that fits
    /// How a pipelined batch is split: into one microbatch per stage, or into single sequences.
    BatchCut pipelined_batch = BatchCut::none;
    std::int64_t zero_stage = 1;
    std::optional<bool> sequence_parallel; ///< if unset, on with tensor parallelism
    bool chunks_by_layer = false; ///< whether a pipeline is interleaved with one layer per chunk where possible
    /// Whether the embedding and the LM head count as one layer each if the number of layers alone is not divisible by
    /// the number of stages.
    bool ends_count_as_layers = false;
    bool expert_tensor_follows = false; ///< whether tensor parallelism also splits each expert
    bool shard_group_is_a_name = false; ///< whether the source's shard group of 2 is only the "2" in "FSDP2"
    std::string health = "nominal";
    /// Id of the cluster preset that provides the network, if the source names a known machine.
    std::string cluster_id;
    std::vector<std::string> why; ///< reasons of the rules that applied
};

/// The rules for reading rows. They are data, not code. Conditions may use the framework, the year and the columns of
/// software settings, but never identify a single row, source or model. Notes are used only to find the software's
/// variant.
class RunRules {
public:
    /// @throws InputError, FileError
    RunRules(const nlohmann::ordered_json &document, const Library &library);
    /// The program's own rules, from presets/evidence/assumptions.json.
    static const RunRules &standard();

    /// Applies all matching rules in order; later rules override earlier ones. Thread-safe.
    RunAssumptions assumptions(const MeasuredRun &run) const;
    std::optional<std::string> accelerator(const std::string &words) const;

private:
    struct Rule;
    struct Cache;
    std::vector<std::shared_ptr<const Rule>> m_rules;
    /// words that name an accelerator, with the accelerator's preset id
    std::vector<std::pair<std::string, std::string>> m_accelerators;
    const Library &m_library;
    std::shared_ptr<Cache> m_cache; ///< modified stacks, cached by the rules that modified them
};

/// Converts to lower case, because rules are written in lower case.
std::string lower_case(std::string_view text);

} // namespace meshwright
