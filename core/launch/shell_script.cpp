// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/shell_script.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>

namespace meshwright {

namespace {

using Variables = std::map<std::string, std::string, std::less<>>;

constexpr std::size_t most_commands = 20'000;
constexpr std::size_t most_text = 4u << 20;
constexpr int most_repeats = 64;
constexpr int deepest = 40;

bool is_name_start(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool is_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

/// Recursive descent over integers; saturates nowhere, fails instead.
class Arithmetic {
public:
    Arithmetic(std::string_view text, const Variables &variables)
        : m_text(text)
        , m_variables(variables) { }

    std::optional<long long> value() {
        const auto result = comparison();
        skip();
        return result && m_at == m_text.size() ? result : std::nullopt;
    }

private:
    void skip() {
        while (m_at < m_text.size() && std::isspace(static_cast<unsigned char>(m_text[m_at])) != 0)
            ++m_at;
    }
    bool take(std::string_view word) {
        skip();
        if (m_text.substr(m_at, word.size()) != word)
            return false;
        m_at += word.size();
        return true;
    }
    std::optional<long long> comparison() {
        auto left = sum();
        for (const char *word : {"==", "!=", "<=", ">=", "<", ">"})
            if (left && take(word)) {
                const auto right = sum();
                if (!right)
                    return std::nullopt;
                const std::string_view sign(word);
                const bool holds = sign == "==" ? *left == *right
                    : sign == "!="              ? *left != *right
                    : sign == "<="              ? *left <= *right
                    : sign == ">="              ? *left >= *right
                    : sign == "<"               ? *left < *right
                                                : *left > *right;
                return holds ? 1 : 0;
            }
        return left;
    }
    std::optional<long long> sum() {
        auto left = product();
        while (left) {
            const bool plus = take("+");
            if (!plus && !take("-"))
                break;
            const auto right = product();
            long long result = 0;
            if (!right
                || (plus ? __builtin_add_overflow(*left, *right, &result)
                         : __builtin_sub_overflow(*left, *right, &result)))
                return std::nullopt;
            left = result;
        }
        return left;
    }
    std::optional<long long> product() {
        auto left = power();
        while (left) {
            const char sign = take("*") ? '*' : take("/") ? '/' : take("%") ? '%' : '\0';
            if (sign == '\0')
                break;
            const auto right = power();
            long long result = 0;
            if (!right || (sign != '*' && (*right == 0 || *right == -1)))
                return std::nullopt;
            if (sign == '*' && __builtin_mul_overflow(*left, *right, &result))
                return std::nullopt;
            if (sign == '/')
                result = *left / *right;
            if (sign == '%')
                result = *left % *right;
            left = result;
        }
        return left;
    }
    std::optional<long long> power() {
        const auto base = unary();
        if (!base || !take("**"))
            return base;
        const auto exponent = unary();
        if (!exponent || *exponent < 0 || *exponent > 62)
            return std::nullopt;
        long long result = 1;
        for (long long i = 0; i < *exponent; ++i)
            if (__builtin_mul_overflow(result, *base, &result))
                return std::nullopt;
        return result;
    }
    std::optional<long long> unary() {
        if (++m_depth > deepest)
            return std::nullopt;
        std::optional<long long> result;
        if (take("-")) {
            result = unary();
            if (result)
                result = -*result;
        } else if (take("(")) {
            result = comparison();
            if (!take(")"))
                result.reset();
        } else {
            result = operand();
        }
        --m_depth;
        return result;
    }
    std::optional<long long> operand() {
        skip();
        if (m_at < m_text.size() && m_text[m_at] == '$')
            ++m_at;
        const bool braced = take("{");
        std::string word;
        while (m_at < m_text.size() && is_name(m_text[m_at]))
            word += m_text[m_at++];
        if (braced && !take("}"))
            return std::nullopt;
        if (word.empty())
            return std::nullopt;
        if (is_name_start(word.front())) {
            const auto found = m_variables.find(word);
            if (found == m_variables.end())
                return std::nullopt;
            word = found->second;
        }
        word.erase(std::remove(word.begin(), word.end(), '_'), word.end());
        if (word.empty() || word.size() > 18 || !std::all_of(word.begin(), word.end(), [](char c) {
                return std::isdigit(static_cast<unsigned char>(c)) != 0;
            }))
            return std::nullopt;
        return std::stoll(word);
    }

    std::string_view m_text;
    const Variables &m_variables;
    std::size_t m_at = 0;
    int m_depth = 0;
};

/// A piece of the script between separators: its source text, unexpanded.
struct Statement {
    std::string text;
    char end = '\n'; ///< what ended it: newline, ';', '&' or '|'
};

/// Where the bracket that `open` stands before closes; the end of the text where it does not.
std::size_t closing(std::string_view text, std::size_t at, char open, char close) {
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

/// Splits a script into statements, and takes here-documents and directives out.
class Splitter {
public:
    Splitter(std::string_view text, ShellScript &script)
        : m_text(text)
        , m_script(script) { }

    std::vector<Statement> statements() {
        while (m_at < m_text.size())
            step();
        end('\n');
        return std::move(m_statements);
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
            // "\ " before the end of a line is meant as a continuation in many scripts, though the shell takes a blank.
            std::size_t next = m_at + 1;
            while (next < m_text.size() && is_blank(m_text[next]))
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
            while (stop < m_text.size() && m_text[stop] != '"')
                stop += m_text[stop] == '\\' ? 2 : 1;
            copy_to(stop);
        } else if (c == '$' && m_text.substr(m_at, 2) == "$(") {
            copy_to(closing(m_text, m_at + 1, '(', ')'));
        } else if (c == '$' && m_text.substr(m_at, 2) == "${") {
            copy_to(closing(m_text, m_at + 1, '{', '}'));
        } else if (c == '`') {
            copy_to(m_text.find('`', m_at + 1));
        } else if (c == '(' && !m_current.empty() && m_current.back() == '=') {
            array();
        } else if (c == '#' && (m_current.empty() || is_blank(m_current.back()))) {
            comment();
        } else if (c == '<' && m_text.substr(m_at, 2) == "<<" && m_text.substr(m_at, 3) != "<<<") {
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

    /// An array's elements stand on several lines, with comments between them.
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
                    if (is_blank(c)) {
                        if (!word.empty())
                            m_script.directives.push_back(std::move(word));
                        word.clear();
                    } else {
                        word += c;
                    }
                if (!word.empty())
                    m_script.directives.push_back(std::move(word));
            }
        m_at = line;
    }

    void here_document() {
        m_at += 2;
        if (m_at < m_text.size() && m_text[m_at] == '-')
            ++m_at;
        while (m_at < m_text.size() && is_blank(m_text[m_at]))
            ++m_at;
        std::string mark;
        while (m_at < m_text.size() && std::isspace(static_cast<unsigned char>(m_text[m_at])) == 0
               && m_text[m_at] != '>' && m_text[m_at] != ';' && m_text[m_at] != '|') {
            if (m_text[m_at] != '"' && m_text[m_at] != '\'' && m_text[m_at] != '\\')
                mark += m_text[m_at];
            ++m_at;
        }
        const std::size_t line = std::min(m_text.find('\n', m_at), m_text.size());
        m_current += m_text.substr(m_at, line - m_at);
        std::size_t from = std::min(line + 1, m_text.size());
        const std::size_t start = from;
        std::size_t stop = m_text.size();
        while (from < m_text.size()) {
            const std::size_t next = std::min(m_text.find('\n', from), m_text.size());
            std::string_view row = m_text.substr(from, next - from);
            while (!row.empty() && std::isspace(static_cast<unsigned char>(row.front())) != 0)
                row.remove_prefix(1);
            while (!row.empty() && is_blank(row.back()))
                row.remove_suffix(1);
            if (row == mark) {
                stop = from;
                from = next;
                break;
            }
            from = std::min(next + 1, m_text.size());
        }
        std::string target;
        if (const std::size_t arrow = m_current.rfind('>'); arrow != std::string::npos)
            target = m_current.substr(arrow + 1);
        target.erase(std::remove_if(target.begin(), target.end(), [](char c) { return is_blank(c) || c == '"'; }),
                     target.end());
        m_script.documents.emplace_back(target, std::string(m_text.substr(start, stop - start)));
        m_current.clear(); // what writes the document says nothing else
        m_at = from;
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
        const auto first = std::find_if_not(m_current.begin(), m_current.end(), is_blank);
        std::string text(first, m_current.end());
        while (!text.empty() && is_blank(text.back()))
            text.pop_back();
        if (!text.empty() || c == 'c')
            m_statements.push_back({.text = std::move(text), .end = c});
        m_current.clear();
    }

    std::string_view m_text;
    ShellScript &m_script;
    std::size_t m_at = 0;
    std::string m_current;
    std::vector<Statement> m_statements;
};

/// Follows statements.
class Reader {
public:
    explicit Reader(ShellScript &script)
        : m_script(script) { }

    void run(const std::vector<Statement> &statements) {
        follow(statements, 0, statements.size(), 0);
        // Documents are written from the variables as they stand at the end: scripts set them before.
        for (auto &[target, text] : m_script.documents)
            text = expanded_document(text);
    }

private:
    using Statements = std::vector<Statement>;

    static std::string first_word(const std::string &text) {
        return text.substr(0, std::min(text.find_first_of(" \t("), text.size()));
    }
    static std::string rest_after(const std::string &text, std::size_t length) {
        const std::size_t at = text.find_first_not_of(" \t", length);
        return at == std::string::npos ? std::string() : text.substr(at);
    }
    static bool opens(const std::string &word) {
        return word == "if" || word == "case" || word == "for" || word == "while" || word == "until";
    }
    static bool closes(const std::string &word) { return word == "fi" || word == "esac" || word == "done"; }

    /// The statement that closes the block opened at `at`.
    static std::size_t block_end(const Statements &all, std::size_t at, std::size_t to) {
        int depth = 0;
        for (std::size_t i = at; i < to; ++i) {
            std::string word = first_word(all[i].text);
            // "then if", "do case": keywords in front of another statement
            std::string text = all[i].text;
            while (word == "then" || word == "else" || word == "do") {
                text = rest_after(text, word.size());
                word = first_word(text);
            }
            if (opens(word))
                ++depth;
            else if (closes(word) && --depth == 0)
                return i;
        }
        return to;
    }

    void follow(const Statements &all, std::size_t from, std::size_t to, int depth) {
        if (depth > deepest)
            return;
        for (std::size_t i = from; i < to; ++i) {
            if (m_script.commands.size() >= most_commands || m_size > most_text)
                return;
            const std::string word = first_word(all[i].text);
            if (word == "if" || word == "case" || word == "for" || word == "while" || word == "until") {
                const std::size_t last = block_end(all, i, to);
                if (word == "if")
                    follow_if(all, i, last, depth + 1);
                else if (word == "case")
                    follow_case(all, i, last, depth + 1);
                else if (word == "for")
                    follow_for(all, i, last, depth + 1);
                i = last;
            } else if (is_function(all[i].text)) {
                i = skip_function(all, i, to);
            } else if (is_test(all[i].text)) {
                i = follow_test(all, i, to);
            } else {
                simple(all[i].text);
            }
        }
    }

    static bool is_function(const std::string &text) {
        if (text.starts_with("function "))
            return true;
        std::size_t at = 0;
        while (at < text.size() && (is_name(text[at]) || text[at] == '-'))
            ++at;
        return at > 0 && text.substr(at, 2) == "()";
    }
    static std::size_t skip_function(const Statements &all, std::size_t at, std::size_t to) {
        int depth = 0;
        for (std::size_t i = at; i < to; ++i) {
            const std::string &text = all[i].text;
            if (text == "{" || (text.ends_with("{") && !text.ends_with("${")) || text.starts_with("{ "))
                ++depth;
            if (text == "}" || text.ends_with(" }") || text.starts_with("} "))
                if (--depth <= 0)
                    return i;
        }
        return at;
    }

    static bool is_test(const std::string &text) {
        return text.starts_with("[ ") || text.starts_with("[[ ") || text.starts_with("((") || text.starts_with("test ");
    }
    /// "[ A ] && B", "[ A ] || B": what the test rules out is passed over. Returns the last statement that is done with.
    std::size_t follow_test(const Statements &all, std::size_t at, std::size_t to) {
        const char joint = all[at].end;
        if (joint != '&' && joint != '|')
            return at;
        const bool holds = test(all[at].text).value_or(false);
        if (holds == (joint == '&'))
            return at;
        // "[ A ] && B || C": C runs where B does not.
        std::size_t next = at + 1;
        while (next < to && all[next].end == joint)
            ++next;
        return std::min(next, to - 1);
    }

    void follow_if(const Statements &all, std::size_t from, std::size_t to, int depth) {
        // Arms: [condition, first statement), with the depth of blocks inside counted.
        bool done = false;
        std::size_t i = from;
        std::string condition = rest_after(all[from].text, 2);
        std::string joined;
        std::optional<bool> holds = test(condition);
        std::size_t arm = from + 1;
        int inner = 0;
        for (i = from + 1; i <= to; ++i) {
            const std::string word = i < to ? first_word(all[i].text) : "fi";
            if (i < to && opens(word))
                ++inner;
            else if (i < to && closes(word))
                --inner;
            const bool ends = inner <= 0 && (word == "elif" || word == "else" || i == to);
            if (inner <= 0 && word == "then") {
                arm = i;
                continue;
            }
            if (i < to && arm == from + 1 && inner <= 0 && first_word(all[arm].text) != "then" && !ends) {
                // "if a && b": a further condition before "then"
                const std::optional<bool> further = test(all[i].text);
                const char joint = all[i - 1].end;
                if (joint == '&')
                    holds = holds && further ? std::optional(*holds && *further) : std::optional(false);
                else if (joint == '|')
                    holds = (holds && *holds) || (further && *further);
                arm = i + 1;
                continue;
            }
            if (!ends)
                continue;
            if (!done && holds.value_or(false)) {
                run_arm(all, arm, i, depth);
                done = true;
            }
            if (i < to && word == "elif") {
                holds = test(rest_after(all[i].text, 4));
                arm = i + 1;
            } else if (i < to) {
                holds = true;
                arm = i;
            }
        }
    }
    /// Statements of an arm; the first may begin with its keyword.
    void run_arm(const Statements &all, std::size_t from, std::size_t to, int depth) {
        Statements own(all.begin() + static_cast<std::ptrdiff_t>(std::min(from, to)),
                       all.begin() + static_cast<std::ptrdiff_t>(to));
        if (!own.empty()) {
            std::string &text = own.front().text;
            const std::string word = first_word(text);
            if (word == "then" || word == "else" || word == "do")
                text = rest_after(text, word.size());
        }
        follow(own, 0, own.size(), depth);
    }

    void follow_case(const Statements &all, std::size_t from, std::size_t to, int depth) {
        const std::vector<std::string> subject = words_of(rest_after(all[from].text, 4));
        const std::string value = subject.empty() ? std::string() : subject.front();
        bool wanted = false;
        bool done = false;
        Statements own;
        std::string alternatives;
        for (std::size_t i = from; i < to; ++i) {
            std::string text = all[i].text;
            if (i == from) {
                const std::size_t in = text.find(" in");
                text = in == std::string::npos ? std::string() : rest_after(text, in + 3);
            }
            if (!wanted && own.empty() && all[i].end == '|' && text.find(')') == std::string::npos) {
                alternatives += text + "|"; // "a|b)" was split at the bar
                continue;
            }
            text = std::exchange(alternatives, {}) + text;
            const std::size_t bracket = own.empty() ? text.find(')') : std::string::npos;
            if (!wanted && bracket != std::string::npos && text.find('(') > bracket) {
                wanted = !done && matches(value, text.substr(0, bracket));
                text = rest_after(text, bracket + 1);
            }
            if (wanted && !text.empty())
                own.push_back({.text = text, .end = all[i].end});
            if (all[i].end == 'c') {
                if (wanted) {
                    done = true;
                    follow(own, 0, own.size(), depth);
                }
                own.clear();
                wanted = false;
            }
        }
        if (wanted)
            follow(own, 0, own.size(), depth);
    }
    bool matches(const std::string &value, const std::string &patterns) {
        std::size_t from = 0;
        while (from <= patterns.size()) {
            const std::size_t bar = std::min(patterns.find('|', from), patterns.size());
            std::string pattern = patterns.substr(from, bar - from);
            pattern.erase(std::remove_if(pattern.begin(), pattern.end(),
                                         [](char c) { return is_blank(c) || c == '"' || c == '\''; }),
                          pattern.end());
            if (pattern == "*" || pattern == value)
                return true;
            from = bar + 1;
        }
        return false;
    }

    void follow_for(const Statements &all, std::size_t from, std::size_t to, int depth) {
        const std::string head = rest_after(all[from].text, 3);
        const std::string name = first_word(head);
        const std::size_t in = head.find(" in ");
        if (in == std::string::npos)
            return;
        int repeats = 0;
        for (const std::string &each : words_of(head.substr(in + 4))) {
            if (++repeats > most_repeats)
                return;
            set(name, each);
            run_arm(all, from + 1, to, depth);
        }
    }

    /// Whether a condition holds; nothing where only a running shell would know.
    std::optional<bool> test(std::string condition) {
        bool negated = false;
        while (condition.starts_with("!")) {
            negated = !negated;
            condition = rest_after(condition, 1);
        }
        std::optional<bool> holds;
        if (condition.starts_with("((")) {
            long long value = 0;
            const std::size_t end = condition.rfind("))");
            if (shell_arithmetic(condition.substr(2, end == std::string::npos ? end : end - 2), m_script.variables,
                                 value))
                holds = value != 0;
        } else if (condition.starts_with("[") || condition.starts_with("test ")) {
            holds = bracket_test(condition);
        }
        return holds && negated ? std::optional(!*holds) : holds;
    }
    std::optional<bool> bracket_test(const std::string &condition) {
        std::vector<std::string> words = words_of(condition, true);
        std::erase_if(words, [](const std::string &word) {
            return word == "[" || word == "]" || word == "[[" || word == "]]" || word == "test";
        });
        bool negated = false;
        if (!words.empty() && words.front() == "!") {
            negated = true;
            words.erase(words.begin());
        }
        std::optional<bool> holds;
        const auto known = [](const std::string &word) { return word.find('$') == std::string::npos; };
        if (words.size() == 2 && (words[0] == "-z" || words[0] == "-n")) {
            // A variable that the script never sets is taken as empty.
            const bool empty = words[1].empty() || !known(words[1]);
            holds = (words[0] == "-z") == empty;
        } else if (words.size() == 1) {
            holds = !words[0].empty() && known(words[0]);
        } else if (words.size() == 3 && known(words[0]) && known(words[2])) {
            holds = compared(words[0], words[1], words[2]);
        }
        return holds && negated ? std::optional(!*holds) : holds;
    }
    static std::optional<bool> compared(const std::string &a, const std::string &sign, const std::string &b) {
        if (sign == "=" || sign == "==")
            return b == "*" || a == b;
        if (sign == "!=")
            return a != b;
        long long left = 0;
        long long right = 0;
        if (!shell_arithmetic(a, {}, left) || !shell_arithmetic(b, {}, right))
            return std::nullopt;
        if (sign == "-eq")
            return left == right;
        if (sign == "-ne")
            return left != right;
        if (sign == "-gt" || sign == ">")
            return left > right;
        if (sign == "-ge")
            return left >= right;
        if (sign == "-lt" || sign == "<")
            return left < right;
        if (sign == "-le")
            return left <= right;
        return std::nullopt;
    }

    void simple(std::string text) {
        for (const char *word :
             {"export", "local", "declare", "readonly", "then", "do", "else", "{", "}", "eval", "exec"})
            while (first_word(text) == word)
                text = rest_after(text, std::string_view(word).size());
        // Leading assignments; what follows them is a command.
        while (true) {
            std::size_t at = 0;
            while (at < text.size() && is_name(text[at]))
                ++at;
            const bool appends = text.substr(at, 2) == "+=";
            if (at == 0 || !is_name_start(text.front()) || (!appends && text.substr(at, 1) != "="))
                break;
            const std::string name = text.substr(0, at);
            const std::size_t from = at + (appends ? 2 : 1);
            const std::size_t end = value_end(text, from);
            assign(name, text.substr(from, end - from), appends);
            text = rest_after(text, end);
        }
        if (text.empty())
            return;
        std::vector<std::string> words = words_of(text);
        for (const std::string &word : words)
            m_size += word.size() + 1;
        if (!words.empty())
            m_script.commands.push_back(std::move(words));
    }

    static std::size_t value_end(const std::string &text, std::size_t at) {
        if (at < text.size() && text[at] == '(')
            return std::min(closing(text, at, '(', ')') + 1, text.size());
        char quote = '\0';
        for (; at < text.size(); ++at) {
            const char c = text[at];
            if (c == '\\' && quote != '\'') {
                ++at;
            } else if (quote != '\0') {
                quote = c == quote ? '\0' : quote;
            } else if (c == '"' || c == '\'') {
                quote = c;
            } else if (c == '$' && at + 1 < text.size() && (text[at + 1] == '(' || text[at + 1] == '{')) {
                at = closing(text, at + 1, text[at + 1], text[at + 1] == '(' ? ')' : '}');
            } else if (c == '`') {
                at = std::min(text.find('`', at + 1), text.size());
            } else if (is_blank(c)) {
                break;
            }
        }
        return std::min(at, text.size());
    }

    void set(const std::string &name, std::string value) {
        m_size += value.size();
        if (m_size <= most_text)
            m_script.variables[name] = std::move(value);
    }
    void assign(const std::string &name, const std::string &value, bool appends) {
        if (value.starts_with("(")) {
            std::vector<std::string> elements =
                words_of(value.substr(1, value.size() - (value.ends_with(")") ? 2 : 1)));
            std::vector<std::string> &array = m_arrays[name];
            if (!appends)
                array.clear();
            array.insert(array.end(), elements.begin(), elements.end());
            std::string joined;
            for (const std::string &each : array)
                joined += (joined.empty() ? "" : " ") + each;
            set(name, joined);
            return;
        }
        std::string expanded;
        for (const std::string &word : words_of(value, true))
            expanded += (expanded.empty() ? "" : " ") + word;
        set(name, appends ? m_script.variables[name] + expanded : expanded);
        if (!appends)
            m_arrays.erase(name);
    }

    /// Expands and splits a text into words. @param keeps_empty  quoted empty strings stay words
    std::vector<std::string> words_of(const std::string &text, bool keeps_empty = false) {
        std::vector<std::string> words;
        std::string word;
        bool has_word = false;
        const auto finish = [&] {
            if (!word.empty() || (has_word && keeps_empty))
                words.push_back(word);
            word.clear();
            has_word = false;
        };
        /// What an unquoted expansion gives is split at blanks.
        const auto add_split = [&](const std::string &value) {
            for (const char c : value)
                if (is_blank(c) || c == '\n')
                    finish();
                else
                    word += c;
        };
        bool quoted = false;
        for (std::size_t at = 0; at < text.size(); ++at) {
            if (word.size() > most_text || words.size() > most_commands)
                break;
            const char c = text[at];
            if (c == '\\' && at + 1 < text.size()) {
                word += text[++at];
            } else if (c == '\'' && !quoted) {
                const std::size_t end = std::min(text.find('\'', at + 1), text.size());
                word += text.substr(at + 1, end - at - 1);
                has_word = true;
                at = end;
            } else if (c == '"') {
                quoted = !quoted;
                has_word = true;
            } else if (c == '$') {
                std::size_t next = at;
                if (const auto *const elements = quoted ? whole_array(text, next) : nullptr; elements != nullptr) {
                    for (std::size_t i = 0; i < elements->size() && words.size() <= most_commands; ++i) {
                        if (i > 0)
                            finish();
                        word += (*elements)[i];
                        has_word = true;
                    }
                } else if (const std::string value = expand(text, next); quoted) {
                    word += value;
                } else {
                    add_split(value);
                }
                at = next;
            } else if (!quoted && (c == '>' || c == '<')) { // a redirection and its target say nothing of options
                if (std::all_of(word.begin(), word.end(),
                                [](char digit) { return std::isdigit(static_cast<unsigned char>(digit)) != 0; }))
                    word.clear(); // "2>"
                finish();
                ++at;
                while (at < text.size() && (text[at] == '>' || text[at] == '&' || is_blank(text[at])))
                    ++at;
                while (at < text.size() && !is_blank(text[at]))
                    ++at;
            } else if (!quoted && (is_blank(c) || c == '\n')) {
                finish();
            } else {
                word += c;
            }
        }
        finish();
        return words;
    }

    std::string expanded_document(const std::string &text) {
        std::string result;
        for (std::size_t at = 0; at < text.size() && result.size() < most_text; ++at)
            if (text[at] == '\\' && at + 1 < text.size() && (text[at + 1] == '$' || text[at + 1] == '`'))
                result += text[++at];
            else if (text[at] == '$')
                result += expand(text, at);
            else
                result += text[at];
        return result;
    }

    /// The array of "${NAME[@]}", each of whose elements is a word of its own in quotes; null for anything else. `at`
    /// moves to its last character.
    const std::vector<std::string> *whole_array(const std::string &text, std::size_t &at) const {
        constexpr std::string_view end = "[@]}";
        if (text.compare(at, 2, "${") != 0)
            return nullptr;
        std::size_t stop = at + 2;
        while (stop < text.size() && is_name(text[stop]))
            ++stop;
        if (text.compare(stop, end.size(), end) != 0)
            return nullptr;
        const auto found = m_arrays.find(text.substr(at + 2, stop - at - 2));
        if (found == m_arrays.end())
            return nullptr;
        at = stop + end.size() - 1;
        return &found->second;
    }

    /// The value of what a dollar sign begins; `at` moves to its last character.
    std::string expand(const std::string &text, std::size_t &at) {
        const std::size_t from = at;
        const auto as_it_stands = [&](std::size_t last) {
            at = std::min(last, text.size() - 1);
            return text.substr(from, at - from + 1);
        };
        if (from + 1 >= text.size())
            return "$";
        if (text.compare(from, 3, "$((") == 0) {
            const std::size_t last = closing(text, from + 1, '(', ')');
            long long value = 0;
            std::string inside = text.substr(from + 3, last > from + 4 ? last - from - 4 : 0);
            if (last < text.size() && shell_arithmetic(inside, m_script.variables, value)) {
                at = last;
                return std::to_string(value);
            }
            return as_it_stands(last);
        }
        if (text[from + 1] == '(')
            return as_it_stands(closing(text, from + 1, '(', ')'));
        if (text[from + 1] == '{') {
            const std::size_t last = closing(text, from + 1, '{', '}');
            const std::optional<std::string> value = parameter(text.substr(from + 2, last - from - 2));
            if (!value)
                return as_it_stands(last);
            at = std::min(last, text.size() - 1);
            return *value;
        }
        std::size_t end = from + 1;
        if (is_name_start(text[end]))
            while (end < text.size() && is_name(text[end]))
                ++end;
        const auto found = m_script.variables.find(text.substr(from + 1, end - from - 1));
        if (found == m_script.variables.end())
            return as_it_stands(std::max(from + 1, end - 1));
        at = end - 1;
        return found->second;
    }

    /// "NAME", "NAME[@]", "NAME:-default", "NAME-default", "NAME:=default", "#NAME".
    std::optional<std::string> parameter(const std::string &inside) {
        std::size_t at = 0;
        while (at < inside.size() && is_name(inside[at]))
            ++at;
        const std::string name = inside.substr(0, at);
        std::string rest = inside.substr(at);
        if (rest.starts_with("[@]") || rest.starts_with("[*]"))
            rest.erase(0, 3);
        const auto found = m_script.variables.find(name);
        if (rest.empty())
            return found == m_script.variables.end() ? std::nullopt : std::optional(found->second);
        for (const char *sign : {":-", ":=", "-", "="})
            if (rest.starts_with(sign)) {
                if (found != m_script.variables.end() && (!found->second.empty() || sign[0] != ':'))
                    return found->second;
                if (++m_nesting > deepest)
                    return std::nullopt;
                std::string value;
                for (const std::string &word : words_of(rest.substr(std::string_view(sign).size()), true))
                    value += (value.empty() ? "" : " ") + word;
                --m_nesting;
                return value;
            }
        return std::nullopt;
    }

    ShellScript &m_script;
    std::map<std::string, std::vector<std::string>, std::less<>> m_arrays;
    std::size_t m_size = 0;
    int m_nesting = 0;
};

} // namespace

bool shell_arithmetic(std::string_view expression, const Variables &variables, long long &value) {
    const std::optional<long long> result = Arithmetic(expression, variables).value();
    if (result)
        value = *result;
    return result.has_value();
}

ShellScript read_shell_script(std::string_view text) {
    ShellScript script;
    const std::vector<Statement> statements = Splitter(text, script).statements();
    Reader(script).run(statements);
    return script;
}

} // namespace meshwright
