// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace meshwright::help {

// Both dialogs are non-modal: the window stays usable while they are open.

void showAbout(QWidget *parent);
void showShortcuts(QWidget *parent);

} // namespace meshwright::help
