// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/shell_statements.h"

#include "launch/shell_text.h"

#include <algorithm>
#include <cctype>
#include <cstddef>

namespace meshwright {

namespace {

/// Splits a script into statements; here-documents and directives are removed.
class Splitter {
public:
    explicit Splitter(std::string_view text)
        : m_text(text) { }

    ShellStatements statements() {
        while (m_at < m_text.size())
            step();
        end('\n');
        return std::move(m_result);
    }

private:
    void step() {
        const char c = m_text[m_at];
        if (c == '\\' && m_at + 1 < m_text.size()) {
            const std::size_t line = m_text[m_at + 1] == '\r' ? 2 : 1;
            if (m_at + line < m_text.size() && m_text[m_at + line] == '\n') {
                m_current += ' ';
                m_at += line + 1;
                return;
            }
            // Many scripts use "\ " at the end of a line as a continuation, although the shell treats it as an escaped
            // space.
            std::size_t next = m_at + 1;
            while (next < m_text.size() && is_shell_blank(m_text[next]))
                ++next;
            if (next < m_text.size() && m_text[next] == '\n' && next > m_at + 1) {
                m_current += ' ';
                m_at = next + 1;
                return;
            }
            m_current += m_text.substr(m_at, 2);
            m_at += 2;
        } else if (c == '\'') {
            copy_to(m_text.find('\'', m_at + 1));
        } else if (c == '"') {
            std::size_t stop = m_at + 1;
            while (stop < m_text.size() && m_text[stop] != '"') {
                const char open = m_text[stop] == '$' && stop + 1 < m_text.size() ? m_text[stop + 1] : ' ';
                if (open == '(' || open == '{') // quotes inside $(...) or ${...} do not end the string
                    stop = closing_bracket(m_text, stop + 1, open, open == '(' ? ')' : '}') + 1;
                else if (m_text[stop] == '`')
                    stop = std::min(m_text.find('`', stop + 1), m_text.size() - 1) + 1;
                else
                    stop += m_text[stop] == '\\' ? 2 : 1;
            }
            copy_to(stop);
        } else if (c == '$' && m_text.substr(m_at, 2) == "$(") {
            copy_to(closing_bracket(m_text, m_at + 1, '(', ')'));
        } else if (c == '$' && m_text.substr(m_at, 2) == "${") {
            copy_to(closing_bracket(m_text, m_at + 1, '{', '}'));
        } else if (c == '`') {
            copy_to(m_text.find('`', m_at + 1));
        } else if (c == '(' && !m_current.empty() && m_current.back() == '=') {
            array();
        } else if (c == '#' && (m_current.empty() || is_shell_blank(m_current.back()))) {
            comment();
        } else if (m_text.substr(m_at, 3) == "<<<") { // a here-string
            copy_to(m_at + 2);
        } else if (m_text.substr(m_at, 2) == "<<") {
            here_document();
        } else if (c == '\n' || c == ';' || c == '&' || c == '|') {
            separator(c);
        } else {
            m_current += c;
            ++m_at;
        }
    }

    void copy_to(std::size_t last) {
        last = std::min(last, m_text.size() - 1);
        m_current += m_text.substr(m_at, last - m_at + 1);
        m_at = last + 1;
    }

