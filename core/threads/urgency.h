// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace meshwright {

/// Whether a caller waits for the work, or its threads yield to all others of the program.
enum class Urgency { now, background };

/// Lowers this thread's priority below the program's other threads. Permanent: only a privileged process can raise it
/// again.
void give_way();

} // namespace meshwright
