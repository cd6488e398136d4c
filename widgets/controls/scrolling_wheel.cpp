// SPDX-License-Identifier: GPL-3.0-or-later
#include "controls/scrolling_wheel.h"

#include <QEvent>
#include <QWidget>

namespace meshwright {
namespace {

class WheelLeft : public QObject {
public:
    using QObject::QObject;

protected:
    bool eventFilter(QObject * /*watched*/, QEvent *event) override {
        if (event->type() != QEvent::Wheel)
            return false;
        event->ignore(); // Qt passes an ignored event to the parent
        return true;
    }
};

} // namespace

void leaveWheelToScrolling(QWidget *control) {
    control->installEventFilter(new WheelLeft(control));
}

} // namespace meshwright
