// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/csv_table.h"

#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace meshwright::testing {

/// Rows of a table in tests/core/data, without its headings.
inline std::vector<std::vector<std::string>> rows_of(const std::string &name) {
    std::ifstream file(std::string(MESHWRIGHT_TEST_DATA "/") + name);
    return read_csv(std::string(std::istreambuf_iterator<char>(file), {})).rows;
}

/// Parses "ranks=8 bytes=1e9" into values by name.
inline std::map<std::string, std::string, std::less<>> arguments_of(const std::string &text) {
    std::map<std::string, std::string, std::less<>> arguments;
    std::istringstream words(text);
    for (std::string word; words >> word;)
        arguments[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
    return arguments;
}

} // namespace meshwright::testing
