// SPDX-License-Identifier: GPL-3.0-or-later
// Machines of a configuration whose launcher is in an accompanying script: torchrun options next to a YAML file.
#pragma once

#include "launch/importers.h"
#include "launch/launch_plan.h"

#include <vector>

namespace meshwright {

/// Whether a file is a shell script or a batch job, judged by its first line or the ending of its name.
bool is_shell_script(const LaunchFile &file);

/// The command that launches a training program which reads its configuration from a file.
struct LauncherBeside {
    std::vector<LaunchOption> launcher; ///< options of torchrun or srun, and the batch system's directives
    std::vector<LaunchOption> program; ///< options of the training program

    /// Appends all options to a configuration's own.
    void append_to(std::vector<LaunchOption> &options) const;
    /// Reads nodes and accelerators per node, and marks the program's options that nothing else has read as ignored.
    /// @pre `launch` lists all options
    void read(LaunchPlan &launch) const;
};

/// Reads the shell scripts among accompanying files, starting from the one that calls the others. Empty if there is no
/// script.
LauncherBeside launcher_beside(const std::vector<LaunchFile> &others);

} // namespace meshwright
