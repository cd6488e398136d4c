// SPDX-License-Identifier: GPL-3.0-or-later
#include "threads/urgency.h"

#ifdef __linux__
#include <sys/resource.h>
#include <unistd.h>
#endif

namespace meshwright {

void give_way() {
#ifdef __linux__
    // Only affects this thread: Linux has a nice value per thread. This one gets about a tenth of the weight of a
    // normal thread.
    constexpr int nice = 10;
    setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), nice);
#endif
}

} // namespace meshwright
