// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <exception>
#include <stop_token>

namespace meshwright {

/// Thrown by work that was requested to stop and therefore has no result.
class Stopped : public std::exception {
public:
    const char *what() const noexcept override { return "stopped"; }
};

/// During the lifetime of this object, long work of the creating thread ends with `Stopped` soon after the token
/// requests a stop. This covers every simulation and evaluation, however deeply nested in a search for fixes.
class StopScope {
public:
    explicit StopScope(std::stop_token stop);
    ~StopScope();
    StopScope(const StopScope &) = delete;
    StopScope &operator=(const StopScope &) = delete;

    /// Token of the calling thread's scope, to pass to its worker threads. Without a scope the token never requests a
    /// stop.
    static std::stop_token current();

private:
    std::stop_token m_before;
};

/// Called regularly by long loops. @throws Stopped if the thread's scope was requested to stop
void end_if_stopped();

} // namespace meshwright
