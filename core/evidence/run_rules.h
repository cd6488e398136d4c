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

/// Into what software cuts the sequences of a replica that a pipeline gets at once, where a source says no less of a
/// microbatch than all of them.
enum class BatchCut { none, stages, sequences };

/// What is assumed of a run where its source is silent, and which software its words mean.
struct RunAssumptions {
    std::string stack_id;
    Stack stack;
    std::string recompute = "none"; ///< where the source does not say
    bool recompute_to_fit = false; ///< every layer is recomputed where nothing else would fit
    std::int64_t micro_batch = 0; ///< 0: the largest that does any good and fits
    BatchCut pipelined_batch = BatchCut::none; ///< into as many microbatches as stages, or into single sequences
    std::int64_t zero_stage = 1;
    std::optional<bool> sequence_parallel; ///< unset: where tensor parallelism is
    bool chunks_by_layer = false; ///< a pipeline interleaves as finely as its layers allow
    bool ends_count_as_layers = false; ///< embedding and head, where layers alone do not divide over the stages
    bool expert_tensor_follows = false; ///< experts are split like the rest
    bool shard_group_is_a_name = false; ///< a shard group of two is the "2" of FSDP2
    std::string health = "nominal";
    std::string cluster_id; ///< whose network it is, where the source names a machine that is known
    std::vector<std::string> why; ///< reasons of the rules that applied
};

/// The rules by which rows are read, as data: conditions on framework, year and the columns that describe the
/// software's settings, never on a row, a source or a model; on remarks only where these name the software's variant.
class RunRules {
public:
    /// @throws InputError, FileError
    RunRules(const nlohmann::ordered_json &document, const Library &library);
    /// The program's own, from presets/evidence/assumptions.json.
    static const RunRules &standard();

    /// All rules that apply, in order; the later ones override. Safe to use from several threads.
    RunAssumptions assumptions(const MeasuredRun &run) const;
    /// Id of the accelerator that a source's words mean, if it is known.
    std::optional<std::string> accelerator(const std::string &words) const;

private:
    struct Rule;
    struct Cache;
    std::vector<std::shared_ptr<const Rule>> m_rules;
    std::vector<std::pair<std::string, std::string>> m_accelerators; ///< words, id
    const Library &m_library;
    std::shared_ptr<Cache> m_cache; ///< stacks by the rules that made them
};

/// Lower case, as rules are written.
std::string lower_case(std::string_view text);

} // namespace meshwright
