// SPDX-License-Identifier: GPL-3.0-or-later
#include "threads/urgency.h"

#ifdef __linux__
#include <sys/resource.h>
#include <unistd.h>
#endif

namespace meshwright {

void give_way() {
#ifdef __linux__
    // On Linux, each thread has its own nice value, so only this thread is affected. The scheduler gives it about a
    // tenth of the CPU time of a normal thread.
    constexpr int nice = 10;
    setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), nice);
#endif
}

} // namespace meshwright
