// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/shell_words.h"

#include "launch/shell_arithmetic.h"
#include "launch/shell_parameters.h"
#include "launch/shell_statements.h"

#include <algorithm>
#include <utility>

namespace meshwright {

namespace {

/// Whether a text consists of blanks, also in the notation of tr and sed ("\n"), and the given signs.
bool is_blank(std::string_view text, std::string_view signs) {
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '\\' && at + 1 < text.size() && std::string_view("nrst").find(text[at + 1]) != text.npos)
            ++at;
        else if (!is_shell_blank(text[at]) && text[at] != '\n' && signs.find(text[at]) == signs.npos)
            return false;
    }
    return !text.empty();
}

/// Whether a command in a pipeline changes only blanks: "tr '\n' ' '", "sed 's/  \+/ /g'", "xargs".
bool changes_only_blanks(const std::vector<std::string> &command) {
    if (command.size() == 1)
        return command.front() == "xargs";
    const auto is_harmless = [&](const std::string &word) {
        if (command.front() == "tr")
            return word == "-s" || is_blank(word, {});
        return word.size() >= 6 && word.starts_with("s/ ") && word.ends_with("/ /g")
            && is_blank(std::string_view(word).substr(2, word.size() - 6), "\\+*");
    };
    return !command.empty() && (command.front() == "tr" || (command.front() == "sed" && command.size() == 2))
        && std::all_of(command.begin() + 1, command.end(), is_harmless);
}

/// The words of a text, separated by one space each.
std::string single_spaced(std::string_view text) {
    std::string result;
    for (const char c : text)
        if (!is_shell_blank(c) && c != '\n')
            result += c;
        else if (!result.empty() && result.back() != ' ')
            result += ' ';
    if (result.ends_with(' '))
        result.pop_back();
    return result;
}

} // namespace

ShellWords::ShellWords(ShellVariables &variables)
    : m_variables(variables) { }

