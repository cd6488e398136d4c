// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <exception>
#include <stop_token>

namespace meshwright {

/// Thrown by work that was asked to stop; it has no result.
class Stopped : public std::exception {
public:
    const char *what() const noexcept override { return "stopped"; }
};

/// While it exists, long work of the creating thread ends with `Stopped` soon after the token requests a stop. This
/// covers every simulation and evaluation, however deeply nested in a search for fixes.
class StopScope {
public:
    explicit StopScope(std::stop_token stop);
    ~StopScope();
    StopScope(const StopScope &) = delete;
    StopScope &operator=(const StopScope &) = delete;

    /// Token of the calling thread's scope, to pass to its worker threads; a token that never stops if there is no
    /// scope.
    static std::stop_token current();

private:
    std::stop_token m_before;
};

/// Long loops call this regularly. @throws Stopped if the thread's scope was asked to stop
void end_if_stopped();

} // namespace meshwright
