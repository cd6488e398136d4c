// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/work_guard.h"

#include <new>

namespace meshwright {

namespace {

QString textOf(const std::exception_ptr &why) {
    try {
        std::rethrow_exception(why);
    } catch (const std::bad_alloc &) {
        return WorkFailures::tr("There is not enough memory to work this out. Make the question smaller.");
    } catch (const std::exception &error) {
        return WorkFailures::tr("This could not be worked out: %1").arg(QString::fromUtf8(error.what()));
    } catch (...) {
        return WorkFailures::tr("This could not be worked out.");
    }
}

} // namespace

WorkFailures &WorkFailures::instance() {
    static WorkFailures failures;
    return failures;
}

void WorkFailures::report(const std::exception_ptr &why) {
    Q_EMIT failed(textOf(why)); // receivers of another thread get it queued
}

} // namespace meshwright
