// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/option_list.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

/// Finds a launcher's options under every spelling that the launcher accepts. In the option list, names may have a
/// prefix: the dashes of a command line, or the name of the file that contains the option.
/// `names` are the spellings of one option, separated by spaces: the current one first, then older ones. If several
/// spellings are stated, the first in this order takes effect; the others are ignored as overridden.
class OptionNames {
public:
    /// @param prefixes  prefixes by precedence; "--" also finds names with dashes instead of underscores, and the
    /// negative form of a flag ("--section.no_flag")
    OptionNames(OptionList &options, std::vector<std::string> prefixes);

    /// The spelling that takes effect; empty if no spelling is stated.
    std::string stated(std::string_view names) const;
    bool has(std::string_view names) const { return !stated(names).empty(); }
    /// The value that takes effect; null if no spelling is given.
    const nlohmann::ordered_json *value(std::string_view names) const;

    /// Typed values, read as in OptionList.
    std::optional<std::int64_t> integer(std::string_view names, std::string_view field);
    std::optional<double> number(std::string_view names, std::string_view field);
    std::optional<bool> flag(std::string_view names, std::string_view field);
    std::optional<std::string> word(std::string_view names, std::string_view field);
    std::optional<std::string> lower_word(std::string_view names, std::string_view field);
    std::vector<std::string> words(std::string_view names, std::string_view field);

    void understand(std::string_view names, std::string_view field);
    void ignore(std::string_view names, const std::string &why);
    void fault(std::string_view names, const std::string &why);

private:
    std::vector<std::string> all_stated(std::string_view names) const;
    /// Returns the spelling that takes effect, and marks the others as overridden.
    std::string take(std::string_view names);

    OptionList &m_options;
    std::vector<std::string> m_prefixes;
};

} // namespace meshwright
