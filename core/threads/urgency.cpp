// SPDX-License-Identifier: GPL-3.0-or-later
#include "threads/urgency.h"

#ifdef __linux__
#include <sys/resource.h>
#include <unistd.h>
#endif

namespace meshwright {

void give_way() {
#ifdef __linux__
    // Of this thread alone: Linux counts a nice value a thread. Weighs about a tenth of one that does not give way.
    constexpr int nice = 10;
    setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), nice);
#endif
}

} // namespace meshwright
