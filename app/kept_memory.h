// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <malloc.h>

namespace meshwright {

/// Lets malloc reuse large freed blocks. Every edit rewrites a timeline of up to a million operations; getting new
/// pages from the system each time would take longer than the calculation.
inline void keep_freed_memory() {
    constexpr int largest_block = 1 << 30;
    constexpr int max_kept = 256 << 20;
    mallopt(M_MMAP_THRESHOLD, largest_block);
    mallopt(M_TRIM_THRESHOLD, max_kept);
}

} // namespace meshwright
