// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace meshwright {

/// The values of a Python pickle that holds plain data: dictionaries, lists, tuples, sets, strings, bytes, numbers,
/// booleans and None. Values refer to each other by index and may be shared or contain themselves, so code that
/// traverses them must limit its steps.
class PickledData {
public:
    using Index = std::uint32_t;

    /// Reads a pickle of protocol 0 to 5. Nothing is imported, constructed or called: opcodes that would do so are
    /// rejected, and so are pickles with more than 6 million values.
    /// @param bytes  must outlive the data, whose strings point into it
    /// @throws InputError with the byte offset of the first error
    explicit PickledData(std::string_view bytes);

    Index root() const { return m_root; }
    bool is_list(Index value) const { return m_values[value].kind == Kind::list; }
    bool is_dictionary(Index value) const { return m_values[value].kind == Kind::dictionary; }
    /// Elements of a list, tuple or set; alternating keys and values of a dictionary; empty for any other value.
    const std::vector<Index> &items(Index value) const;
    std::optional<double> number(Index value) const;
    std::optional<bool> boolean(Index value) const;
    std::optional<std::string_view> text(Index value) const; ///< text of a string, or content of a bytes object
    /// The value under a key of a dictionary. Only the first 64 entries are searched, because relevant dictionaries are
    /// small.
    std::optional<Index> find(Index dictionary, std::string_view key) const;

private:
    friend class PickleReader;
    enum class Kind : std::uint8_t { none, boolean, number, text, list, dictionary, mark };
    /// One value, kept small because there may be millions.
    struct Value {
        Kind kind = Kind::none;
        Index extent = 0; ///< length of a text in bytes, or the index of a container's items
        union {
            double number = 0;
            const char *begin; ///< first byte of a string
        };
    };
    std::vector<Value> m_values;
    std::vector<std::vector<Index>> m_items;
    Index m_root = 0;
};

} // namespace meshwright
