// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeyEvent>

namespace meshwright {

/// Handles keys for several figures in one widget: Left and Right select one, Enter or Space opens it.
/// @param move  called with -1 or 1
/// @return whether the key was handled
template <typename Move, typename Open>
bool walkFigures(const QKeyEvent &event, const Move &move, const Open &open) {
    switch (event.key()) {
    case Qt::Key_Right:
        move(1);
        return true;
    case Qt::Key_Left:
        move(-1);
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        open();
        return true;
    default:
        return false;
    }
}

} // namespace meshwright
