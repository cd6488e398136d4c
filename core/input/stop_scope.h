// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <exception>
#include <stop_token>

namespace meshwright {

/// Thrown out of work that was told to stop, and has no answer.
class Stopped : public std::exception {
public:
    const char *what() const noexcept override { return "stopped"; }
};

/// While it lives, long work of the thread that made it ends with `Stopped` soon after its token asks for it: every
/// simulation and every evaluation, however deep under a search for fixes it lies.
class StopScope {
public:
    explicit StopScope(std::stop_token stop);
    ~StopScope();
    StopScope(const StopScope &) = delete;
    StopScope &operator=(const StopScope &) = delete;

    /// Of the calling thread, for threads that work for it; never stops where there is none.
    static std::stop_token current();

private:
    std::stop_token m_before;
};

/// What long loops ask now and then. @throws Stopped where the thread's scope was told to stop
void end_if_stopped();

} // namespace meshwright
