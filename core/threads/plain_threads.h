// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace meshwright {

inline thread_local bool is_plain_thread = false;

/// Calls `body(i)` for every i below `count` on a few threads created for this call; nested calls run on the calling
/// thread.
template <typename Body>
void on_plain_threads(std::size_t count, const Body &body) {
    constexpr std::size_t most = 4;
    std::atomic<std::size_t> next = 0;
    std::exception_ptr thrown;
    std::mutex throwing;
    const auto work = [&] {
        const bool was = std::exchange(is_plain_thread, true);
        try {
            for (std::size_t i = next++; i < count; i = next++)
                body(i);
        } catch (...) {
            const std::lock_guard lock(throwing);
            if (!thrown)
                thrown = std::current_exception();
            next = count;
        }
        is_plain_thread = was;
    };
    {
        std::vector<std::jthread> others;
        for (std::size_t i = 1; i < std::min(count, most) && !is_plain_thread; ++i)
            others.emplace_back(work);
        work();
    }
    if (thrown)
        std::rethrow_exception(thrown);
}

} // namespace meshwright
