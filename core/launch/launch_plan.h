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

/// The machines of a launch, as far as a file or its launcher states them.
struct LaunchMachines {
    std::optional<std::int64_t> accelerators; ///< number of accelerators in one site
    std::optional<std::int64_t> nodes;
    std::optional<std::int64_t> per_node;
    std::string accelerator; ///< id of a preset; empty: not stated
    std::optional<std::int64_t> sites; ///< replica groups that only an outer loop joins
};

/// What an importer has read of a launch configuration: options with their account, and the facts that make a plan.
/// Importers set the plan's fields by their JSON pointers; what they leave out gets a default that is named.
struct LaunchPlan {
    explicit LaunchPlan(std::vector<LaunchOption> stated)
        : options(std::move(stated)) { }

    OptionList options;
    nlohmann::ordered_json plan = nlohmann::ordered_json::object(); ///< fields that the file states
    std::string name;
    std::string stack; ///< id of the stack preset
    ModelShape shape;
    std::optional<HybridLayers> hybrid; ///< layers of several kinds, which then stand for the shape's
    std::string model; ///< id of a model preset where the file names a model and not its shape
    LaunchMachines machines;
    std::optional<std::int64_t> data; ///< data-parallel ranks, where the file states them
    /// Groups of data-parallel ranks that shard a copy of the states each (HSDP); unset: one, or as the plan's
    /// `shard_group` says.
    std::optional<std::int64_t> shard_groups;
    bool shards_inside_node = false; ///< each node shards a copy of the states
    std::optional<std::int64_t> accumulation; ///< microbatches per replica and optimizer step
    std::optional<double> steps; ///< length of the run in optimizer steps
    std::optional<double> sequences; ///< batch size in sequences, if not in tokens

    /// Sets one field. @param field  JSON pointer into the plan
    void set(std::string_view field, nlohmann::ordered_json value);
    /// Reads a typed option into a field; false where the file does not state it.
    bool integer(std::string_view option, std::string_view field);
    bool flag(std::string_view option, std::string_view field);
    /// A field that has been set, or `otherwise`.
    std::int64_t value(std::string_view field, std::int64_t otherwise) const;
};

/// Completes the plan: cluster, model, batch and length of the run by default where the file does not state them, each
/// named in `assumed`; what keeps it from running, in `faults`. The document is accepted by the planner wherever there
/// is no fault of sizes.
Imported finish(LaunchPlan launch, std::string kind, const Library &library);

} // namespace meshwright
