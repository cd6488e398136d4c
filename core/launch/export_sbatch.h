// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/exporters.h"
#include "launch/target_plan.h"

namespace meshwright {

struct Result;

/// How a job's tasks start the training script.
enum class SlurmTasks {
    per_accelerator, ///< one process per accelerator; the script finds RANK, LOCAL_RANK, WORLD_SIZE and MASTER_ADDR
    per_accelerator_in_order, ///< one process per accelerator, for software that derives the accelerator from the rank
    per_node ///< the script's own launcher starts the processes of a node; it finds NODE_RANK and MASTER_ADDR
};

/// The job script "run.sbatch" that starts "train.sh" on all nodes of a site, with each dimension on the tier that the
/// plan places it on.
/// @param target  the plan as the software runs it
/// @param title  title of the software, for the head
ExportFile sbatch_file(const Result &result, const TargetPlan &target, std::string_view title, bool is_megatron,
                       SlurmTasks tasks);

} // namespace meshwright
