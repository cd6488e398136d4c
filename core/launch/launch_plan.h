// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/hybrid_model.h"
#include "launch/imported.h"
#include "launch/model_shape.h"
#include "launch/option_list.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace meshwright {

class Library;

/// The machines that a file or its launcher specifies.
struct LaunchMachines {
    std::optional<std::int64_t> accelerators; ///< number of accelerators in one site
    std::optional<std::int64_t> nodes;
    std::optional<std::int64_t> per_node;
    bool one_node = false; ///< whether the launcher starts one node unless `nodes` is set: torchrun without --nnodes
    std::string accelerator; ///< id of a preset; empty: not stated
    std::optional<std::int64_t> sites; ///< groups of replicas that are connected only by an outer loop
};

/// A launch configuration as read by an importer: its options, their use, and the facts that determine the plan.
/// Importers set plan fields by their JSON pointers; finish() sets the other fields to defaults and lists these as
/// assumed.
struct LaunchPlan {
    explicit LaunchPlan(std::vector<LaunchOption> stated)
        : options(std::move(stated)) { }

    OptionList options;
    nlohmann::ordered_json plan = nlohmann::ordered_json::object(); ///< fields that the file states
    std::string name;
    std::string program; ///< Python file or module that the launcher starts; empty: not known
    std::string stack; ///< id of the stack preset
    ModelShape shape;
    std::optional<HybridLayers> hybrid; ///< pattern of a hybrid model's layers; replaces the layers of `shape`
    std::string model; ///< id of a model preset, if the file names a model instead of stating its shape
    std::string model_name; ///< name of a model without a preset, if the file does not state its shape
    LaunchMachines machines;
    std::optional<std::int64_t> data; ///< data-parallel ranks, if the file states them
    /// Number of groups of data-parallel ranks, each of which shards one copy of the states (HSDP). If unset, there is
    /// one group, or the plan's `shard_group` applies.
    std::optional<std::int64_t> shard_groups;
    /// Why the software shards nothing, as with ZeRO 0, if only one rank would hold each copy of the states. If empty,
    /// the stage that the file states applies.
    std::string unsharded_alone;
    /// Adapts the plan to software that runs with other number formats if it shards nothing. May be empty.
    std::function<void(LaunchPlan &)> adapt_unsharded;
    bool shards_inside_node = false; ///< whether each node shards a copy of the states
    std::optional<std::int64_t> accumulation; ///< microbatches per replica and optimizer step
    std::optional<double> steps; ///< length of the run in optimizer steps
    std::optional<double> sequences; ///< batch size in sequences, if not in tokens

    /// Sets one field. @param field  JSON pointer into the plan
    void set(std::string_view field, nlohmann::ordered_json value);
    /// Reads a typed option into a field. Returns false if the file does not state the option.
    bool integer(std::string_view option, std::string_view field);
    bool flag(std::string_view option, std::string_view field);
    /// Value of a field that has been set, or `otherwise`.
    std::int64_t value(std::string_view field, std::int64_t otherwise) const;
};

/// Completes the plan with defaults for cluster, model, batch and length of the run, each listed in `assumed`, and
/// lists errors that would prevent the run in `faults`. The planner accepts the document unless it contains invalid
/// sizes.
Imported finish(LaunchPlan launch, std::string kind, const Library &library);

} // namespace meshwright
