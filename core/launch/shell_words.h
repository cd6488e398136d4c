// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/shell_text.h"

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

/// Expands the text of a script into words. Nothing is run. The only command substitutions supported are arithmetic and
/// printing words; text that only a running shell could expand stays unexpanded.
class ShellWords {
public:
    explicit ShellWords(ShellVariables &variables);

    /// @param keeps_empty  whether quoted empty strings count as words
    std::vector<std::string> words_of(std::string_view text, bool keeps_empty = false);
    /// The assigned value: expanded, without quotes, not split.
    std::string value_of(std::string_view text);
    /// Text of a here-document: variables are expanded, and quotes remain.
    std::string document_of(std::string_view text);

    void set(const std::string &name, std::string value);
    /// Performs an assignment: "NAME=value", "NAME+=value", "NAME=(a b)". @param value  source text
    void assign(const std::string &name, std::string_view value, bool appends);
    /// Sets the arguments of a called function or script; unset if they are unknown. Returns the caller's arguments.
    std::optional<std::vector<std::string>> exchange_arguments(std::optional<std::vector<std::string>> arguments);
    /// Registers a function of the script that only calculates (with awk or bc), so that its calls are evaluated as
    /// arithmetic.
    void add_calculator(const std::string &function) { m_calculators.insert(function); }
    /// Whether the limit on stored text has been reached.
    bool is_full() const { return m_size > most_shell_text; }

private:
    std::string expand(std::string_view text, std::size_t &at);
    const std::vector<std::string> *whole_array(std::string_view text, std::size_t &at) const;
    std::optional<std::string> parameter(const std::string &inside);
    std::optional<std::string> looked_up(const std::string &name, std::string &rest);
    std::optional<std::string> arithmetic(std::string_view expression);
    std::optional<std::string> substituted(const std::string &command);

    ShellVariables &m_variables;
    std::map<std::string, std::vector<std::string>, std::less<>> m_arrays;
    std::optional<std::vector<std::string>> m_arguments;
    std::set<std::string> m_calculators;
    std::size_t m_size = 0;
    int m_nesting = 0;
};

} // namespace meshwright
