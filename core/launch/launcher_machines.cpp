// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the number of machines from the options of launchers and batch systems.
#include "launch/command_options.h"

#include "launch/wrapper_script.h"

#include <algorithm>
#include <set>

namespace meshwright {

namespace {

enum class Counts { nodes, per_node, tasks_per_node, per_task, all };

struct LauncherOption {
    std::string_view name; ///< name of the option, spelled with dashes
    Counts counts;
};

/// The options of torchrun, deepspeed, srun and sbatch, mpirun, and `accelerate launch`.
constexpr LauncherOption launcher_options[] = {{"--nnodes", Counts::nodes},
                                               {"--num-nodes", Counts::nodes},
                                               {"--num-machines", Counts::nodes},
                                               {"--nodes", Counts::nodes},
                                               {"-N", Counts::nodes},
                                               {"--nproc-per-node", Counts::per_node},
                                               {"--num-gpus", Counts::per_node},
                                               {"--gpus-per-node", Counts::per_node},
                                               {"--gres", Counts::per_node},
                                               {"--ntasks-per-node", Counts::tasks_per_node},
                                               {"--tasks-per-node", Counts::tasks_per_node},
                                               {"--gpus-per-task", Counts::per_task},
                                               {"--num-processes", Counts::all},
                                               {"--gpus", Counts::all},
                                               {"-G", Counts::all},
                                               {"-np", Counts::all},
                                               {"--np", Counts::all}};

constexpr std::string_view of_node = "/cluster/accelerators_per_node";
constexpr std::string_view of_site = "/cluster/tiers/1/accelerators";

std::string dashed_name(std::string name) {
    std::replace(name.begin(), name.end(), '_', '-');
    return name;
}

/// The launcher option that a name in a script stands for, in any spelling or as an environment variable; null if there
/// is none.
const LauncherOption *launcher_option(const std::string &name) {
    const std::string dashed = dashed_name(name);
    const auto found =
        std::find_if(std::begin(launcher_options), std::end(launcher_options), [&](const LauncherOption &each) {
            const std::vector<std::string_view> variables = environment_names(each.name);
            return each.name == dashed || std::find(variables.begin(), variables.end(), name) != variables.end();
        });
    return found == std::end(launcher_options) ? nullptr : &*found;
}

/// A count as launchers write it: "8", "gpu:h100:8", "1:4" of an elastic launch, "32(x4)".
std::optional<std::int64_t> machine_count(std::string text) {
    if (const std::size_t colon = text.rfind(':'); colon != std::string::npos)
        text.erase(0, colon + 1);
    text = text.substr(0, text.find('('));
    const auto number = spelled_integer(text);
    return number && *number >= 1 ? number : std::nullopt;
}

/// Number of accelerators of one machine in DeepSpeed's --include: "localhost:0,1,2,3".
std::optional<std::int64_t> included_devices(const std::string &text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos || text.find('@') != std::string::npos)
        return std::nullopt;
    return 1 + std::count(text.begin() + static_cast<std::ptrdiff_t>(colon), text.end(), ',');
}

/// The nodes and GPUs in a resource request of PBS: "select=4:ncpus=64:ngpus=8".
void read_selection(LaunchMachines &machines, const std::string &text) {
    const auto number_behind = [&](std::string_view key) {
        const std::size_t at = text.find(key);
        if (at == std::string::npos)
            return std::optional<std::int64_t>();
        const std::size_t from = at + key.size();
        return spelled_integer(text.substr(from, text.find_first_not_of("0123456789", from) - from));
    };
    if (const auto nodes = number_behind("select="); nodes && *nodes >= 1)
        machines.nodes = nodes;
    if (const auto each = number_behind("ngpus="); each && *each >= 1)
        machines.per_node = each;
}

} // namespace

bool counts_machines(std::string_view option) {
    return launcher_option(std::string(option)) != nullptr;
}

void read_launcher(LaunchPlan &launch, const std::vector<LaunchOption> &options) {
    OptionList &list = launch.options;
    LaunchMachines &machines = launch.machines;
    std::optional<std::int64_t> tasks_per_node;
    std::optional<std::int64_t> per_task;
    std::set<std::string_view> counted; // options with a number
    for (const LaunchOption &option : options)
        if (launcher_option(option.name) != nullptr && machine_count(value_text(option.value)))
            counted.insert(option.name);
    bool uses_torchrun = false;
    bool states_nodes = false;
    for (const LaunchOption &option : options) {
        const std::string name = dashed_name(option.name);
        const LauncherOption *const known = launcher_option(option.name);
        uses_torchrun = uses_torchrun || name == "--nproc-per-node";
        states_nodes =
            states_nodes || (known != nullptr && (known->counts == Counts::nodes || known->counts == Counts::all));
        if (!list.is_open(option.name))
            continue;
        const std::string text = value_text(option.value);
        if (name == "--include" && included_devices(text)) {
            machines.per_node = included_devices(text);
            list.understand(option.name, of_node);
            continue;
        }
        if (name == "-l" && text.find("select=") != std::string::npos) {
            read_selection(machines, text);
            list.understand(option.name, of_site);
            continue;
        }
        const auto number = machine_count(text);
        if (!number && counted.contains(option.name))
            continue; // a later occurrence states a number
        if (known == nullptr || !number) {
            const bool open = known != nullptr && is_unresolved(text);
            list.ignore(option.name,
                        open                               ? text + " is known only when the script runs"
                            : option.name.starts_with('-') ? "an option of the launcher"
                                                           : "an environment variable");
            continue;
        }
        // The batch system's directives come first.
        list.prefer(option.name, option.value); // they are for the whole job; a later --nodes is one command's
        switch (known->counts) {
        case Counts::nodes:
            machines.nodes = number;
            break;
        case Counts::per_node:
            machines.per_node = number;
            break;
        case Counts::tasks_per_node:
            tasks_per_node = number;
            break;
        case Counts::per_task:
            per_task = number;
            break;
        case Counts::all:
            machines.accelerators = number;
            break;
        }
        list.understand(option.name,
                        known->counts == Counts::nodes || known->counts == Counts::all ? of_site : of_node);
    }
    machines.one_node = machines.one_node || (uses_torchrun && !states_nodes);
    // If no other option states the number of accelerators, one per task is assumed.
    const bool counts_tasks = !machines.per_node && (per_task || tasks_per_node.value_or(1) > 1);
    for (const LaunchOption &option : options)
        if (const std::string name = dashed_name(option.name);
            !counts_tasks && (name.ends_with("tasks-per-node") || name == "--gpus-per-task"))
            list.ignore(option.name, "counts processes; the number of accelerators is set elsewhere");
    if (counts_tasks)
        machines.per_node = std::min<std::int64_t>(tasks_per_node.value_or(1), 1'000)
            * std::min<std::int64_t>(per_task.value_or(1), 1'000);
}

} // namespace meshwright
