// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/shell_script.h"

#include "launch/shell_blocks.h"
#include "launch/shell_calls.h"
#include "launch/shell_conditions.h"
#include "launch/shell_parameters.h"
#include "launch/shell_patterns.h"
#include "launch/shell_statements.h"
#include "launch/shell_words.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace meshwright {

namespace {

constexpr int most_repeats = 64;
constexpr std::size_t most_followed = 200'000; ///< maximum number of statements over all loops and calls

using Statements = std::vector<ShellStatement>;

/// Executes the statements that determine commands and variables.
class ScriptReader {
public:
    ScriptReader(ShellScript &script, UnknownConditions unknown, const std::vector<ShellFile> &files)
        : m_script(script)
        , m_unknown(unknown)
        , m_files(files)
        , m_words(script.variables) { }

    void run(const ShellStatements &statements, int depth = 0) {
        m_script.directives.insert(m_script.directives.end(), statements.directives.begin(),
                                   statements.directives.end());
        follow(statements.all, 0, statements.all.size(), depth);
        // Here-documents are expanded with the final values of the variables, which scripts set before the document.
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

    void follow(const Statements &all, std::size_t from, std::size_t to, int depth) {
        if (depth > deepest_shell_nesting)
            return;
        for (std::size_t i = from; i < to; ++i) {
            if (m_script.commands.size() >= most_shell_commands || m_words.is_full() || ++m_followed > most_followed)
                return;
            const std::string &text = all[i].text;
            const std::string word = first_shell_word(text);
            if (opens_shell_block(word)) {
                const std::size_t last = shell_block_end(all, i, to);
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
            const bool closes = first_shell_word(all[i].text) == "}";
            braces += opens ? 1 : closes ? -1 : 0;
            if (braces == 0 && (closes || !opens)) {
                last = i;
                break;
            }
            if (i + 1 == to)
                last = i;
        }
        const std::string name = shell_rest(all[at].text, 8);
        Statements body(all.begin() + static_cast<std::ptrdiff_t>(std::min(at + 1, last)),
                        all.begin() + static_cast<std::ptrdiff_t>(last));
        const bool calculates = std::any_of(body.begin(), body.end(), [](const ShellStatement &each) {
            return each.text.starts_with("awk ") || first_shell_word(each.text) == "bc";
        });
        if (calculates)
            m_words.add_calculator(name);
        m_functions[name] = std::move(body);
        return last;
    }

    /// Executes "[ A ] && B" or "[ A ] || B" and skips the part that the test rules out. Returns the last statement
    /// that it has processed.
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
        std::size_t next = last + 1; // in "[ A ] && B || C", C runs if B is skipped
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
            for (std::size_t k = condition; !is_else && k < then; ++k) // a command, as in "if torchrun ...; then"
                if (!is_shell_test(all[k].text) && all[k].end != 'k')
                    simple(all[k].text, depth);
            while (next < to && all[next].text != "elif" && all[next].text != "else")
                next = opens_shell_block(first_shell_word(all[next].text))
                    ? std::min(shell_block_end(all, next, to) + 1, to)
                    : next + 1;
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

    /// Executes a `case` from its arms "pattern|pattern) statements ;;". The patterns have been split into statements
    /// at the bars.
    void follow_case(const Statements &all, std::size_t from, std::size_t to, int depth) {
        std::string head = shell_rest(all[from].text, 4);
        const std::size_t in = head.rfind(" in");
        const std::string subject = m_words.value_of(in == std::string::npos ? head : head.substr(0, in));
        const bool unknown = subject.find('$') != std::string::npos && m_unknown == UnknownConditions::hold;
        std::string text = in == std::string::npos ? std::string() : shell_rest(head, in + 3);
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
                    wanted = unknown || matches_shell_patterns(subject, patterns);
                    in_patterns = false;
                    text = shell_rest(text, bracket + 1);
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

    void follow_for(const Statements &all, std::size_t from, std::size_t to, int depth) {
        const std::string head = shell_rest(all[from].text, 3);
        const std::string name = first_shell_word(head);
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
            text = shell_rest(text, 1);
        if (text.ends_with(")")
            && std::count(text.begin(), text.end(), '(') < std::count(text.begin(), text.end(), ')'))
            text.pop_back(); // closing bracket of a subshell
        std::string declares = first_shell_word(text);
        const bool exports = declares == "export";
        const bool declared =
            exports || declares == "local" || declares == "declare" || declares == "readonly" || declares == "typeset";
        while (declares == "export" || declares == "local" || declares == "declare" || declares == "readonly"
               || declares == "typeset") {
            text = shell_rest(text, declares.size());
            while (text.starts_with("-")) // "declare -a"
                text = shell_rest(text, first_shell_word(text).size());
            declares = first_shell_word(text);
        }
        const Assignments set = take_assignments(text);
        if (exports)
            for (const auto &[name, former] : set.former)
                m_exported.insert(name);
        if (declared) { // "export A B"
            for (const std::string &name : exports ? m_words.words_of(text) : std::vector<std::string>())
                m_exported.insert(name);
            return;
        }
        if (text.empty())
            return;
        start(text, set, depth);
        for (auto each = set.former.rbegin(); each != set.former.rend(); ++each) // they were set for this command only
            if (each->second)
                m_words.set(each->first, *each->second);
            else
                m_script.variables.erase(each->first);
    }

    /// Variables set in front of a command, with their former values, and the separator (IFS) that they set for "read".
    struct Assignments {
        std::vector<std::pair<std::string, std::optional<std::string>>> former;
        std::string separator;
    };

    void start(const std::string &text, const Assignments &set, int depth) {
        if (first_shell_word(text) == "read") {
            read_variables(shell_rest(text, 4), set.separator);
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
            auto callers = m_words.exchange_arguments(std::move(words));
            follow(body, 0, body.size(), depth + 1);
            m_words.exchange_arguments(std::move(callers));
            return;
        }
        if (const auto script = called_script(words); script && !follow_script(words, *script, set, depth))
            note_call(words, *script, set);
        m_script.commands.push_back(std::move(words));
    }

    /// Variables that a command passes on: exported ones and those set in front of it.
    ShellVariables environment_of(const Assignments &set) const {
        ShellVariables environment;
        const auto add = [&](const std::string &name) {
            if (const auto found = m_script.variables.find(name); found != m_script.variables.end())
                environment[name] = found->second;
        };
        for (const std::string &name : m_exported)
            add(name);
        for (const auto &[name, former] : set.former)
            add(name);
        return environment;
    }

    void note_call(const std::vector<std::string> &words, std::size_t script, const Assignments &set) {
        constexpr std::size_t most_calls = 16;
        if (m_script.calls.size() < most_calls)
            m_script.calls.push_back(
                {m_script.commands.size(), script_name(words[script]), is_sourced(words), environment_of(set)});
    }

    /// Follows a script whose text is available. A sourced script shares this script's variables; a started one gets
    /// only those passed to it.
    bool follow_script(const std::vector<std::string> &words, std::size_t script, const Assignments &set, int depth) {
        constexpr int most_scripts = 64;
        const std::string name = script_name(words[script]);
        const auto file =
            std::find_if(m_files.begin(), m_files.end(), [&](const ShellFile &each) { return each.name == name; });
        if (file == m_files.end())
            return false;
        if (++m_scripts > most_scripts || depth >= deepest_shell_nesting)
            return true;
        const auto [statements, is_new] = m_statements.try_emplace(name);
        if (is_new)
            statements->second = split_shell_script(file->text);
        const auto at = words.begin() + static_cast<std::ptrdiff_t>(script);
        m_script.directives.insert(m_script.directives.end(), words.begin(), at); // as in "sbatch --nodes=4 run.sh"
        std::vector<std::string> arguments(at + 1, words.end());
        const bool sourced = is_sourced(words);
        const ShellVariables own = m_script.variables;
        if (!sourced)
            m_script.variables = environment_of(set);
        std::optional<std::vector<std::string>> callers;
        const bool exchanges = !sourced || !arguments.empty();
        if (exchanges)
            callers = m_words.exchange_arguments(std::move(arguments));
        run(statements->second, depth + 1);
        if (exchanges)
            m_words.exchange_arguments(std::move(callers));
        if (!sourced)
            m_script.variables = own;
        return true;
    }

    /// Executes leading assignments and removes them from the text.
    Assignments take_assignments(std::string &text) {
        Assignments result;
        while (true) {
            std::size_t at = 0;
            while (at < text.size() && is_shell_name(text[at]))
                ++at;
            std::string name = text.substr(0, at);
            if (at > 0 && at < text.size() && text[at] == '[') { // an element: "NAME[key]=value"
                const std::size_t close = text.find("]=", at);
                if (close == std::string::npos || text.substr(at, close - at).find(' ') != std::string::npos)
                    return result;
                name += "[" + m_words.value_of(text.substr(at + 1, close - at - 1)) + "]";
                at = close + 1;
            }
            const bool appends = text.compare(at, 2, "+=") == 0;
            if (name.empty() || !is_shell_name_start(text.front()) || (!appends && text.compare(at, 1, "=") != 0))
                return result;
            const std::size_t from = at + (appends ? 2 : 1);
            const std::size_t end = shell_value_end(text, from);
            const std::string value = text.substr(from, end - from);
            text = shell_rest(text, end);
            if (name == "IFS") {
                result.separator = m_words.value_of(value);
                continue;
            }
            const auto former = m_script.variables.find(name);
            result.former.emplace_back(
                name, former == m_script.variables.end() ? std::nullopt : std::optional(former->second));
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
    const std::vector<ShellFile> &m_files;
    ShellWords m_words;
    std::map<std::string, Statements, std::less<>> m_functions;
    std::map<std::string, ShellStatements, std::less<>> m_statements;
    std::set<std::string, std::less<>> m_exported;
    int m_scripts = 0;
    std::size_t m_followed = 0;
};

} // namespace

ShellScript read_shell_script(std::string_view text, UnknownConditions unknown, const ShellVariables &variables,
                              const std::vector<ShellFile> &files) {
    ShellScript script;
    script.variables = variables;
    ScriptReader(script, unknown, files).run(split_shell_script(text));
    return script;
}

} // namespace meshwright
