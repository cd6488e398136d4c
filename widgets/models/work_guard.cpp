// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/work_guard.h"

#include <new>

namespace meshwright {

namespace {

QString textOf(const std::exception_ptr &why) {
    try {
        std::rethrow_exception(why);
    } catch (const std::bad_alloc &) {
        return WorkFailures::tr("Not enough memory for this calculation. Reduce its size.");
    } catch (const std::exception &error) {
        return WorkFailures::tr("The calculation failed: %1").arg(QString::fromUtf8(error.what()));
    } catch (...) {
        return WorkFailures::tr("The calculation failed.");
    }
}

} // namespace

WorkFailures &WorkFailures::instance() {
    static WorkFailures failures;
    return failures;
}

void WorkFailures::report(const std::exception_ptr &why) {
    Q_EMIT failed(textOf(why)); // delivered through the event queue to receivers in other threads
}

} // namespace meshwright
