// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace meshwright::help {

// Neither keeps the window waiting.

/// What the program is, its version and licence, and those of what it is built on.
void showAbout(QWidget *parent);
/// Every shortcut of the window's actions, and the keys of its controls.
void showShortcuts(QWidget *parent);

} // namespace meshwright::help
