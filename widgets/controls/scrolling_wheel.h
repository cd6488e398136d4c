// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace meshwright {

/// Leaves the wheel to the scroll area around a control: turning it never changes a value that one scrolls over.
void leaveWheelToScrolling(QWidget *control);

} // namespace meshwright
