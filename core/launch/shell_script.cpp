// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/shell_script.h"

#include "launch/shell_conditions.h"
#include "launch/shell_parameters.h"
#include "launch/shell_patterns.h"
#include "launch/shell_statements.h"
#include "launch/shell_words.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

namespace meshwright {

namespace {

constexpr int most_repeats = 64;
constexpr std::size_t most_followed = 200'000; ///< maximum number of statements over all loops and calls

using Statements = std::vector<ShellStatement>;

std::string first_word(const std::string &text) {
    return text.substr(0, std::min(text.find_first_of(" \t("), text.size()));
}
std::string rest_after(const std::string &text, std::size_t length) {
    const std::size_t at = text.find_first_not_of(" \t", length);
    return at == std::string::npos ? std::string() : text.substr(at);
}
bool opens_block(const std::string &word) {
    return word == "if" || word == "case" || word == "for" || word == "while" || word == "until" || word == "select";
}
bool closes_block(const std::string &word) {
    return word == "fi" || word == "esac" || word == "done";
}

/// The end of an assignment's value, which begins at `at`.
std::size_t value_end(const std::string &text, std::size_t at) {
    if (at < text.size() && text[at] == '(')
        return std::min(closing_bracket(text, at, '(', ')') + 1, text.size());
    char quote = '\0';
    for (; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '\\' && quote != '\'') {
            ++at;
        } else if (quote == '\'' || (quote != '\0' && c == quote)) {
            quote = c == quote ? '\0' : quote;
        } else if (c == '$' && at + 1 < text.size() && (text[at + 1] == '(' || text[at + 1] == '{')) {
            at = closing_bracket(text, at + 1, text[at + 1], text[at + 1] == '(' ? ')' : '}');
        } else if (quote == '\0' && (c == '"' || c == '\'')) {
            quote = c;
        } else if (c == '`') {
            at = std::min(text.find('`', at + 1), text.size());
        } else if (quote == '\0' && is_shell_blank(c)) {
            break;
        }
    }
    return std::min(at, text.size());
}

/// Executes the statements that determine commands and variables.
class ScriptReader {
public:
    ScriptReader(ShellScript &script, UnknownConditions unknown)
        : m_script(script)
        , m_unknown(unknown)
        , m_words(script.variables) { }

    void run(const ShellStatements &statements) {
        m_script.directives = statements.directives;
        follow(statements.all, 0, statements.all.size(), 0);
        // Here-documents are expanded with the variables at the end of the script, because scripts set them earlier.
        for (const auto &[target, text] : statements.documents)
            m_script.documents.emplace_back(m_words.value_of(target), m_words.document_of(text));
    }

private:
    bool holds(const Statements &all, std::size_t from, std::size_t to) {
        const bool hold = m_unknown == UnknownConditions::hold;
        return shell_condition(all, from, to, m_words, m_script.variables,
                               hold ? UnsetVariables::unknown : UnsetVariables::empty)
            .value_or(hold);
    }

    /// The statement that closes the block opened at `at`.
    static std::size_t block_end(const Statements &all, std::size_t at, std::size_t to) {
        int depth = 0;
        for (std::size_t i = at; i < to; ++i) {
            const std::string word = first_word(all[i].text);
            if (opens_block(word))
                ++depth;
            else if (closes_block(word) && --depth == 0)
                return i;
        }
        return to;
    }

    void follow(const Statements &all, std::size_t from, std::size_t to, int depth) {
        if (depth > deepest_shell_nesting)
            return;
        for (std::size_t i = from; i < to; ++i) {
            if (m_script.commands.size() >= most_shell_commands || m_words.is_full() || ++m_followed > most_followed)
                return;
            const std::string &text = all[i].text;
            const std::string word = first_word(text);
            if (opens_block(word)) {
                const std::size_t last = block_end(all, i, to);
                if (word == "if")
                    follow_if(all, i, last, depth + 1);
                else if (word == "case")
                    follow_case(all, i, last, depth + 1);
                else if (word == "for")
                    follow_for(all, i, last, depth + 1);
                i = last;
            } else if (all[i].end == 'k' && word == "function") {
                i = keep_function(all, i, to);
            } else if (is_shell_test(text)) {
                i = follow_test(all, i, to);
            } else if (all[i].end != 'k' && word != "}" && word != ")") {
                simple(text, depth);
            }
        }
    }

