// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QScrollArea;
class QWidget;

namespace meshwright {

/// Sets up an area to scroll a page vertically: the page is as wide as the area, which has no frame, no background and
/// no keyboard focus.
void scrollPage(QScrollArea *area, QWidget *page);

} // namespace meshwright
