// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/shell_parameters.h"

#include "launch/shell_arithmetic.h"
#include "launch/shell_patterns.h"
#include "launch/shell_text.h"

#include <algorithm>
#include <cctype>
#include <cstddef>

namespace meshwright {

namespace {

std::string replaced(const std::string &value, const std::string &old, const std::string &with, bool all) {
    if (old.empty() || old.find_first_of("*?[") != std::string::npos)
        return value;
    std::string result;
    std::size_t at = 0;
    for (std::size_t found = value.find(old); found != std::string::npos && result.size() < most_shell_text;
         found = value.find(old, at)) {
        result += value.substr(at, found - at) + with;
        at = found + old.size();
        if (!all)
            break;
    }
    return result + value.substr(at);
}

std::optional<std::string> cut(const std::string &value, const std::string &range) {
    const std::size_t colon = range.find(':');
    long long start = 0;
    long long length = 0;
    if (!shell_arithmetic(range.substr(0, colon), {}, start))
        return std::nullopt;
    const auto size = static_cast<long long>(value.size());
    start = std::clamp<long long>(start < 0 ? size + start : start, 0, size);
    if (colon == std::string::npos)
        return value.substr(static_cast<std::size_t>(start));
    if (!shell_arithmetic(range.substr(colon + 1), {}, length))
        return std::nullopt;
    const long long end =
        std::clamp<long long>(length < 0 ? size + length : start + std::min(length, size), start, size);
    return value.substr(static_cast<std::size_t>(start), static_cast<std::size_t>(end - start));
}

std::string with_case(std::string value, int (*change)(int)) {
    std::transform(value.begin(), value.end(), value.begin(),
                   [&](char c) { return static_cast<char>(change(static_cast<unsigned char>(c))); });
    return value;
}

} // namespace

std::optional<std::string> alternative_word(const std::string &operation, const std::optional<std::string> &value) {
    const bool with_colon = operation.starts_with(":");
    const std::size_t at = with_colon ? 1 : 0;
    if (operation.size() <= at || std::string_view("-=+").find(operation[at]) == std::string_view::npos)
        return std::nullopt;
    const bool stands = value && !(with_colon && value->empty());
    if (operation[at] == '+' && !stands)
        return std::string();
    return stands == (operation[at] == '+') ? std::optional(operation.substr(at + 1)) : std::nullopt;
}

std::optional<std::string> changed_value(const std::string &value, const std::string &operation,
                                         const std::function<std::string(const std::string &)> &expand) {
    const std::string_view sign = operation;
    const bool with_colon = sign.starts_with(":");
    if (sign.starts_with("#") || sign.starts_with("%")) {
        const std::size_t length = operation.size() > 1 && operation[1] == operation[0] ? 2 : 1;
        return without_matching_part(value, sign.substr(0, length), expand(operation.substr(length)));
    }
    if (sign.starts_with("/")) {
        const bool all = operation.size() > 1 && operation[1] == '/';
        const std::size_t from = all ? 2 : 1;
        const std::size_t slash = std::min(operation.find('/', from), operation.size());
        return replaced(value, expand(operation.substr(from, slash - from)),
                        slash < operation.size() ? expand(operation.substr(slash + 1)) : std::string(), all);
    }
    if (sign == ",," || sign == ",")
        return with_case(value, std::tolower);
    if (sign == "^^" || sign == "^")
        return with_case(value, std::toupper);
    const std::size_t after = with_colon ? 1 : 0;
    if (operation.size() > after && std::string_view("-=+?").find(operation[after]) != std::string_view::npos)
        return operation[after] == '+' ? std::string() : value; // alternative_word() has handled the replacements
    return with_colon ? cut(value, expand(operation.substr(1))) : std::nullopt;
}

std::optional<std::string> path_part(std::string_view command, const std::string &path) {
    if ((command != "basename" && command != "dirname") || path.find('$') != std::string::npos)
        return std::nullopt;
    const std::size_t slash = path.rfind('/');
    if (command == "basename")
        return slash == std::string::npos ? path : path.substr(slash + 1);
    return slash == std::string::npos ? std::string(".") : path.substr(0, slash);
}

std::string printed_expression(std::string code) {
    for (const std::string_view call : {"print(", "int(", "round("})
        if (code.starts_with(call) && code.ends_with(")"))
            code = code.substr(call.size(), code.size() - call.size() - 1);
    for (std::size_t at = code.find("//"); at != std::string::npos; at = code.find("//"))
        code.erase(at, 1);
    return code;
}

std::string joined_words(const std::vector<std::string> &words) {
    std::string text;
    for (const std::string &word : words)
        text += (text.empty() ? "" : " ") + word;
    return text;
}

} // namespace meshwright
