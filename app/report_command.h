// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace CLI {
class App;
}

namespace meshwright {

/// Adds the command `report PLAN [--pdf F] [--markdown F] [--html F] [--sections A,B] [--paper a4|letter] [--json F]
/// [--png F] [--svg F]`. It exports a plan's result without a display.
void addReport(CLI::App &program, int &argc, char **argv);

} // namespace meshwright
