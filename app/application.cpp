// SPDX-License-Identifier: GPL-3.0-or-later
#include "application.h"

#include "models/work_guard.h"

namespace meshwright {

bool Application::notify(QObject *receiver, QEvent *event) {
    bool handled = false;
    guarded([&] { handled = QApplication::notify(receiver, event); });
    return handled;
}

} // namespace meshwright
