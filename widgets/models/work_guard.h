// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "input/stop_scope.h"

#include <QObject>
#include <QString>

#include <exception>
#include <utility>

namespace meshwright {

/// Where work on threads says that it could not be done, for the window to show.
class WorkFailures : public QObject {
    Q_OBJECT

public:
    static WorkFailures &instance();
    /// From any thread. @param why  what was thrown
    void report(const std::exception_ptr &why);

Q_SIGNALS:
    void failed(const QString &notice);
};

/// Does what a thread has to do. Whatever it throws, memory that runs out too, becomes a notice instead of the end of
/// the program; work that was told to stop ends without one. @returns whether it was done
template <typename Work>
bool guarded(Work &&work) {
    try {
        std::forward<Work>(work)();
        return true;
    } catch (const Stopped &) {
        return false; // nobody waits for it any longer
    } catch (...) {
        WorkFailures::instance().report(std::current_exception());
        return false;
    }
}

} // namespace meshwright
