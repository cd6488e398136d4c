// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeyEvent>

namespace meshwright {

/// What the keys do to figures that stand in one widget beside one another: Left and Right choose one, Enter or Space
/// opens it.
/// @param move  takes -1 or 1
/// @return whether the key was one of these
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
