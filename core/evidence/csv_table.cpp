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

    /// One record, which may span lines inside quotes.
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
                throw InputError(fmt::format("/{}", m_line), "a letter stands behind a closing quote",
                                 "a comma or the end of the line is expected");
            return value;
        }
        throw InputError(fmt::format("/{}", opened), "a quote is not closed", "a closing quote is expected");
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

/// What stands in the way of a line of names.
std::string no_names(const std::vector<std::string> &columns) {
    if (columns.empty() || columns.front().empty())
        return "has no line of column names";
    return columns.front().find_first_of(";\t") != std::string::npos ? "has semicolons or tabs between its column names"
                                                                     : "has a single column name";
}

} // namespace

std::size_t CsvTable::column(std::string_view name) const {
    const auto found = std::find(columns.begin(), columns.end(), name);
    return found == columns.end() ? missing : static_cast<std::size_t>(found - columns.begin());
}

CsvTable read_csv(std::string_view text) {
    if (text.size() > largest_input_bytes)
        throw InputError("", "is larger than 16 MiB", "at most 16 MiB are expected");
    if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos)
        throw InputError(fmt::format("/{}", 1 + std::count(text.begin(), text.begin() + nul, '\n')),
                         "holds a NUL byte: no text, or text in UTF-16", "expected text in UTF-8");
    CsvReader reader(text);
    CsvTable table;
    if (!reader.at_end())
        table.columns = reader.record();
    if (table.columns.size() > max_csv_columns)
        throw InputError("/1", fmt::format("has {} columns", table.columns.size()),
                         fmt::format("expected at most {}", max_csv_columns));
    const std::set<std::string> names(table.columns.begin(), table.columns.end());
    if (names.size() != table.columns.size())
        throw InputError("/1", "names a column twice", "each column once is expected");
    if (table.columns.size() < 2)
        throw InputError("/1", no_names(table.columns), "expected at least two names with commas between them");
    while (!reader.at_end()) {
        const std::size_t line = reader.line();
        std::vector<std::string> cells = reader.record();
        if (cells.size() == 1 && cells.front().empty())
            continue;
        if (cells.size() > table.columns.size())
            throw InputError(fmt::format("/{}", line),
                             fmt::format("has {} cells, but there are {} columns", cells.size(), table.columns.size()),
                             fmt::format("{} cells are expected", table.columns.size()));
        if ((table.rows.size() + 1) * table.columns.size() > max_csv_cells)
            throw InputError(fmt::format("/{}", line), fmt::format("goes beyond {} cells", max_csv_cells),
                             "expected fewer rows or columns");
        cells.resize(table.columns.size());
        table.rows.push_back(std::move(cells));
    }
    return table;
}

} // namespace meshwright
