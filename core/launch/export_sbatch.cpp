// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/export_sbatch.h"

#include "evaluate/result.h"
#include "launch/export_text.h"
#include "launch/launch_environment.h"
#include "launch/rank_order.h"
#include "quantities/text.h"

#include <fmt/format.h>

#include <cctype>
#include <string>

namespace meshwright {

namespace {

/// The run's name, reduced to letters, digits and dashes.
std::string job_name(const Plan &plan) {
    constexpr std::size_t longest = 40;
    std::string name;
    for (const char c : plan.name) {
        const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 && static_cast<unsigned char>(c) < 0x80;
        if (plain)
            name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        else if (!name.empty() && name.back() != '-')
            name += '-';
        if (name.size() >= longest)
            break;
    }
    while (name.ends_with('-'))
        name.pop_back();
    return name.empty() ? "train" : name;
}

class SbatchWriter {
public:
    SbatchWriter(const Result &result, const TargetPlan &target, std::string_view title, bool is_megatron,
                 SlurmTasks tasks)
        : m_result(result)
        , m_target(target)
        , m_plan(target.plan)
        , m_title(title)
        , m_is_megatron(is_megatron)
        , m_tasks(tasks)
        , m_nodes(nodes_of(target.plan))
        , m_digits(rank_digits(result.plan, target.plan)) { }

    ExportFile write() {
        m_text.add("#!/bin/bash");
        directives();
        m_text.head(m_result, m_title, m_target);
        if (const std::int64_t sites = m_plan.cluster.sites; sites > 1) {
            m_text.add("#");
            m_text.comment(fmt::format("This is the job of one site. Submit it once at each of the {} sites, with "
                                       "REPLICA_ID=0 to {} and the same TORCHFT_LIGHTHOUSE, the address of the "
                                       "lighthouse of TorchFT.",
                                       sites, sites - 1));
        }
        m_text.blank();
        m_text.add("set -euo pipefail");
        m_text.add("cd \"${SLURM_SUBMIT_DIR:-.}\"");
        m_text.blank();
        add_variables(m_text, program_environment(m_target, m_is_megatron));
        add_variables(m_text, network_environment(m_target, m_result));
        m_text.blank();
        // With pipefail, a pipe into head fails as soon as the list is longer than one write.
        m_text.add("NODES=\"$(scontrol show hostnames \"$SLURM_JOB_NODELIST\")\"");
        m_text.add("MASTER_ADDR=\"${NODES%%$'\\n'*}\"");
        m_text.add("MASTER_PORT=\"${MASTER_PORT:-29500}\"");
        m_text.add("export MASTER_ADDR MASTER_PORT");
        m_text.blank();
        placement();
        start();
        return {.name = "run.sbatch", .lines = std::move(m_text).take()};
    }

private:
    void directive(const std::string &option, std::string field = {}, std::string why = {}) {
        m_text.add("#SBATCH " + option, std::move(field), std::move(why));
    }

    void directives() {
        const Cluster &cluster = m_result.plan.cluster;
        directive("--job-name=" + job_name(m_result.plan), "/name");
        directive(fmt::format("--nodes={}", m_nodes.nodes), "/cluster/tiers",
                  fmt::format("{} accelerators per site, {} per node", m_plan.site_accelerators(), m_nodes.per_node));
        directive(
            fmt::format("--ntasks-per-node={}", m_tasks == SlurmTasks::per_node ? std::int64_t{1} : m_nodes.per_node),
            "/cluster/accelerators_per_node",
            m_tasks == SlurmTasks::per_node ? "one launcher per node" : "one process per accelerator");
        directive(fmt::format("--gpus-per-node={}", m_nodes.per_node), "/cluster/accelerators_per_node");
        directive("--exclusive");
        directive("--distribution=block", "/parallelism/placement",
                  "consecutive tasks fill a node, so that inner dimensions stay inside it");
        const std::int64_t domain = cluster.tiers.empty() ? 1 : cluster.tiers.front().accelerators;
        if (domain > m_nodes.per_node && domain % m_nodes.per_node == 0)
            directive(fmt::format("--segment={}", domain / m_nodes.per_node), "/cluster/tiers/0",
                      "nodes that share the innermost tier are allocated together");
        directive("--requeue", "/faults", "the run resumes from its last checkpoint after a failure");
        directive("--open-mode=append");
        directive("--output=%x-%j.log");
        m_text.add("##SBATCH --partition=FILL_IN");
        m_text.add("##SBATCH --account=FILL_IN");
        if (m_tasks != SlurmTasks::per_node)
            m_text.add(fmt::format("##SBATCH --cpus-per-task=FILL_IN   # cores per node / {}; if unset, a process and "
                                   "its data loader share one core",
                                   m_nodes.per_node));
        m_text.add(fmt::format("##SBATCH --time=FILL_IN   # the whole run takes {}",
                               text_of(m_result.run.seconds, Quantity::seconds)),
                   "/run/tokens");
    }

