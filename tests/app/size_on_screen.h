// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScreen>
#include <QWidget>

namespace meshwright {

/// Whether a shown window fits on its screen with its title bar. Without a limit, each of these dialogs would be larger
/// than the screen of Qt's offscreen platform.
inline bool opensOnScreen(const QWidget &window) {
    const QSize room = window.screen()->availableSize();
    const bool fits = window.width() <= room.width() && window.height() < room.height();
    if (!fits)
        qWarning("%d x %d on a screen of %d x %d", window.width(), window.height(), room.width(), room.height());
    return fits && window.isVisible();
}

} // namespace meshwright
