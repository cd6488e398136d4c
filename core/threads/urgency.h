// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace meshwright {

/// Whether a caller waits for the work; if not, its threads yield to all other threads of the program.
enum class Urgency { now, background };

/// Lowers this thread's priority below that of the program's other threads. The change is permanent, because only a
/// privileged process can raise a priority.
void give_way();

} // namespace meshwright
