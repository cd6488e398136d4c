// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace meshwright {

/// Whether the screen supports translucent windows. X11 does only with a compositing manager, which forwarded and
/// remote desktops often lack; translucent areas are then black.
bool screenComposites();

} // namespace meshwright
