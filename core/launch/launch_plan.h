// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/hybrid_model.h"
#include "launch/imported.h"
#include "launch/model_shape.h"
#include "launch/option_list.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace meshwright {

class Library;

/// The machines stated by a file or its launcher.
struct LaunchMachines {
    std::optional<std::int64_t> accelerators; ///< number of accelerators in one site
    std::optional<std::int64_t> nodes;
    std::optional<std::int64_t> per_node;
    std::string accelerator; ///< id of a preset; empty if not stated
    std::optional<std::int64_t> sites; ///< number of replica groups joined only by an outer loop
};

/// A launch configuration as read by an importer: the status of its options, and facts for building a plan. Importers
/// set plan fields by their JSON pointers; finish() gives the others defaults and lists these as assumed.
struct LaunchPlan {
    explicit LaunchPlan(std::vector<LaunchOption> stated)
        : options(std::move(stated)) { }

    OptionList options;
    nlohmann::ordered_json plan = nlohmann::ordered_json::object(); ///< fields that the file states
    std::string name;
    std::string stack; ///< id of the stack preset
    ModelShape shape;
    std::optional<HybridLayers> hybrid; ///< layers of several kinds, which replace the layers of `shape`
    std::string model; ///< id of a model preset, if the file names a model without its shape
    LaunchMachines machines;
    std::optional<std::int64_t> data; ///< number of data-parallel ranks, if the file states it
    /// Number of groups of data-parallel ranks that each shard a copy of the states (HSDP). If unset, it is one or
    /// follows from the plan's `shard_group`.
    std::optional<std::int64_t> shard_groups;
    bool shards_inside_node = false; ///< whether each node shards a copy of the states
    std::optional<std::int64_t> accumulation; ///< microbatches per replica and optimizer step
    std::optional<double> steps; ///< length of the run in optimizer steps
    std::optional<double> sequences; ///< batch size in sequences, if not in tokens

    /// Sets one field. @param field  JSON pointer into the plan
    void set(std::string_view field, nlohmann::ordered_json value);
    /// Reads a typed option into a field; returns false if the file does not state it.
    bool integer(std::string_view option, std::string_view field);
    bool flag(std::string_view option, std::string_view field);
    /// Value of a field that has been set, or `otherwise`.
    std::int64_t value(std::string_view field, std::int64_t otherwise) const;
};

/// Completes the plan with defaults for cluster, model, batch and length of the run, which are listed in `assumed`.
/// Errors that would prevent the run are listed in `faults`. The planner accepts the document unless sizes are wrong.
Imported finish(LaunchPlan launch, std::string kind, const Library &library);

} // namespace meshwright
