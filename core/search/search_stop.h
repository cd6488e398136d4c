// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

namespace meshwright {

/// Stops a search on request, or when most of its time limit has passed. The rest of the time is for simulating the
/// best candidates.
class SearchStop {
public:
    /// @param asked  stops the search on request
    /// @param seconds  time limit of the whole search; unset for none
    SearchStop(std::stop_token asked, std::optional<double> seconds)
        : m_asked(std::move(asked))
        , m_forward(m_asked, [this] { m_source.request_stop(); }) {
        if (!seconds)
            return;
        m_end = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(*seconds));
        m_clock = std::jthread([this, share = searching_share * *seconds](const std::stop_token &ended) {
            std::mutex mutex;
            std::unique_lock lock(mutex);
            std::condition_variable_any wake;
            wake.wait_for(lock, ended, std::chrono::duration<double>(share), [] { return false; });
            if (ended.stop_requested())
                return;
            m_is_over = true;
            m_source.request_stop();
        });
    }
    SearchStop(const SearchStop &) = delete;
    SearchStop &operator=(const SearchStop &) = delete;

    std::stop_token token() const { return m_source.get_token(); }
    bool is_asked() const { return m_asked.stop_requested(); }
    /// Whether the time for searching has passed. The remaining time is for simulations.
    bool is_over() const { return m_is_over; }
    /// Whether the time limit of the whole search has passed.
    bool is_all_over() const { return m_end && Clock::now() > *m_end; }

private:
    using Clock = std::chrono::steady_clock;
    static constexpr double searching_share = 0.75;

    std::stop_token m_asked;
    std::stop_source m_source;
    std::stop_callback<std::function<void()>> m_forward;
    std::optional<Clock::time_point> m_end;
    std::atomic<bool> m_is_over = false;
    std::jthread m_clock; ///< the last member, because it must end before the members above are destroyed
};

} // namespace meshwright
