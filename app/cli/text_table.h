// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

/// Lines that people read are at most this wide.
inline constexpr std::size_t pageColumns = 100;

enum class Alignment { left, right };

struct TextColumn {
    std::string heading;
    Alignment alignment = Alignment::left;
};

/// Rows of text in aligned columns. Columns stand two apart, or one where the table would be too wide for the page.
class TextTable {
public:
    explicit TextTable(std::vector<TextColumn> columns);
    /// As many cells as columns.
    void add(std::vector<std::string> cells);
    std::vector<std::string> lines() const;

private:
    std::string line(const std::vector<std::string> &cells, const std::vector<std::size_t> &widths,
                     std::size_t gap) const;

    std::vector<TextColumn> m_columns;
    std::vector<std::vector<std::string>> m_rows;
};

/// A share in per cent, for a column that says so: "6.2".
std::string inPercent(double share);

/// Code points, which is what a terminal shows of the texts that are printed here.
std::size_t columnsOf(std::string_view text);

/// `text` with spaces behind it up to `columns`.
std::string padded(std::string text, std::size_t columns);

/// Breaks a text between words into lines of at most `columns`; a longer word keeps a line of its own.
std::vector<std::string> wrapped(std::string_view text, std::size_t columns);

/// Two blocks beside each other, the right one at column `place`.
std::vector<std::string> beside(const std::vector<std::string> &left, const std::vector<std::string> &right,
                                std::size_t place);

/// Lines with a line break behind each, and no spaces before it.
std::string joined(const std::vector<std::string> &lines);

} // namespace meshwright
