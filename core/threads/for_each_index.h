// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "threads/urgency.h"

#ifdef __SANITIZE_THREAD__
#include "threads/plain_threads.h"
#else
#include <tbb/blocked_range.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>
#include <tbb/task_scheduler_observer.h>
#endif

#include <algorithm>
#include <cstddef>

namespace meshwright {

#ifdef __SANITIZE_THREAD__

// The thread sanitizer cannot follow how oneTBB passes work between threads, because oneTBB is not built with it. With
// plain threads, it can check the data that the work shares.

template <typename Body>
void for_each_index(std::size_t count, const Body &body) {
    on_plain_threads(count, body);
}

template <typename Body>
void for_each_index(std::size_t count, std::size_t /*together*/, const Body &body) {
    on_plain_threads(count, body);
}

template <typename Body>
auto on_threads(int /*threads*/, Urgency /*urgency*/, const Body &body) {
    return body();
}

#else

/// Calls `body(i)` for every i below `count` on the threads of this arena, in any order, and waits until all calls have
/// returned. Rethrows the first exception.
template <typename Body>
void for_each_index(std::size_t count, const Body &body) {
    tbb::parallel_for(std::size_t{0}, count, body);
}

/// Like the function above, but with up to `together` consecutive indices per task. Use 1 if each call takes long.
template <typename Body>
void for_each_index(std::size_t count, std::size_t together, const Body &body) {
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, count, together),
        [&](const tbb::blocked_range<std::size_t> &range) {
            for (std::size_t i = range.begin(); i != range.end(); ++i)
                body(i);
        },
        tbb::simple_partitioner());
}

/// Lowers the priority of every thread that works in an arena.
class BackgroundArena : public tbb::task_scheduler_observer {
public:
    explicit BackgroundArena(tbb::task_arena &arena)
        : tbb::task_scheduler_observer(arena) {
        observe(true);
    }
    ~BackgroundArena() override { observe(false); }
    BackgroundArena(const BackgroundArena &) = delete;
    BackgroundArena &operator=(const BackgroundArena &) = delete;

    void on_scheduler_entry(bool /*is_worker*/) override { give_way(); }
};

/// Runs `body` and returns its result. The body may parallelize its work over at most `threads` threads.
/// @param threads maximum number of threads; all available threads if 0 or more than this process may use
template <typename Body>
auto on_threads(int threads, Urgency urgency, const Body &body) {
    // oneTBB would reject a larger number with a warning on standard error.
    const int most = tbb::info::default_concurrency();
    tbb::task_arena arena(threads > 0 ? std::min(threads, most) : most);
    if (urgency == Urgency::now)
        return arena.execute(body);
    arena.initialize();
    const BackgroundArena background(arena);
    return arena.execute(body);
}

#endif

/// Calls both functions, on two threads if one is free, and waits until both have returned. Rethrows the first
/// exception.
template <typename First, typename Second>
void in_parallel(const First &first, const Second &second) {
    for_each_index(2, 1, [&](std::size_t i) {
        if (i == 0)
            first();
        else
            second();
    });
}

} // namespace meshwright
