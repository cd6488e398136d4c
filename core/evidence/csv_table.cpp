// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/csv_table.h"

#include "input/diagnostic.h"
#include "input/json_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace meshwright {

namespace {

class CsvReader {
public:
    explicit CsvReader(std::string_view text)
        : m_text(text) {
        constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
        if (m_text.starts_with(byte_order_mark))
            m_text.remove_prefix(byte_order_mark.size());
    }

    bool at_end() const { return m_at >= m_text.size(); }
    std::size_t line() const { return m_line; }

    /// Reads one record. A quoted field may span several lines.
    std::vector<std::string> record() {
        std::vector<std::string> cells;
        for (;;) {
            cells.push_back(cell());
            if (at_end() || m_text[m_at] != ',')
                break;
            ++m_at;
        }
        end_of_line();
        return cells;
    }

private:
    std::string cell() {
        if (at_end() || m_text[m_at] != '"') {
            const std::size_t end = std::min(m_text.find_first_of(",\r\n", m_at), m_text.size());
            std::string plain(m_text.substr(m_at, end - m_at));
            m_at = end;
            return plain;
        }
        return quoted();
    }

    std::string quoted() {
        const std::size_t opened = m_line;
        std::string value;
        for (++m_at; !at_end(); ++m_at) {
            const char c = m_text[m_at];
            m_line += c == '\n' ? 1 : 0;
            if (c != '"') {
                value += c;
                continue;
            }
            if (m_at + 1 < m_text.size() && m_text[m_at + 1] == '"') {
                value += '"';
                ++m_at;
                continue;
            }
            ++m_at;
            if (!at_end() && std::string_view(",\r\n").find(m_text[m_at]) == std::string_view::npos)
                throw InputError(fmt::format("/{}", m_line), "text after a closing quote",
                                 "expected a comma or the end of the line");
            return value;
        }
        throw InputError(fmt::format("/{}", opened), "unclosed quote", "expected a closing quote");
    }

    void end_of_line() {
        if (!at_end() && m_text[m_at] == '\r')
            ++m_at;
        if (!at_end() && m_text[m_at] == '\n')
            ++m_at;
        ++m_line;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    std::size_t m_line = 1;
};

/// Reason why the first line cannot be a header.
std::string no_names(const std::vector<std::string> &columns) {
    if (columns.empty() || columns.front().empty())
        return "no header line with column names";
    return columns.front().find_first_of(";\t") != std::string::npos ? "semicolons or tabs between the column names"
                                                                     : "only one column name";
}

} // namespace

std::size_t CsvTable::column(std::string_view name) const {
    const auto found = std::find(columns.begin(), columns.end(), name);
    return found == columns.end() ? missing : static_cast<std::size_t>(found - columns.begin());
}

CsvTable read_csv(std::string_view text) {
    if (text.size() > largest_input_bytes)
        throw InputError("", "larger than 16 MiB", "expected at most 16 MiB");
    if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos)
        throw InputError(fmt::format("/{}", 1 + std::count(text.begin(), text.begin() + nul, '\n')),
                         "contains a NUL byte: not text, or text in UTF-16", "expected text in UTF-8");
    CsvReader reader(text);
    CsvTable table;
    if (!reader.at_end())
        table.columns = reader.record();
    if (table.columns.size() > max_csv_columns)
        throw InputError("/1", fmt::format("{} columns", table.columns.size()),
                         fmt::format("expected at most {}", max_csv_columns));
    const std::set<std::string> names(table.columns.begin(), table.columns.end());
    if (names.size() != table.columns.size())
        throw InputError("/1", "a column name occurs twice", "expected each column name once");
    if (table.columns.size() < 2)
        throw InputError("/1", no_names(table.columns), "expected at least two comma-separated names");
    while (!reader.at_end()) {
        const std::size_t line = reader.line();
        std::vector<std::string> cells = reader.record();
        if (cells.size() == 1 && cells.front().empty())
            continue;
        if (cells.size() > table.columns.size())
            throw InputError(fmt::format("/{}", line),
                             fmt::format("{} cells, but there are {} columns", cells.size(), table.columns.size()),
                             fmt::format("expected {} cells", table.columns.size()));
        if ((table.rows.size() + 1) * table.columns.size() > max_csv_cells)
            throw InputError(fmt::format("/{}", line), fmt::format("more than {} cells", max_csv_cells),
                             "expected fewer rows or columns");
        cells.resize(table.columns.size());
        table.rows.push_back(std::move(cells));
    }
    return table;
}

} // namespace meshwright
