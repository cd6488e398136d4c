// SPDX-License-Identifier: GPL-3.0-or-later
#include "input/stop_scope.h"

#include <utility>

namespace meshwright {

namespace {

std::stop_token &of_thread() {
    thread_local std::stop_token stop;
    return stop;
}

} // namespace

StopScope::StopScope(std::stop_token stop)
    : m_before(std::exchange(of_thread(), std::move(stop))) { }

StopScope::~StopScope() {
    of_thread() = std::move(m_before);
}

std::stop_token StopScope::current() {
    return of_thread();
}

void end_if_stopped() {
    if (of_thread().stop_requested())
        throw Stopped();
}

} // namespace meshwright
