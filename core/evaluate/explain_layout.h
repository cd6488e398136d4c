// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/explain_context.h"
#include "layers/operations.h"

#include <functional>
#include <string>

namespace meshwright {

/// Ways that each weight matrix is cut, and so on: a degree of parallelism. @param which  as in the plan: "tensor"
Derivation degree(const ExplainContext &context, const char *which);
/// The schedule, as its place in the list.
Derivation schedule_field(const ExplainContext &context);
/// A condition on `schedule`, its place in the list: that it is one of those for which `holds`.
std::string schedules_that(const std::function<bool(const ScheduleDefinition &)> &holds);
/// Bytes of an element of one of the plan's number formats. @param pointer  of the format: "/precision/weights"
Derivation format_bytes(Labelled what, DataType type, std::string pointer);
/// The same of what runs in 16 bits or more, whatever is computed in.
Derivation wide_element_bytes(const ExplainContext &context, std::string name);

/// Multiplies side by side: the experts of a rank. @param block  of the layer; null: none
Derivation groups_of_multiply(const ExplainContext &context, const Block *block, const GemmShape &shape);
/// Bytes of an element that the units take.
Derivation element_bytes(const ExplainContext &context, MatrixUnits units);

/// Ranks that a microbatch's tokens are split over outside the split parts of a layer.
Derivation sequence_ways(const ExplainContext &context, std::string name);
/// Ranks that share states of dense weights, and of routed experts.
Derivation dense_shards(const ExplainContext &context, std::string name);
Derivation expert_shards(const ExplainContext &context, std::string name);
/// Ranks of a pipeline that hold each stage: two where microbatches enter at both ends.
Derivation copies_of_stage(const ExplainContext &context, std::string name);

/// Members of a communication group, and how many of them the tiers up to one hold together.
Derivation members_of(const ExplainContext &context, Group group, std::string name);
Derivation members_held(const ExplainContext &context, Group group, std::size_t tier, std::string name);
/// How many members the tiers inside of one hold together; one where there are none.
Derivation members_inside(const ExplainContext &context, Group group, std::size_t tier, std::string name);

/// Layers of one virtual stage: the layout's, or an even spread.
Derivation layers_of_virtual_stage(const ExplainContext &context, std::int64_t stage, std::string name);

/// Bytes a parameter of the optimizer's states and of gradients, as the software keeps them.
Derivation weight_state_bytes(const ExplainContext &context, std::string name);
Derivation gradient_state_bytes(const ExplainContext &context, std::string name);
Derivation master_state_bytes(const ExplainContext &context, std::string name);
Derivation moment_state_bytes(const ExplainContext &context, std::string name);

} // namespace meshwright
