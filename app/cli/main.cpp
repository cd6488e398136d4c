// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/command_line.h"
#include "cli/verbs.h"

#include <CLI/CLI.hpp>

int main(int argc, char **argv) {
    using namespace meshwright;
    CLI::App program(
        "Plan distributed training runs: memory, speed, duration and cost of a configuration on a cluster.",
        "meshwright-cli");
    program.set_version_flag("--version", "meshwright-cli " + std::string(programVersion));
    program.require_subcommand(1);
    addEvaluate(program);
    addPlan(program);
    addPresets(program);
    addCheck(program);
    addCompare(program);
    addImport(program);
    addCalc(program);
    addDiloco(program);
    addSchedule(program);
    addExport(program);
    addSearch(program);
    addSeek(program);
    addMap(program);
    addMerge(program);
    addEvidence(program);
    addCalibrate(program);
    addGlossary(program);
    addGuide(program);
    addLessons(program);
    return runCommandLine(program, argc, argv);
}
