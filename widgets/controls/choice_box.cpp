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
    // QComboBox would search its items for the letter of a shortcut that is currently disabled, such as undo with an
    // empty history.
    if (event->modifiers().testFlag(Qt::ControlModifier))
        event->ignore();
    else
        QComboBox::keyPressEvent(event);
}

void ChoiceBox::showPopup() {
    constexpr int around = 24; // margins of the list to the left and right of the text
    const int frame = style()->pixelMetric(QStyle::PM_ScrollBarExtent) + around;
    view()->setMinimumWidth(std::max(width(), view()->sizeHintForColumn(0) + frame));
    QComboBox::showPopup();
}

} // namespace meshwright
