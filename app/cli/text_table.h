// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

/// Maximum width of text output, in characters.
inline constexpr std::size_t pageColumns = 100;

enum class Alignment { left, right };

struct TextColumn {
    std::string heading;
    Alignment alignment = Alignment::left;
};

/// Text in aligned columns. Columns are separated by two spaces, or by one if the table would be too wide for the page.
class TextTable {
public:
    explicit TextTable(std::vector<TextColumn> columns);
    /// @pre as many cells as columns
    void add(std::vector<std::string> cells);
    std::vector<std::string> lines() const;

private:
    std::string line(const std::vector<std::string> &cells, const std::vector<std::size_t> &widths,
                     std::size_t gap) const;

    std::vector<TextColumn> m_columns;
    std::vector<std::vector<std::string>> m_rows;
};

/// Formats a fraction for a column in percent: "6.2".
std::string inPercent(double share);

/// Width in terminal columns, counted as code points, which is correct for the program's texts.
std::size_t columnsOf(std::string_view text);

std::string padded(std::string text, std::size_t columns);

/// Wraps a text into lines of at most `columns`; a longer word gets its own line.
std::vector<std::string> wrapped(std::string_view text, std::size_t columns);

/// Places two blocks side by side, the right one at column `place`.
std::vector<std::string> beside(const std::vector<std::string> &left, const std::vector<std::string> &right,
                                std::size_t place);

/// Joins lines with line breaks, without trailing spaces.
std::string joined(const std::vector<std::string> &lines);

} // namespace meshwright
