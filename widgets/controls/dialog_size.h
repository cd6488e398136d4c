// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScreen>
#include <QSize>
#include <QWidget>

namespace meshwright {

/// The size at which a dialog opens: as wanted, but no larger than its screen has room for below a title bar. Not every
/// window manager makes a window smaller that does not fit.
inline QSize sizeOnScreen(const QWidget &dialog, const QSize &wanted) {
    constexpr int titleBar = 40;
    return wanted.boundedTo(dialog.screen()->availableSize() - QSize(0, titleBar));
}

} // namespace meshwright
