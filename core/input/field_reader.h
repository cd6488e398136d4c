// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "input/diagnostic.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

/// Closed interval of allowed values.
struct Range {
    double low;
    double high;
};

inline constexpr Range positive{1e-30, 1e30};
inline constexpr Range not_negative{0, 1e30};
inline constexpr Range fraction{0, 1};
inline constexpr std::int64_t largest_count = 1'000'000'000; ///< maximum of every count in a plan

/// Reads the fields of one JSON object of an untrusted document. Collects all problems instead of stopping at the
/// first. A missing or invalid field keeps the caller's default. `finish` reports fields that were never read.
class FieldReader {
public:
    /// @param value    must be an object; otherwise an error is reported
    /// @param pointer  JSON pointer of the value in the document, "" for the root
    FieldReader(const nlohmann::ordered_json &value, std::string pointer, std::vector<Diagnostic> &problems);

    bool has(std::string_view key) const; ///< the field is present and not null
    std::string pointer_to(std::string_view key) const;
    const nlohmann::ordered_json *
    raw(std::string_view key); ///< null if absent; marks the field as known, so that `finish` does not report it

    bool number(std::string_view key, double &value, Range range);
    bool count(std::string_view key, std::int64_t &value, std::int64_t low, std::int64_t high = largest_count);
    bool boolean(std::string_view key, bool &value);
    bool text(std::string_view key, std::string &value);
    bool counts(std::string_view key, std::vector<std::int64_t> &values, std::int64_t low, std::int64_t high);

    /// Reads one word of a fixed list and sets `index` to its position.
    bool word(std::string_view key, int &index, const std::vector<std::string> &words);
    template <typename Enum>
    bool choice(std::string_view key, Enum &value, const std::vector<std::string> &words) {
        int index = 0;
        if (!word(key, index, words))
            return false;
        value = static_cast<Enum>(index);
        return true;
    }

    /// Calls `read` with a reader for the object under `key`, if present.
    bool object(std::string_view key, const std::function<void(FieldReader &)> &read);
    /// Calls `read` for each object of the array under `key`, if present.
    bool objects(std::string_view key, const std::function<void(FieldReader &)> &read);

    void require(std::string_view key, const std::string &expected);
    void problem(std::string_view key, std::string message, std::string expected);

    /// Reports fields that were never read, with the nearest known name. Documentation fields ("$schema",
    /// "description", "notes", "source", "sources") are always allowed.
    void finish();

    std::vector<Diagnostic> &problems() { return m_problems; }

private:
    const nlohmann::ordered_json *find(std::string_view key);
    bool wrong_type(std::string_view key, const nlohmann::ordered_json &value, const std::string &expected);

    const nlohmann::ordered_json *m_object = nullptr;
    std::string m_pointer;
    std::vector<Diagnostic> &m_problems;
    std::set<std::string, std::less<>> m_known;
};

/// Escapes one reference token of a JSON pointer (RFC 6901).
std::string pointer_token(std::string_view key);

/// The candidate nearest to `word` by edit distance, if the distance is small enough for a typo; otherwise the shortest
/// candidate that begins with `word`.
std::optional<std::string> nearest_word(std::string_view word, const std::vector<std::string> &candidates);

/// "a, b or c"
std::string listed(const std::vector<std::string> &words);

} // namespace meshwright
