// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/choice_box.h"

#include "controls/scrolling_wheel.h"

#include <QKeyEvent>

namespace meshwright {

ChoiceBox::ChoiceBox(QWidget *parent)
    : QComboBox(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(3);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    leaveWheelToScrolling(this);
}

void ChoiceBox::keyPressEvent(QKeyEvent *event) {
    // A shortcut that has nothing to do, such as undo at the first step, must not be searched for among the choices.
    if (event->modifiers().testFlag(Qt::ControlModifier))
        event->ignore();
    else
        QComboBox::keyPressEvent(event);
}

} // namespace meshwright
