// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace CLI {
class App;
}

namespace meshwright {

/// Adds `report PLAN --pdf F --json F --png F --svg F`, which exports a plan's result without a display.
void addReport(CLI::App &program, int &argc, char **argv);

} // namespace meshwright
