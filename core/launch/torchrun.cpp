// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/torchrun.h"

#include "launch/target_plan.h"

#include <fmt/format.h>

namespace meshwright {

void add_torchrun(ExportText &text, const Plan &plan) {
    const SiteNodes nodes = nodes_of(plan);
    text.comment("run.sbatch starts one process per accelerator and assigns their ranks. Without it, set NODE_RANK and "
                 "MASTER_ADDR and run this script on each node; torchrun then starts the processes.");
    text.add("if [ -n \"${RANK:-}\" ]; then");
    text.add("    LAUNCHER=(python3 -u)");
    text.add("else");
    text.add(fmt::format("    LAUNCHER=(torchrun --nproc-per-node={}", nodes.per_node),
             "/cluster/accelerators_per_node");
    text.add(fmt::format("        --nnodes={}", nodes.nodes), "/cluster/tiers",
             fmt::format("{} accelerators per site, {} per node", plan.site_accelerators(), nodes.per_node));
    text.add("        --node-rank=\"${NODE_RANK:-0}\" --master-addr=\"${MASTER_ADDR:-localhost}\"");
    text.add("        --master-port=\"${MASTER_PORT:-29500}\")");
    text.add("fi");
}

} // namespace meshwright
