// SPDX-License-Identifier: GPL-3.0-or-later
#include "listed_test.h"

#include <cstdio>
#include <filesystem>
#include <map>
#include <string>

namespace {

using meshwright::testing::ListedTest;

std::map<std::string, ListedTest::Run> &listedTests() {
    static std::map<std::string, ListedTest::Run> tests;
    return tests;
}

} // namespace

ListedTest::ListedTest(const char *file, Run run) {
    listedTests().emplace(std::filesystem::path(file).stem().string(), run);
}

int main(int argc, char **argv) {
    const auto found = argc > 1 ? listedTests().find(argv[1]) : listedTests().end();
    if (found != listedTests().end())
        return found->second(argc - 1, argv + 1);
    std::fputs("Name one of these tests, then what Qt Test is to know:\n", stderr);
    for (const auto &[name, run] : listedTests())
        std::fprintf(stderr, "  %s\n", name.c_str());
    return 2;
}