    /// Writes comments that state the tier of each dimension.
    void placement() {
        m_text.comment("Placement on a site's accelerators, in node order, innermost dimension first:");
        for (const RankDigit &digit : m_digits)
            m_text.comment(
                fmt::format("- {}: {} ranks, {}{}", digit.name == "expert" ? "expert (within data)" : digit.name,
                            digit.size,
                            digit.slot_stride == 1 ? std::string("adjacent accelerators")
                                                   : fmt::format("every {} accelerators", digit.slot_stride),
                            digit.tier.empty() ? std::string() : fmt::format(", inside tier \"{}\"", digit.tier)),
                2);
    }

    void start() {
        if (m_tasks == SlurmTasks::per_node) {
            if (!is_in_order(m_digits))
                m_text.comment(
                    "The launcher numbers ranks node by node, so the software's rank order applies, not the plan's.");
            m_text.add("srun --kill-on-bad-exit=1 bash -c 'export NODE_RANK=$SLURM_NODEID; exec bash train.sh'");
            return;
        }
        m_text.add("export WORLD_SIZE=\"$SLURM_NTASKS\"");
        m_text.add("export OMP_NUM_THREADS=\"${OMP_NUM_THREADS:-1}\" # as torchrun sets it");
        m_text.add("srun --kill-on-bad-exit=1 --cpus-per-task=\"${SLURM_CPUS_PER_TASK:-1}\" bash -c '");
        const std::string field = "/parallelism/placement";
        if (m_tasks == SlurmTasks::per_accelerator_in_order || is_in_order(m_digits)) {
            m_text.add("    export RANK=$SLURM_PROCID", field, "the software's own rank order");
        } else {
            m_text.add(
                "    # The framework does not number ranks in Slurm task order; this maps each task to its RANK.");
            m_text.add("    slot=$SLURM_PROCID", field);
            std::string sum;
            for (const RankDigit &digit : m_digits) {
                m_text.add(fmt::format("    {0}=$((slot % {1})) slot=$((slot / {1}))", digit.name, digit.size), field);
                sum += fmt::format("{}{} * {}", sum.empty() ? "" : " + ", digit.name, digit.rank_stride);
            }
            m_text.add(fmt::format("    export RANK=$(({}))", sum), field,
                       "so that each dimension uses the tier that the plan assigns");
        }
        m_text.add(fmt::format("    export LOCAL_RANK=$SLURM_LOCALID LOCAL_WORLD_SIZE={}", m_nodes.per_node),
                   "/cluster/accelerators_per_node");
        m_text.add("    exec bash train.sh'");
    }

    const Result &m_result;
    const TargetPlan &m_target;
    const Plan &m_plan;
    std::string_view m_title;
    bool m_is_megatron;
    SlurmTasks m_tasks;
    SiteNodes m_nodes;
    std::vector<RankDigit> m_digits;
    ExportText m_text;
};

} // namespace

ExportFile sbatch_file(const Result &result, const TargetPlan &target, std::string_view title, bool is_megatron,
                       SlurmTasks tasks) {
    return SbatchWriter(result, target, title, is_megatron, tasks).write();
}

} // namespace meshwright
