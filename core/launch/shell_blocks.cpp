// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/shell_blocks.h"

#include "launch/shell_text.h"

#include <algorithm>

namespace meshwright {

std::string first_shell_word(const std::string &text) {
    return text.substr(0, std::min(text.find_first_of(" \t("), text.size()));
}

std::string shell_rest(const std::string &text, std::size_t length) {
    const std::size_t at = text.find_first_not_of(" \t", length);
    return at == std::string::npos ? std::string() : text.substr(at);
}

bool opens_shell_block(const std::string &word) {
    return word == "if" || word == "case" || word == "for" || word == "while" || word == "until" || word == "select";
}

std::size_t shell_block_end(const std::vector<ShellStatement> &all, std::size_t at, std::size_t to) {
    int depth = 0;
    for (std::size_t i = at; i < to; ++i) {
        const std::string word = first_shell_word(all[i].text);
        if (opens_shell_block(word))
            ++depth;
        else if ((word == "fi" || word == "esac" || word == "done") && --depth == 0)
            return i;
    }
    return to;
}

std::size_t shell_value_end(const std::string &text, std::size_t at) {
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

} // namespace meshwright