    /// Returns the last statement of the function's body.
    std::size_t keep_function(const Statements &all, std::size_t at, std::size_t to) {
        int braces = 0;
        std::size_t last = at;
        for (std::size_t i = at + 1; i < to; ++i) {
            const bool opens = all[i].end == 'k' && all[i].text == "{";
            const bool closes = first_word(all[i].text) == "}";
            braces += opens ? 1 : closes ? -1 : 0;
            if (braces == 0 && (closes || !opens)) {
                last = i;
                break;
            }
            if (i + 1 == to)
                last = i;
        }
        const std::string name = rest_after(all[at].text, 8);
        Statements body(all.begin() + static_cast<std::ptrdiff_t>(std::min(at + 1, last)),
                        all.begin() + static_cast<std::ptrdiff_t>(last));
        const bool calculates = std::any_of(body.begin(), body.end(), [](const ShellStatement &each) {
            return each.text.starts_with("awk ") || first_word(each.text) == "bc";
        });
        if (calculates)
            m_words.add_calculator(name);
        m_functions[name] = std::move(body);
        return last;
    }

    /// Executes "[ A ] && B" or "[ A ] || B" without the part that the test excludes. Returns the last statement that
    /// it has processed.
    std::size_t follow_test(const Statements &all, std::size_t at, std::size_t to) {
        std::size_t last = at;
        while (last + 1 < to && (all[last].end == '&' || all[last].end == '|')
               && (is_shell_test(all[last + 1].text) || all[last].text.find("]]") == std::string::npos)
               && all[last].text.starts_with("[["))
            ++last; // "[[ A && B ]]" was split inside its brackets
        const char joint = all[last].end;
        if (joint != '&' && joint != '|')
            return last;
        if (holds(all, at, last + 1) == (joint == '&'))
            return last;
        std::size_t next = last + 1; // "[ A ] && B || C": C runs where B does not
        while (next < to && (all[next].end == joint || all[next].end == 'k'))
            ++next;
        return std::min(next, to - 1);
    }

    void follow_if(const Statements &all, std::size_t from, std::size_t to, int depth) {
        std::size_t condition = from + 1;
        bool is_else = false;
        for (std::size_t i = from + 1; i <= to;) {
            std::size_t then = i; // index of the end of the condition
            while (!is_else && then < to && all[then].text != "then")
                ++then;
            std::size_t next = is_else ? i : std::min(then + 1, to); // index of the end of the arm
            const std::size_t arm = next;
            for (std::size_t k = condition; !is_else && k < then; ++k) // "if torchrun ...; then"
                if (!is_shell_test(all[k].text) && all[k].end != 'k')
                    simple(all[k].text, depth);
            while (next < to && all[next].text != "elif" && all[next].text != "else")
                next = opens_block(first_word(all[next].text)) ? std::min(block_end(all, next, to) + 1, to) : next + 1;
            if (is_else || holds(all, condition, then)) {
                follow(all, arm, next, depth);
                return;
            }
            if (next >= to)
                return;
            is_else = all[next].text == "else";
            i = condition = next + 1;
        }
    }

    /// Executes a `case` from its arms "pattern|pattern) statements ;;". The bars have split the patterns into
    /// statements.
    void follow_case(const Statements &all, std::size_t from, std::size_t to, int depth) {
        std::string head = rest_after(all[from].text, 4);
        const std::size_t in = head.rfind(" in");
        const std::string subject = m_words.value_of(in == std::string::npos ? head : head.substr(0, in));
        const bool unknown = subject.find('$') != std::string::npos && m_unknown == UnknownConditions::hold;
        std::string text = in == std::string::npos ? std::string() : rest_after(head, in + 3);
        bool in_patterns = true;
        bool wanted = false;
        std::string patterns;
        Statements arm;
        for (std::size_t i = from; i <= to; ++i) {
            const bool ends = i == to || all[i].end == 'c';
            if (i < to && i > from)
                text = all[i].text;
            if (in_patterns && i < to) {
                const std::size_t bracket = text.find(')');
                patterns += text.substr(0, bracket) + (bracket == std::string::npos ? "|" : "");
                if (bracket != std::string::npos) {
                    wanted = unknown || matches(subject, patterns);
                    in_patterns = false;
                    text = rest_after(text, bracket + 1);
                }
            }
            if (!in_patterns && wanted && i < to)
                all[i].end == 'k' ? arm.push_back(all[i]) : add_shell_statement(arm, text, all[i].end);
            if (!ends)
                continue;
            if (wanted) {
                follow(arm, 0, arm.size(), depth);
                return;
            }
            in_patterns = true;
            patterns.clear();
        }
    }
    static bool matches(const std::string &value, std::string patterns) {
        std::erase_if(patterns, [](char c) { return is_shell_blank(c) || c == '"' || c == '\'' || c == '('; });
        for (std::size_t from = 0; from <= patterns.size();) {
            const std::size_t bar = std::min(patterns.find('|', from), patterns.size());
            if (bar > from && matches_shell_pattern(value, std::string_view(patterns).substr(from, bar - from)))
                return true;
            from = bar + 1;
        }
        return false;
    }

