// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstddef>

#ifdef __SANITIZE_THREAD__
extern "C" void __tsan_acquire(void *address);
extern "C" void __tsan_release(void *address);
#endif

namespace meshwright {

/// What the thread that shares work out has written is seen by those that do it, and what they write by the one that
/// waits for them. oneTBB sees to that; its library is not built with the thread sanitizer, which has to be told.
class HandOver {
public:
    HandOver() { release(m_given); }
    ~HandOver() { acquire(m_returned); }
    HandOver(const HandOver &) = delete;
    HandOver &operator=(const HandOver &) = delete;

    /// For as long as one thread does a part of the work.
    class Part {
    public:
        explicit Part(HandOver &whole)
            : m_whole(whole) {
            acquire(m_whole.m_given);
        }
        ~Part() { release(m_whole.m_returned); }
        Part(const Part &) = delete;
        Part &operator=(const Part &) = delete;

    private:
        HandOver &m_whole;
    };

private:
#ifdef __SANITIZE_THREAD__
    static void acquire(char &place) {
        __tsan_acquire(&place);
    }
    static void release(char &place) {
        __tsan_release(&place);
    }
#else
    static void acquire(char &) { }
    static void release(char &) { }
#endif

    char m_given = 0;
    char m_returned = 0;
};

/// Calls `body(i)` for every i below `count`, on the threads of this arena and in no order; returns when all have
/// returned. Throws what the first of them threw.
template <typename Body>
void for_each_index(std::size_t count, const Body &body) {
    HandOver work;
    tbb::parallel_for(std::size_t{0}, count, [&](std::size_t i) {
        const HandOver::Part part(work);
        body(i);
    });
}

/// The same, at most `together` neighbours on a thread before it takes others: 1 where each takes long.
template <typename Body>
void for_each_index(std::size_t count, std::size_t together, const Body &body) {
    HandOver work;
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, count, together),
        [&](const tbb::blocked_range<std::size_t> &range) {
            const HandOver::Part part(work);
            for (std::size_t i = range.begin(); i != range.end(); ++i)
                body(i);
        },
        tbb::simple_partitioner());
}

/// What `body` returns, which shares its work out among at most so many threads.
/// @param threads  0, and more than this process may use: as many as it may
template <typename Body>
auto on_threads(int threads, const Body &body) {
    const int most = tbb::info::default_concurrency(); // more would be refused, with a warning on standard error
    tbb::task_arena arena(threads > 0 ? std::min(threads, most) : most);
    HandOver work;
    return arena.execute([&] {
        const HandOver::Part part(work);
        return body();
    });
}

} // namespace meshwright
