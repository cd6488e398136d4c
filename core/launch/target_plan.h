// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/exporters.h"
#include "launch/model_shape.h"
#include "plan/plan.h"

#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

/// A plan as the software of an export target runs it: what the software cannot express is replaced by the nearest that
/// it can, and named. An exporter writes this plan; reading its file back gives the same one.
struct TargetPlan {
    Plan plan; ///< plan of one site
    ModelShape shape;
    std::vector<Loss> lost;

    /// @param what  predicate or sentence without its period
    /// @param fields  JSON pointers of the plan fields that the file says otherwise; "/model" for any part of the model
    void lose(const std::string &what, const std::string &instead, std::vector<std::string> fields);
    /// For software that has one kind of attention in all layers. @param name  of the software
    void make_attention_uniform(std::string_view name);
    /// Gives states the one format that the software has for them. @param what  "master weights"
    void settle(DataType &type, DataType now, const std::string &what, const std::string &field);
};

/// Fits a plan to software by what its stack says it can run. Rules that only the target's options have come after it.
/// @param software  the stack, under the name that sentences are to use
/// @throws InputError with the pointer of a degree of tensor, pipeline, context or expert parallelism that the software
/// does not support
TargetPlan target_plan(const Plan &plan, Stack software);

/// Accelerators per node and nodes of a plan's site: all nodes alike, as launchers ask for them.
struct SiteNodes {
    std::int64_t nodes = 1;
    std::int64_t per_node = 1;
};
SiteNodes nodes_of(const Plan &plan);

} // namespace meshwright
