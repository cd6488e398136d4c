// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QTest>

namespace meshwright::testing {

using TestRun = int (*)(int argc, char **argv);

/// Adds a test to a program with many tests: `PROGRAM NAME [ARGUMENTS OF QT TEST]` runs it in its own process, with its
/// own application, settings and palette. Compiling and linking one program per test would take minutes. @param file
/// source file of the test; its name without suffix is the test's name @return whether the name is unique
bool listTest(const char *file, TestRun run);

template <typename Test, typename Application = QApplication>
int runTest(int argc, char **argv) {
    Application application(argc, argv);
    Application::setAttribute(Qt::AA_Use96Dpi); // as QTEST_MAIN does
    Test test;
    return QTest::qExec(&test, argc, argv);
}

} // namespace meshwright::testing

/// Use this in place of QTEST_MAIN(Test). The second argument is an application class other than QApplication.
#define LISTED_TEST(Test, ...)                                                                                         \
    [[maybe_unused]] static const bool listed##Test =                                                                  \
        meshwright::testing::listTest(__FILE__, meshwright::testing::runTest<Test __VA_OPT__(, ) __VA_ARGS__>);
