// SPDX-License-Identifier: GPL-3.0-or-later
#include "threads/for_each_index.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#ifdef __linux__
#include <sys/resource.h>
#include <unistd.h>
#endif

namespace meshwright {
namespace {

TEST(Threads, CallEveryIndexOnceAndThrowWhatWasThrown) {
    std::vector<std::atomic<int>> calls(1000);
    for_each_index(calls.size(), [&](std::size_t i) { ++calls[i]; });
    for_each_index(calls.size(), 7, [&](std::size_t i) { ++calls[i]; });
    for (const std::atomic<int> &count : calls)
        EXPECT_EQ(count, 2);
    EXPECT_THROW(for_each_index(100, [](std::size_t i) { i == 50 ? throw std::runtime_error("50") : void(); }),
                 std::runtime_error);
    EXPECT_EQ(on_threads(1, Urgency::now, [] { return 7; }), 7);
}

#if defined(__linux__) && !defined(__SANITIZE_THREAD__)
TEST(Threads, GiveWayInTheBackgroundAlone) {
    const auto nice_of = [](Urgency urgency) {
        int nice = -100;
        std::jthread([&] {
            nice = on_threads(0, urgency, [] { return getpriority(PRIO_PROCESS, static_cast<id_t>(gettid())); });
        }).join();
        return nice;
    };
    const int usual = nice_of(Urgency::now);
    EXPECT_EQ(usual, getpriority(PRIO_PROCESS, 0));
    if (usual < 10) {
        EXPECT_GT(nice_of(Urgency::background), usual);
    }
}
#endif

} // namespace
} // namespace meshwright
