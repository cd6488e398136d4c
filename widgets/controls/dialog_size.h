// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScreen>
#include <QSize>
#include <QWidget>

namespace meshwright {

/// The size at which a dialog opens: the requested size, limited to the space on its screen below a title bar. Not
/// every window manager shrinks a window that does not fit.
inline QSize sizeOnScreen(const QWidget &dialog, const QSize &wanted) {
    constexpr int titleBar = 40;
    return wanted.boundedTo(dialog.screen()->availableSize() - QSize(0, titleBar));
}

} // namespace meshwright
