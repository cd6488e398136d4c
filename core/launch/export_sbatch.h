// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/exporters.h"
#include "launch/target_plan.h"

namespace meshwright {

struct Result;

/// How a job's tasks start the training script.
enum class SlurmTasks {
    per_accelerator, ///< one process per accelerator; the script has RANK, LOCAL_RANK, WORLD_SIZE and MASTER_ADDR set
    per_accelerator_in_order, ///< one process per accelerator, for software that derives the accelerator from the rank
    per_node ///< one task per node; the script, which has NODE_RANK and MASTER_ADDR set, launches the node's processes
};

/// The job script "run.sbatch" that starts "train.sh" on all nodes of a site, with each dimension on the tier where the
/// plan places it.
/// @param target  the plan as the software runs it
/// @param title  the software's name, for the header
ExportFile sbatch_file(const Result &result, const TargetPlan &target, std::string_view title, bool is_megatron,
                       SlurmTasks tasks);

} // namespace meshwright
