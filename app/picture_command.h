// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace CLI {
class App;
}

namespace meshwright {

/// Adds `picture PLAN --view NAME --out F.svg|F.png` and `table PLAN --view NAME [--out F.csv]`, which write the same
/// files as the window's Export menu, without a display.
void addPicture(CLI::App &program, int &argc, char **argv);
void addTable(CLI::App &program, int &argc, char **argv);

} // namespace meshwright
