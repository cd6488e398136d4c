// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "input/stop_scope.h"

#include <QObject>
#include <QString>

#include <exception>
#include <utility>

namespace meshwright {

class WorkFailures : public QObject {
    Q_OBJECT

public:
    static WorkFailures &instance();
    /// May be called from any thread. @param why  the exception
    void report(const std::exception_ptr &why);

Q_SIGNALS:
    void failed(const QString &notice);
};

/// Runs `work` on a background thread. Any exception, including std::bad_alloc, becomes a notice instead of ending the
/// program; Stopped ends the work without a notice.
/// @returns whether the work was completed
template <typename Work>
bool guarded(Work &&work) {
    try {
        std::forward<Work>(work)();
        return true;
    } catch (const Stopped &) {
        return false; // the result is no longer wanted
    } catch (...) {
        WorkFailures::instance().report(std::current_exception());
        return false;
    }
}

} // namespace meshwright
