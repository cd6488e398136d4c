// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QTest>

namespace meshwright::testing {

using TestRun = int (*)(int argc, char **argv);

/// Adds a test to a program that holds many, because linking a program per test takes minutes. The command
/// `PROGRAM NAME [ARGUMENTS OF QT TEST]` runs one test in a process with its own application, settings and palette.
/// @param file  source file of the test; its name without the extension is the name of the test
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

/// Replaces QTEST_MAIN(Test) in such a program. The second argument is an application class other than QApplication.
#define LISTED_TEST(Test, ...)                                                                                         \
    [[maybe_unused]] static const bool listed##Test =                                                                  \
        meshwright::testing::listTest(__FILE__, meshwright::testing::runTest<Test __VA_OPT__(, ) __VA_ARGS__>);
