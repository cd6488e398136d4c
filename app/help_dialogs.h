// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace meshwright::help {

// Both dialogs are non-modal: the window stays usable while they are open.

/// Shows description, version and license of the program and of its libraries.
void showAbout(QWidget *parent);
/// Shows the shortcuts of all actions and the keys of controls.
void showShortcuts(QWidget *parent);

} // namespace meshwright::help
