// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace meshwright {

/// Makes the wheel scroll the area around a control instead of changing the control's value.
void leaveWheelToScrolling(QWidget *control);

} // namespace meshwright
