// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace CLI {
class App;
}

namespace meshwright {

/// Each function adds one verb to the command line. The verb's callback does the work and throws Failure.
void addEvaluate(CLI::App &program);
void addPresets(CLI::App &program);
void addCheck(CLI::App &program);
void addCompare(CLI::App &program);
void addImport(CLI::App &program);
void addCalc(CLI::App &program);
void addDiloco(CLI::App &program);
void addSchedule(CLI::App &program);
void addExport(CLI::App &program);
void addSearch(CLI::App &program);
void addSeek(CLI::App &program);
void addMap(CLI::App &program);
void addMerge(CLI::App &program);
void addEvidence(CLI::App &program);
void addCalibrate(CLI::App &program);
void addGlossary(CLI::App &program);
void addGuide(CLI::App &program);
void addLessons(CLI::App &program);
void addPlan(CLI::App &program);

} // namespace meshwright
