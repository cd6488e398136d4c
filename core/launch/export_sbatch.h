// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/exporters.h"
#include "launch/target_plan.h"

namespace meshwright {

struct Result;

/// How a job's tasks start the training script.
enum class SlurmTasks {
    per_accelerator, ///< one process per accelerator; the script receives RANK, LOCAL_RANK, WORLD_SIZE and MASTER_ADDR
    per_accelerator_in_order, ///< one process per accelerator, for software that derives the accelerator from the rank
    per_node ///< one process per node, whose own launcher starts the others; the script receives NODE_RANK and
             ///< MASTER_ADDR
};

/// Writes the job script "run.sbatch", which starts "train.sh" on all nodes of a site, with each dimension on the tier
/// where the plan places it.
/// @param target  the plan as the software runs it
/// @param title  title of the software, for the comment at the top
ExportFile sbatch_file(const Result &result, const TargetPlan &target, std::string_view title, bool is_megatron,
                       SlurmTasks tasks);

} // namespace meshwright
