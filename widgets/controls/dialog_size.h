// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScreen>
#include <QSize>
#include <QWidget>

namespace meshwright {

/// The initial size of a dialog: the wanted size, limited to the room on its screen below a title bar. Not every window
/// manager shrinks a window that does not fit.
inline QSize sizeOnScreen(const QWidget &dialog, const QSize &wanted) {
    constexpr int titleBar = 40;
    return wanted.boundedTo(dialog.screen()->availableSize() - QSize(0, titleBar));
}

} // namespace meshwright
