// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace meshwright {

/// Whether the screen blends windows with what lies under them. Under X11 only with a compositing manager, which
/// forwarded and remote desktops often lack; a translucent window is then black where it should be clear.
bool screenComposites();

} // namespace meshwright
