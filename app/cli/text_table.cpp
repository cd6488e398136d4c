// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace meshwright {

std::string inPercent(double share) {
    return fmt::format("{:.1f}", 100 * share);
}

std::size_t columnsOf(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string padded(std::string text, std::size_t columns) {
    const std::size_t width = columnsOf(text);
    return width < columns ? text.append(columns - width, ' ') : text;
}

TextTable::TextTable(std::vector<TextColumn> columns)
    : m_columns(std::move(columns)) { }

void TextTable::add(std::vector<std::string> cells) {
    cells.resize(m_columns.size());
    m_rows.push_back(std::move(cells));
}

std::string TextTable::line(const std::vector<std::string> &cells, const std::vector<std::size_t> &widths,
                            std::size_t gap) const {
    std::string text;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (i > 0)
            text.append(gap, ' ');
        const std::size_t fill = widths[i] - columnsOf(cells[i]);
        text += m_columns[i].alignment == Alignment::right ? std::string(fill, ' ') + cells[i]
                                                           : padded(cells[i], widths[i]);
    }
    return text;
}

std::vector<std::string> TextTable::lines() const {
    std::vector<std::string> headings;
    std::vector<std::size_t> widths;
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        headings.push_back(m_columns[i].heading);
        widths.push_back(columnsOf(m_columns[i].heading));
        for (const std::vector<std::string> &row : m_rows)
            widths[i] = std::max(widths[i], columnsOf(row[i]));
    }
    const std::size_t wide = std::accumulate(widths.begin(), widths.end(), 2 * (widths.size() - 1));
    const std::size_t gap = wide <= pageColumns ? 2 : 1;
    std::vector<std::string> lines{line(headings, widths, gap)};
    for (const std::vector<std::string> &row : m_rows)
        lines.push_back(line(row, widths, gap));
    return lines;
}

std::vector<std::string> wrapped(std::string_view text, std::size_t columns) {
    std::vector<std::string> lines;
    std::string line;
    while (!text.empty()) {
        std::size_t end = std::min(text.find_first_of(" \n\t"), text.size());
        if (text.substr(0, end) == "--set") // keep an option and its value on one line, so that they can be copied
            end = std::min(text.find_first_of(" \n\t", end + 1), text.size());
        const std::string_view word = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (word.empty())
            continue;
        if (!line.empty() && columnsOf(line) + 1 + columnsOf(word) > columns) {
            lines.push_back(std::move(line));
            line.clear();
        }
        line += (line.empty() ? "" : " ") + std::string(word);
    }
    if (!line.empty() || lines.empty())
        lines.push_back(line);
    return lines;
}

std::vector<std::string> beside(const std::vector<std::string> &left, const std::vector<std::string> &right,
                                std::size_t place) {
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < std::max(left.size(), right.size()); ++i)
        lines.push_back(padded(i < left.size() ? left[i] : "", place) + (i < right.size() ? right[i] : ""));
    return lines;
}

std::string joined(const std::vector<std::string> &lines) {
    std::string text;
    for (const std::string &line : lines)
        text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    return text;
}

} // namespace meshwright
