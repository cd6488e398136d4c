// SPDX-License-Identifier: GPL-3.0-or-later
#include "listed_test.h"

#include <cstdio>
#include <filesystem>
#include <map>
#include <string>

namespace {

using meshwright::testing::TestRun;

std::map<std::string, TestRun> &listedTests() {
    static std::map<std::string, TestRun> tests;
    return tests;
}

} // namespace

bool meshwright::testing::listTest(const char *file, TestRun run) {
    return listedTests().emplace(std::filesystem::path(file).stem().string(), run).second;
}

int main(int argc, char **argv) {
    const auto found = argc > 1 ? listedTests().find(argv[1]) : listedTests().end();
    if (found != listedTests().end())
        return found->second(argc - 1, argv + 1);
    std::fputs("Usage: PROGRAM TEST [ARGUMENTS OF QT TEST], with one of these tests:\n", stderr);
    for (const auto &[name, run] : listedTests())
        std::fprintf(stderr, "  %s\n", name.c_str());
    return 2;
}
