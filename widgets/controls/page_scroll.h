// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QScrollArea;
class QWidget;

namespace meshwright {

/// Sets up an area that scrolls a page vertically. The page is as wide as the area. The area has no frame, no
/// background and no keyboard focus.
void scrollPage(QScrollArea *area, QWidget *page);

} // namespace meshwright
