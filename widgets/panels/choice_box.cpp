// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/choice_box.h"

#include "controls/scrolling_wheel.h"

namespace meshwright {

ChoiceBox::ChoiceBox(QWidget *parent)
    : QComboBox(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(3);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    leaveWheelToScrolling(this);
}

} // namespace meshwright
