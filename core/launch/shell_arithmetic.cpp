// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/shell_arithmetic.h"

#include "launch/shell_text.h"

#include <algorithm>
#include <cctype>
#include <optional>

namespace meshwright {

namespace {

constexpr int deepest_arithmetic = 40;

/// Recursive-descent parser for integer arithmetic. Overflow is an error.
class Arithmetic {
public:
    Arithmetic(std::string_view text, const ShellVariables &variables)
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
        if (++m_depth > deepest_arithmetic)
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
        const bool expands = m_at < m_text.size() && m_text[m_at] == '$';
        m_at += expands ? 1 : 0;
        const bool braced = take("{");
        std::string word;
        while (m_at < m_text.size() && is_shell_name(m_text[m_at]))
            word += m_text[m_at++];
        if (braced && !take("}"))
            return std::nullopt;
        if (word.empty() || (expands && !is_shell_name_start(word.front()))) // "$1" is not a number
            return std::nullopt;
        if (is_shell_name_start(word.front())) {
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
    const ShellVariables &m_variables;
    std::size_t m_at = 0;
    int m_depth = 0;
};

} // namespace

bool shell_arithmetic(std::string_view expression, const ShellVariables &variables, long long &value) {
    const std::optional<long long> result = Arithmetic(expression, variables).value();
    if (result)
        value = *result;
    return result.has_value();
}

} // namespace meshwright
