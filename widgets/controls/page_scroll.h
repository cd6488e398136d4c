// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QScrollArea;
class QWidget;

namespace meshwright {

/// Has an area scroll a page up and down: as wide as the area, without a frame or a ground of its own, and never where
/// the keys go.
void scrollPage(QScrollArea *area, QWidget *page);

} // namespace meshwright