    void follow_for(const Statements &all, std::size_t from, std::size_t to, int depth) {
        const std::string head = rest_after(all[from].text, 3);
        const std::string name = first_word(head);
        const std::size_t in = head.find(" in ");
        int repeats = 0;
        if (in == std::string::npos)
            return;
        for (const std::string &each : m_words.words_of(std::string_view(head).substr(in + 4))) {
            if (++repeats > most_repeats)
                return;
            m_words.set(name, each);
            follow(all, from + 1, to, depth);
        }
    }

    void simple(std::string text, int depth) {
        while (text.starts_with("! "))
            text = rest_after(text, 1);
        if (text.ends_with(")")
            && std::count(text.begin(), text.end(), '(') < std::count(text.begin(), text.end(), ')'))
            text.pop_back(); // closing bracket of a subshell
        std::string declares = first_word(text);
        while (declares == "export" || declares == "local" || declares == "declare" || declares == "readonly"
               || declares == "typeset") {
            text = rest_after(text, declares.size());
            while (text.starts_with("-")) // "declare -a"
                text = rest_after(text, first_word(text).size());
            declares = first_word(text);
        }
        const std::string separator = take_assignments(text);
        if (text.empty())
            return;
        if (first_word(text) == "read") {
            read_variables(rest_after(text, 4), separator);
            return;
        }
        std::vector<std::string> words = m_words.words_of(text);
        if (!words.empty() && (words.front() == "eval" || words.front() == "exec"))
            words.erase(words.begin());
        if (words.empty() || words.front() == ":")
            return;
        if (const auto function = m_functions.find(words.front());
            function != m_functions.end() && depth < deepest_shell_nesting) {
            words.erase(words.begin());
            const Statements body = function->second;
            std::vector<std::string> callers = m_words.exchange_arguments(std::move(words));
            follow(body, 0, body.size(), depth + 1);
            m_words.exchange_arguments(std::move(callers));
            return;
        }
        m_script.commands.push_back(std::move(words));
    }

    /// Executes leading assignments and removes them from the text. Returns the separator that they set for "read".
    std::string take_assignments(std::string &text) {
        std::string separator;
        while (true) {
            std::size_t at = 0;
            while (at < text.size() && is_shell_name(text[at]))
                ++at;
            std::string name = text.substr(0, at);
            if (at > 0 && at < text.size() && text[at] == '[') { // an element: "NAME[key]=value"
                const std::size_t close = text.find("]=", at);
                if (close == std::string::npos || text.substr(at, close - at).find(' ') != std::string::npos)
                    return separator;
                name += "[" + m_words.value_of(text.substr(at + 1, close - at - 1)) + "]";
                at = close + 1;
            }
            const bool appends = text.compare(at, 2, "+=") == 0;
            if (name.empty() || !is_shell_name_start(text.front()) || (!appends && text.compare(at, 1, "=") != 0))
                return separator;
            const std::size_t from = at + (appends ? 2 : 1);
            const std::size_t end = value_end(text, from);
            const std::string value = text.substr(from, end - from);
            text = rest_after(text, end);
            if (name == "IFS")
                separator = m_words.value_of(value);
            else
                m_words.assign(name, value, appends);
        }
    }

    /// "read -r A B C <<< text": the text is split at the separator.
    void read_variables(const std::string &text, const std::string &separator) {
        const std::size_t arrows = text.find("<<<");
        if (arrows == std::string::npos)
            return;
        const std::string value = m_words.value_of(text.substr(arrows + 3));
        std::vector<std::string> names = m_words.words_of(text.substr(0, arrows));
        std::erase_if(names, [](const std::string &word) { return word.starts_with("-"); });
        const std::string marks = separator.empty() ? " \t\n" : separator;
        std::size_t at = 0;
        for (std::size_t i = 0; i < names.size() && value.find('$') == std::string::npos; ++i) {
            const std::size_t end =
                i + 1 == names.size() ? value.size() : std::min(value.find_first_of(marks, at), value.size());
            m_words.set(names[i], value.substr(std::min(at, value.size()), end - std::min(at, end)));
            at = end + 1;
        }
    }

    ShellScript &m_script;
    UnknownConditions m_unknown;
    ShellWords m_words;
    std::map<std::string, Statements, std::less<>> m_functions;
    std::size_t m_followed = 0;
};

} // namespace

ShellScript read_shell_script(std::string_view text, UnknownConditions unknown, const ShellVariables &variables) {
    ShellScript script;
    script.variables = variables;
    ScriptReader(script, unknown).run(split_shell_script(text));
    return script;
}

} // namespace meshwright
