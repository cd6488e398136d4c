// SPDX-License-Identifier: GPL-3.0-or-later
#include "controls/choice_box.h"

#include "controls/scrolling_wheel.h"

#include <QAbstractItemView>
#include <QKeyEvent>
#include <QStyle>

#include <algorithm>

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

void ChoiceBox::showPopup() {
    constexpr int around = 24; // room of the list beside the text
    const int frame = style()->pixelMetric(QStyle::PM_ScrollBarExtent) + around;
    view()->setMinimumWidth(std::max(width(), view()->sizeHintForColumn(0) + frame));
    QComboBox::showPopup();
}

} // namespace meshwright
