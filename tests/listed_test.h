// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QTest>

namespace meshwright::testing {

using TestRun = int (*)(int argc, char **argv);

/// Adds a test to a program of many: `PROGRAM NAME [ARGUMENTS OF QT TEST]` runs it, in a process whose application,
/// settings and palette are its own. To compile and link a program for each takes minutes.
/// @param file  source file of the test, whose name without its ending is the test's
/// @return whether no other test has its name
bool listTest(const char *file, TestRun run);

template <typename Test, typename Application = QApplication>
int runTest(int argc, char **argv) {
    Application application(argc, argv);
    Application::setAttribute(Qt::AA_Use96Dpi); // as QTEST_MAIN does
    Test test;
    return QTest::qExec(&test, argc, argv);
}

} // namespace meshwright::testing

/// Where a program of its own would have QTEST_MAIN(Test). Another application than QApplication comes second.
#define LISTED_TEST(Test, ...)                                                                                         \
    [[maybe_unused]] static const bool listed##Test =                                                                  \
        meshwright::testing::listTest(__FILE__, meshwright::testing::runTest<Test __VA_OPT__(, ) __VA_ARGS__>);