std::vector<std::string> ShellWords::words_of(std::string_view text, bool keeps_empty) {
    std::vector<std::string> words;
    std::string word;
    bool has_word = false;
    const auto finish = [&] {
        if (!word.empty() || (has_word && keeps_empty))
            words.push_back(word);
        word.clear();
        has_word = false;
    };
    /// The result of an unquoted expansion is split at blanks, except inside a command substitution, which is left
    /// unexpanded.
    const auto add_split = [&](const std::string &value) {
        bool closes = true;
        for (std::size_t i = 0; i < value.size(); ++i) {
            std::size_t last = i;
            if (closes && value.compare(i, 2, "$(") == 0)
                last = closing_bracket(value, i + 1, '(', ')');
            else if (closes && value[i] == '`')
                last = std::min(value.find('`', i + 1), value.size());
            closes = closes && last < value.size();
            if (closes && last > i) {
                word.append(value, i, last - i + 1);
                i = last;
            } else if (is_shell_blank(value[i]) || value[i] == '\n') {
                finish();
            } else {
                word += value[i];
            }
        }
    };
    bool quoted = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (word.size() > most_shell_text || words.size() > most_shell_commands)
            break;
        const char c = text[at];
        const std::string_view next_two = text.substr(at, 2);
        if (c == '\\' && at + 1 < text.size()) {
            const char next = text[++at];
            if (next == '\n' || (next == '\r' && text.substr(at, 2) == "\r\n"))
                word += quoted ? "\n" : "";
            else if (quoted && next != '$' && next != '`' && next != '"' && next != '\\')
                word += {c, next};
            else
                word += next;
        } else if (c == '\'' && !quoted) {
            const std::size_t end = std::min(text.find('\'', at + 1), text.size());
            word += text.substr(at + 1, end - at - 1);
            has_word = true;
            at = end;
        } else if (c == '"') {
            quoted = !quoted;
            has_word = true;
        } else if ((next_two == "$'" || next_two == "$\"") && !quoted) {
            continue; // drops the $ of $'...' and $"..."; inside double quotes it is literal
        } else if (c == '$' || c == '`') {
            std::size_t next = at;
            if (const auto *const elements = quoted ? whole_array(text, next) : nullptr; elements != nullptr) {
                for (std::size_t i = 0; i < elements->size() && words.size() <= most_shell_commands; ++i) {
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
        } else if (!quoted && (c == '>' || c == '<')) { // a redirection and its target are not options
            if (std::all_of(word.begin(), word.end(),
                            [](char digit) { return std::isdigit(static_cast<unsigned char>(digit)) != 0; }))
                word.clear(); // "2>"
            finish();
            ++at;
            while (at < text.size()
                   && (text[at] == '>' || text[at] == '<' || text[at] == '&' || is_shell_blank(text[at])))
                ++at;
            while (at < text.size() && !is_shell_blank(text[at]))
                ++at;
        } else if (!quoted && (is_shell_blank(c) || c == '\n')) {
            finish();
        } else {
            word += c;
        }
    }
    finish();
    return words;
}

std::string ShellWords::value_of(std::string_view text) {
    std::string value;
    for (const std::string &word : words_of(text, true))
        value += (value.empty() ? "" : " ") + word;
    return value;
}

std::string ShellWords::document_of(std::string_view text) {
    std::string result;
    for (std::size_t at = 0; at < text.size() && result.size() < most_shell_text; ++at)
        if (text[at] == '\\' && at + 1 < text.size() && (text[at + 1] == '$' || text[at + 1] == '`'))
            result += text[++at];
        else if (text[at] == '$')
            result += expand(text, at);
        else
            result += text[at];
    return result;
}

void ShellWords::set(const std::string &name, std::string value) {
    m_size += value.size();
    if (!is_full())
        m_variables[name] = std::move(value);
}

void ShellWords::assign(const std::string &name, std::string_view value, bool appends) {
    if (value.starts_with("(")) {
        std::vector<std::string> elements = words_of(value.substr(1, value.size() - (value.ends_with(")") ? 2 : 1)));
        std::vector<std::string> &array = m_arrays[name];
        if (!appends)
            array.clear();
        for (std::string &element : elements) {
            const std::size_t close = element.starts_with("[") ? element.find("]=") : std::string::npos;
            if (close != std::string::npos) // "[key]=value" of an associative array
                set(name + element.substr(0, close + 1), element.substr(close + 2));
            else if (m_size += element.size(); !is_full())
                array.push_back(std::move(element));
        }
        std::string joined;
        for (const std::string &each : array)
            joined += (joined.empty() ? "" : " ") + each;
        set(name, std::move(joined));
        return;
    }
    std::string expanded = value_of(value);
    if (!appends)
        m_arrays.erase(name);
    set(name, appends ? m_variables[name] + expanded : std::move(expanded));
}

std::optional<std::vector<std::string>>
ShellWords::exchange_arguments(std::optional<std::vector<std::string>> arguments) {
    return std::exchange(m_arguments, std::move(arguments));
}

/// The array in "${NAME[@]}" or "$@", whose elements remain separate words inside quotes; null for anything else. `at`
/// moves to its last character.
const std::vector<std::string> *ShellWords::whole_array(std::string_view text, std::size_t &at) const {
    if (m_arguments && text.substr(at, 2) == "$@") {
        ++at;
        return &*m_arguments;
    }
    constexpr std::string_view end = "[@]}";
    if (text.substr(at, 2) != "${")
        return nullptr;
    std::size_t stop = at + 2;
    while (stop < text.size() && is_shell_name(text[stop]))
        ++stop;
    if (text.substr(stop, end.size()) != end)
        return nullptr;
    const auto found = m_arrays.find(text.substr(at + 2, stop - at - 2));
    if (found == m_arrays.end())
        return nullptr;
    at = stop + end.size() - 1;
    return &found->second;
}

/// The value of the expansion that begins with a dollar sign or a backtick; `at` moves to its last character.
std::string ShellWords::expand(std::string_view text, std::size_t &at) {
    const std::size_t from = at;
    const auto up_to = [&](std::size_t last) { at = std::min(last, text.size() - 1); };
    const auto or_as_it_stands = [&](std::optional<std::string> value) {
        return value ? std::move(*value) : std::string(text.substr(from, at - from + 1));
    };
    if (from + 1 >= text.size())
        return std::string(text.substr(from));
    if (text[from] == '`') {
        up_to(text.find('`', from + 1));
        return or_as_it_stands(substituted(std::string(text.substr(from + 1, at > from ? at - from - 1 : 0))));
    }
    if (text.substr(from, 3) == "$((") {
        up_to(closing_bracket(text, from + 1, '(', ')'));
        return or_as_it_stands(arithmetic(text.substr(from + 3, at > from + 4 ? at - from - 4 : 0)));
    }
    if (text[from + 1] == '(') {
        up_to(closing_bracket(text, from + 1, '(', ')'));
        return or_as_it_stands(substituted(std::string(text.substr(from + 2, at > from + 1 ? at - from - 2 : 0))));
    }
    if (text[from + 1] == '{') {
        const std::size_t last = closing_bracket(text, from + 1, '{', '}');
        up_to(last);
        return or_as_it_stands(parameter(std::string(text.substr(from + 2, last - from - 2))));
    }
    std::size_t end = from + 1;
    if (is_shell_name_start(text[end]))
        while (end < text.size() && is_shell_name(text[end]))
            ++end;
    else
        ++end; // "$1", "$@", "$#"
    up_to(end - 1);
    return or_as_it_stands(parameter(std::string(text.substr(from + 1, end - from - 1))));
}

std::optional<std::string> ShellWords::arithmetic(std::string_view expression) {
    if (++m_nesting > deepest_shell_nesting)
        return std::nullopt;
    const std::string filled = document_of(expression);
    --m_nesting;
    long long value = 0;
    return shell_arithmetic(filled, m_variables, value) ? std::optional(std::to_string(value)) : std::nullopt;
}

/// The value of a name with its index. The index is removed from `rest`. Empty if the script does not set the name.
std::optional<std::string> ShellWords::looked_up(const std::string &name, std::string &rest) {
    if (m_arguments && !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
            return std::isdigit(static_cast<unsigned char>(c)) != 0;
        })) {
        const std::size_t index = name.size() < 4 ? std::stoul(name) : 0;
        return std::optional(index >= 1 && index <= m_arguments->size() ? (*m_arguments)[index - 1] : std::string());
    }
    if (rest.starts_with("[@]") || rest.starts_with("[*]")) {
        rest.erase(0, 3);
    } else if (rest.starts_with("[")) {
        const std::size_t close = std::min(rest.find(']'), rest.size() - 1);
        const std::string key = value_of(rest.substr(1, close - 1));
        rest.erase(0, close + 1);
        if (const auto element = m_variables.find(name + "[" + key + "]"); element != m_variables.end())
            return element->second;
        const auto array = m_arrays.find(name);
        long long index = 0;
        if (array != m_arrays.end() && shell_arithmetic(key, m_variables, index)) {
            index += index < 0 ? static_cast<long long>(array->second.size()) : 0;
            return index >= 0 && index < static_cast<long long>(array->second.size())
                ? array->second[static_cast<std::size_t>(index)]
                : std::string();
        }
        return std::nullopt;
    }
    const auto found = m_variables.find(name);
    return found == m_variables.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::string> ShellWords::parameter(const std::string &inside) {
    if (m_arguments && (inside == "@" || inside == "*"))
        return joined_words(*m_arguments);
    if (m_arguments && inside == "#")
        return std::to_string(m_arguments->size());
    std::size_t at = inside.starts_with("#") || inside.starts_with("!") ? 1 : 0;
    const std::size_t start = at;
    while (at < inside.size() && is_shell_name(inside[at]))
        ++at;
    const std::string name = inside.substr(start, at - start);
    std::string rest = inside.substr(at);
    if (inside.starts_with("#")) {
        const auto array = m_arrays.find(name);
        if (rest == "[@]" || rest == "[*]")
            return array == m_arrays.end() ? std::nullopt : std::optional(std::to_string(array->second.size()));
    }
    const std::optional<std::string> value = looked_up(name, rest);
    if (inside.starts_with("#"))
        return value ? std::optional(std::to_string(value->size())) : std::nullopt;
    if (inside.starts_with("!"))
        return value && value->find('!') == std::string::npos && ++m_nesting < deepest_shell_nesting ? parameter(*value)
                                                                                                     : std::nullopt;
    if (rest.empty())
        return value;
    if (const auto word = alternative_word(rest, value)) {
        if (++m_nesting > deepest_shell_nesting)
            return std::nullopt;
        std::string alternative = value_of(*word);
        --m_nesting;
        if (rest.starts_with(":=") || rest.starts_with("="))
            set(name, alternative);
        return alternative;
    }
    return value ? changed_value(*value, rest, [&](const std::string &word) { return value_of(word); }) : std::nullopt;
}

