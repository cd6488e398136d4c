// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <malloc.h>

namespace meshwright {

/// Keeps large blocks that were freed for the next that are asked for. A timeline of a million operations is written
/// anew with every edit, and pages fresh from the system would cost more than what is worked out into them.
inline void keep_freed_memory() {
    constexpr int largest_block = 1 << 30;
    constexpr int max_kept = 256 << 20;
    mallopt(M_MMAP_THRESHOLD, largest_block);
    mallopt(M_TRIM_THRESHOLD, max_kept);
}

} // namespace meshwright
