// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace meshwright {

/// Whether somebody waits for each part of the work, or the threads at it give way to all others of the program.
enum class Urgency { now, background };

/// From here on this thread runs only where the program's other threads leave it time. For good: only a privileged
/// process can raise a thread again.
void give_way();

} // namespace meshwright