std::optional<std::string> ShellWords::substituted(const std::string &command) {
    if (++m_nesting > deepest_shell_nesting)
        return std::nullopt;
    if (command.starts_with("cat <<")) {
        const ShellStatements document = split_shell_script(command);
        const std::string text = document.documents.size() == 1 ? document_of(document.documents.front().second) : "";
        --m_nesting;
        return text.empty() ? std::nullopt : std::optional(text);
    }
    std::string first = command;
    std::size_t bar = first.rfind('|');
    const std::size_t whole = first.size();
    for (; bar != std::string::npos && changes_only_blanks(words_of(first.substr(bar + 1))); bar = first.rfind('|'))
        first.erase(bar);
    const bool is_respaced = first.size() < whole;
    const bool calculates = bar != std::string::npos && first.substr(bar).find("bc") != std::string::npos;
    if (calculates)
        first.erase(bar);
    std::vector<std::string> words =
        bar == std::string::npos || calculates ? words_of(first) : std::vector<std::string>();
    --m_nesting;
    if (words.empty())
        return std::nullopt;
    const std::string name = words.front();
    words.erase(words.begin());
    if (name == "expr" || m_calculators.contains(name) || (name == "echo" && calculates))
        return arithmetic(joined_words(words));
    if (name == "echo" && !words.empty())
        return is_respaced ? single_spaced(joined_words(words)) : joined_words(words);
    if ((name == "python" || name == "python3") && words.size() == 2 && words.front() == "-c")
        return arithmetic(printed_expression(words.back()));
    return words.size() == 1 ? path_part(name, words.front()) : std::nullopt;
}

} // namespace meshwright