    /// An array's elements may be on several lines, with comments between them.
    void array() {
        const std::size_t last = array_end();
        std::string_view inner = m_text.substr(m_at, last - m_at);
        m_current += '(';
        char quote = '\0';
        for (std::size_t i = 1; i < inner.size(); ++i) {
            const char c = inner[i];
            if (quote == '\0' && c == '#' && std::isspace(static_cast<unsigned char>(inner[i - 1])) != 0) {
                i = std::min(inner.find('\n', i), inner.size() - 1);
                m_current += ' ';
            } else if (quote == '\0' && (c == '\n' || (c == '\\' && i + 1 < inner.size() && inner[i + 1] == '\n'))) {
                m_current += ' ';
                i += c == '\\' ? 1 : 0;
            } else {
                if (quote != '\0')
                    quote = c == quote ? '\0' : quote;
                else if (c == '"' || c == '\'')
                    quote = c;
                m_current += c;
            }
        }
        m_current += ')';
        m_at = std::min(last + 1, m_text.size());
    }
    std::size_t array_end() const {
        char quote = '\0';
        int depth = 0;
        for (std::size_t i = m_at; i < m_text.size(); ++i) {
            const char c = m_text[i];
            if (quote == '\0' && c == '#' && i > 0 && std::isspace(static_cast<unsigned char>(m_text[i - 1])) != 0) {
                i = std::min(m_text.find('\n', i), m_text.size());
            } else if (c == '\\') {
                ++i;
            } else if (quote != '\0') {
                quote = c == quote ? '\0' : quote;
            } else if (c == '"' || c == '\'') {
                quote = c;
            } else if (c == '(') {
                ++depth;
            } else if (c == ')' && --depth == 0) {
                return i;
            }
        }
        return m_text.size();
    }

    void comment() {
        const std::size_t line = std::min(m_text.find('\n', m_at), m_text.size());
        std::string_view words = m_text.substr(m_at, line - m_at);
        for (const std::string_view mark : {"#SBATCH", "#PBS", "#BSUB"})
            if (words.starts_with(mark)) {
                words.remove_prefix(mark.size());
                words = words.substr(0, std::min(words.find(" #"), words.size()));
                std::string word;
                for (const char c : words)
                    if (is_shell_blank(c)) {
                        if (!word.empty())
                            m_result.directives.push_back(std::move(word));
                        word.clear();
                    } else {
                        word += c;
                    }
                if (!word.empty())
                    m_result.directives.push_back(std::move(word));
            }
        m_at = line;
    }

    void here_document() {
        m_at += 2;
        if (m_at < m_text.size() && m_text[m_at] == '-')
            ++m_at;
        while (m_at < m_text.size() && is_shell_blank(m_text[m_at]))
            ++m_at;
        std::string mark;
        const std::size_t first = m_at;
        while (m_at < m_text.size() && std::isspace(static_cast<unsigned char>(m_text[m_at])) == 0
               && m_text[m_at] != '>' && m_text[m_at] != ';' && m_text[m_at] != '|') {
            if (m_text[m_at] != '"' && m_text[m_at] != '\'' && m_text[m_at] != '\\')
                mark += m_text[m_at];
            ++m_at;
        }
        const bool is_literal = m_text.substr(first, m_at - first) != mark;
        const std::size_t line = std::min(m_text.find('\n', m_at), m_text.size());
        const std::string variable = variable_that_is_read();
        m_current += m_text.substr(m_at, line - m_at);
        std::size_t from = std::min(line + 1, m_text.size());
        const std::size_t start = from;
        std::size_t stop = m_text.size();
        while (from < m_text.size()) {
            const std::size_t next = std::min(m_text.find('\n', from), m_text.size());
            std::string_view row = m_text.substr(from, next - from);
            while (!row.empty() && std::isspace(static_cast<unsigned char>(row.front())) != 0)
                row.remove_prefix(1);
            while (!row.empty() && is_shell_blank(row.back()))
                row.remove_suffix(1);
            if (row == mark) {
                stop = from;
                from = next;
                break;
            }
            from = std::min(next + 1, m_text.size());
        }
        m_at = from;
        if (!variable.empty()) {
            m_current = variable + "=" + in_quotes(m_text.substr(start, stop - start), is_literal ? '\'' : '"');
            end('\n');
            return;
        }
        std::string target;
        if (const std::size_t arrow = m_current.rfind('>'); arrow != std::string::npos)
            target = m_current.substr(arrow + 1);
        target.erase(std::remove_if(target.begin(), target.end(), [](char c) { return is_shell_blank(c) || c == '"'; }),
                     target.end());
        m_result.documents.emplace_back(target, std::string(m_text.substr(start, stop - start)));
        m_current.clear(); // the command that writes the document has no other effect on the import
    }

