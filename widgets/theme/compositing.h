// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace meshwright {

/// Whether the screen supports translucent windows. X11 supports them only with a compositing manager, and forwarded or
/// remote desktops often lack one. Without such a manager, translucent areas are black.
bool screenComposites();

} // namespace meshwright
