// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/imported.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace meshwright {

/// An option in a launch configuration: "--num-layers 32", or a key of a YAML, TOML or JSON file by its dotted path,
/// "parallelism.tp".
struct LaunchOption {
    std::string name;
    nlohmann::ordered_json value; ///< a string, number, boolean (true for a flag), null or an array of words
};

/// The value on one line: strings without quotes, arrays as words separated by spaces.
std::string value_text(const nlohmann::ordered_json &value);
/// Whether a value is false, also as a word of a command line.
bool is_false(const nlohmann::ordered_json &value);

/// Reads the options of one file and records how each is used: in the end every option is listed exactly once, as
/// understood or as ignored. Of an option that the file states several times, the last value is in effect, and the
/// others are listed with it. A value of the wrong type is a fault, and the option counts as ignored.
class OptionList {
public:
    explicit OptionList(std::vector<LaunchOption> options);

    /// The option with the value in effect. Null if the file does not state it.
    const LaunchOption *find(std::string_view name) const;
    bool has(std::string_view name) const { return find(name) != nullptr; }
    /// Whether the option is in the file but not yet marked as understood or ignored.
    bool is_open(std::string_view name) const;
    bool has_any_below(std::string_view prefix) const;
    /// The first option for which a condition holds. Null if there is none.
    const LaunchOption *find_matching(const std::function<bool(const LaunchOption &)> &holds) const;

    /// Typed values. Reading a value records that the option sets `field`. Empty if the file does not state the
    /// option, or if its value is null, "auto", an unresolved variable, or of another type (a fault). Integers may be
    /// written as "220_000_000" or "1e6", or as a string.
    std::optional<std::int64_t> integer(std::string_view name, std::string_view field);
    std::optional<double> number(std::string_view name, std::string_view field);
    std::optional<bool> flag(std::string_view name, std::string_view field);
    std::optional<std::string> word(std::string_view name, std::string_view field);
    /// The words of a list option, or of one string with words separated by spaces or listed in brackets: "[a,b]".
    std::vector<std::string> words(std::string_view name, std::string_view field);

    void understand(std::string_view name, std::string_view field);
    void ignore(std::string_view name, std::string why);
    /// Puts this value in effect if an occurrence of the option states it, instead of the last value.
    void prefer(std::string_view name, const nlohmann::ordered_json &value);
    /// Marks the options that are understood to set fields below `pointer` ("/model/") as ignored.
    void ignore_fields_below(std::string_view pointer, const std::string &why);
    void fault(std::string_view name, std::string why);
    void assume(std::string_view field, nlohmann::ordered_json value, std::string why);
    /// Removes the assumptions about a field that another file or option of the launch determines.
    void retract(std::string_view field);

    /// Options whose use has not been recorded yet, in the order of the file.
    std::vector<const LaunchOption *> open() const;
    /// Marks the options whose use has not been recorded yet as ignored.
    void ignore_rest(const std::function<std::string(const LaunchOption &)> &why);

    /// Moves the lists into an import. @pre open() is empty
    void settle(Imported &imported) &&;

private:
    enum class State { open, understood, ignored };
    struct Entry {
        LaunchOption option; ///< with the value in effect
        std::vector<nlohmann::ordered_json>
            other_values; ///< of the option's other occurrences, in the order of the file
        State state = State::open;
        std::string note; ///< the field that the option sets, or the reason why it is ignored
    };
    Entry *entry(std::string_view name);
    const Entry *entry(std::string_view name) const;
    const nlohmann::ordered_json *stated(std::string_view name);
    void wrong_type(std::string_view name, const std::string &expected);

    std::vector<Entry> m_entries; ///< one per option name, in the order of their first occurrences
    std::unordered_map<std::string, std::size_t> m_index; ///< index into m_entries, by option name
    std::vector<AssumedField> m_assumed;
    std::vector<LaunchFault> m_faults;
};

/// An integer as written for launchers: "2048", "220_000_000", "1e6", "2048.0". Empty for any other text.
std::optional<std::int64_t> spelled_integer(std::string_view text);
/// Whether a text contains an unexpanded shell variable, command substitution or template: "${TP}", "$1", "$(nproc)",
/// "{{ tp }}".
bool is_unresolved(std::string_view text);
/// The reason why an unresolved text has no value, as a sentence without a period.
std::string why_unresolved(std::string_view text);

} // namespace meshwright