    /// The variable of "read -r -d '' NAME", which reads a whole document; empty for any other command.
    std::string variable_that_is_read() const {
        std::string_view command = m_current;
        while (!command.empty() && is_shell_blank(command.front()))
            command.remove_prefix(1);
        while (!command.empty() && is_shell_blank(command.back()))
            command.remove_suffix(1);
        std::size_t start = command.size();
        while (start > 0 && is_shell_name(command[start - 1]))
            --start;
        const bool reads_all = command.starts_with("read ") && command.find(" -d ") != std::string_view::npos;
        return reads_all && start > 0 && is_shell_blank(command[start - 1]) ? std::string(command.substr(start))
                                                                            : std::string();
    }
    static std::string in_quotes(std::string_view text, char quote) {
        std::string result(1, quote);
        for (const char c : text)
            if (c == quote)
                result += quote == '"' ? "\\\"" : "'\\''";
            else
                result += c;
        return result + quote;
    }

    void separator(char c) {
        ++m_at;
        if (m_at < m_text.size() && (c == '&' || c == '|' || c == ';') && m_text[m_at] == c) {
            ++m_at;
            end(c == ';' ? 'c' : c); // ";;" ends a case
            return;
        }
        if (c == '&' && !m_current.empty() && m_current.back() == '>') { // "2>&1"
            m_current += '&';
            return;
        }
        end(c);
    }
    void end(char c) {
        add_shell_statement(m_result.all, m_current, c);
        m_current.clear();
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    std::string m_current;
    ShellStatements m_result;
};

/// "name() ...", "function name ..."; empty for anything else.
std::string function_name(std::string_view text) {
    const bool has_word = text.starts_with("function ");
    if (has_word)
        text.remove_prefix(9);
    std::size_t at = 0;
    while (at < text.size() && (is_shell_name(text[at]) || text[at] == '-'))
        ++at;
    const std::string_view rest = text.substr(at);
    const bool is_function = at > 0 && (has_word || rest.starts_with("()") || rest.starts_with(" ()"));
    return is_function ? std::string(text.substr(0, at)) : std::string();
}

} // namespace

/// Position of the bracket that closes the one at `at`; the end of the text if it is not closed.
std::size_t closing_bracket(std::string_view text, std::size_t at, char open, char close) {
    int depth = 0;
    char quote = '\0';
    for (; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '\\') {
            ++at;
        } else if (quote != '\0') {
            if (c == quote)
                quote = '\0';
        } else if (c == '\'' || c == '"') {
            quote = c;
        } else if (c == open) {
            ++depth;
        } else if (c == close && --depth == 0) {
            return at;
        }
    }
    return text.size();
}

void add_shell_statement(std::vector<ShellStatement> &all, std::string_view text, char end) {
    const auto trim = [&] {
        while (!text.empty() && is_shell_blank(text.front()))
            text.remove_prefix(1);
        while (!text.empty() && is_shell_blank(text.back()))
            text.remove_suffix(1);
    };
    for (trim(); !text.empty(); trim()) {
        std::string_view keyword;
        for (const std::string_view each : {"then", "else", "do", "if", "elif", "while", "until", "{"})
            if (text.starts_with(each) && (text.size() == each.size() || is_shell_blank(text[each.size()])))
                keyword = each;
        if (text.front() == '(' && !text.starts_with("(("))
            keyword = "(";
        if (const std::string name = function_name(text); !name.empty()) {
            all.push_back({.text = "function " + name, .end = 'k'});
            text.remove_prefix(std::min(text.find_first_of("{("), text.size()));
            text.remove_prefix(text.starts_with("(") ? std::min(text.find(')') + 1, text.size()) : 0);
            continue;
        }
        if (keyword.empty())
            break;
        all.push_back({.text = std::string(keyword), .end = 'k'});
        text.remove_prefix(keyword.size());
    }
    if (!text.empty() || end == 'c')
        all.push_back({.text = std::string(text), .end = end});
}

ShellStatements split_shell_script(std::string_view text) {
    return Splitter(text).statements();
}

} // namespace meshwright
