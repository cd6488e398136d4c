// SPDX-License-Identifier: GPL-3.0-or-later
// CPython's Lib/pickletools.py defines the opcodes.
#include "input/pickle.h"

#include "input/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

namespace meshwright {

namespace {

constexpr std::size_t max_pickled_values = 6'000'000;
constexpr std::size_t max_memo = 1u << 24;
constexpr std::size_t max_keys_searched = 64;

} // namespace

/// The stack machine that executes a pickle, with only the instructions that build plain data.
class PickleReader {
public:
    PickleReader(PickledData &data, std::string_view bytes)
        : m_data(data)
        , m_bytes(bytes) { }

    void read() {
        for (;;) {
            const auto opcode = static_cast<unsigned char>(take(1).front());
            if (opcode == '.')
                break;
            step(opcode);
        }
        m_data.m_root = pop();
    }

private:
    using Index = PickledData::Index;
    using Kind = PickledData::Kind;
    using Value = PickledData::Value;

    [[noreturn]] void fail(const std::string &what) const {
        throw InputError("", fmt::format("not a readable pickle at byte {}: {}", m_at, what),
                         "expected a PyTorch memory snapshot: plain dictionaries, lists, strings and numbers");
    }

    std::string_view take(std::uint64_t count) {
        if (count > m_bytes.size() - m_at)
            fail("the data is truncated");
        const std::string_view found = m_bytes.substr(m_at, static_cast<std::size_t>(count));
        m_at += static_cast<std::size_t>(count);
        return found;
    }
    std::string_view line() {
        const std::size_t end = m_bytes.find('\n', m_at);
        if (end == std::string_view::npos)
            fail("the data is truncated");
        const std::string_view found = take(end - m_at);
        take(1);
        return found;
    }
    /// Reads an unsigned little-endian integer.
    std::uint64_t unsigned_of(std::size_t bytes) {
        std::uint64_t value = 0;
        const std::string_view found = take(bytes);
        for (std::size_t i = bytes; i-- > 0;)
            value = value << 8 | static_cast<unsigned char>(found[i]);
        return value;
    }

    Index add(Value value) {
        if (m_data.m_values.size() >= max_pickled_values)
            fail(fmt::format("more than {} values", max_pickled_values));
        m_data.m_values.push_back(value);
        return static_cast<Index>(m_data.m_values.size() - 1);
    }
    void push(Value value) { m_stack.push_back(add(value)); }
    void push_number(double value) { push({.kind = Kind::number, .number = value}); }
    void push_boolean(bool value) { push({.kind = Kind::boolean, .number = value ? 1.0 : 0.0}); }
    void push_text(std::string_view text) {
        push({.kind = Kind::text, .extent = static_cast<Index>(text.size()), .begin = text.data()});
    }
    void push_container(Kind kind, std::vector<Index> items = {}) {
        m_data.m_items.push_back(std::move(items));
        push({.kind = kind, .extent = static_cast<Index>(m_data.m_items.size() - 1), .number = 0});
    }

    Index pop() {
        if (m_stack.empty() || m_data.m_values[m_stack.back()].kind == Kind::mark)
            fail("a value is missing");
        const Index value = m_stack.back();
        m_stack.pop_back();
        return value;
    }
    /// Pops the last mark and everything above it.
    std::vector<Index> since_mark() {
        const auto mark = std::find_if(m_stack.rbegin(), m_stack.rend(),
                                       [&](Index value) { return m_data.m_values[value].kind == Kind::mark; });
        if (mark == m_stack.rend())
            fail("a mark is missing");
        std::vector<Index> items(mark.base(), m_stack.end());
        m_stack.erase(mark.base() - 1, m_stack.end());
        return items;
    }
    std::vector<Index> last(std::size_t count) {
        std::vector<Index> items(count);
        for (std::size_t i = count; i-- > 0;)
            items[i] = pop();
        return items;
    }
    void extend(Kind kind, const std::vector<Index> &items) {
        if (m_stack.empty() || m_data.m_values[m_stack.back()].kind != kind)
            fail("items for a value that is not a container");
        if (kind == Kind::dictionary && items.size() % 2 != 0)
            fail("a key without a value");
        std::vector<Index> &held = m_data.m_items[m_data.m_values[m_stack.back()].extent];
        held.insert(held.end(), items.begin(), items.end());
    }

    void remember(std::uint64_t place) {
        if (m_stack.empty() || place >= max_memo)
            fail("an invalid reference");
        if (m_memo.size() <= place)
            m_memo.resize(static_cast<std::size_t>(place) + 1, no_value);
        m_memo[static_cast<std::size_t>(place)] = m_stack.back();
    }
    void recall(std::uint64_t place) {
        if (place >= m_memo.size() || m_memo[static_cast<std::size_t>(place)] == no_value)
            fail("a reference to a missing value");
        m_stack.push_back(m_memo[static_cast<std::size_t>(place)]);
    }
    std::uint64_t place_in_words() {
        const std::string_view words = line();
        std::uint64_t place = max_memo;
        std::from_chars(words.data(), words.data() + words.size(), place);
        return place;
    }

    double spelled(std::string_view words) const {
        if (words.ends_with('L'))
            words.remove_suffix(1);
        double value = 0;
        const auto [end, error] = std::from_chars(words.data(), words.data() + words.size(), value);
        if (words.empty() || error != std::errc() || end != words.data() + words.size())
            fail("an invalid number");
        return value;
    }
    /// A two's complement integer of any length, as a double.
    double long_integer(std::uint64_t bytes) {
        constexpr std::uint64_t longest = 128; // bytes; longer integers are beyond a double's range
        if (bytes > longest)
            fail("a number that is too large");
        const std::string_view digits = take(bytes);
        double value = 0;
        for (std::size_t i = digits.size(); i-- > 0;)
            value = value * 256 + static_cast<unsigned char>(digits[i]);
        const bool negative = !digits.empty() && (static_cast<unsigned char>(digits.back()) & 0x80U) != 0;
        return negative ? value - std::ldexp(1.0, static_cast<int>(8 * bytes)) : value;
    }
    double binary_float() {
        std::uint64_t bits = 0;
        for (const char each : take(8))
            bits = bits << 8 | static_cast<unsigned char>(each);
        return std::bit_cast<double>(bits);
    }
    static std::string_view unquoted_text(std::string_view text) {
        return text.size() >= 2 && text.front() == text.back() && (text.front() == '\'' || text.front() == '"')
            ? text.substr(1, text.size() - 2)
            : text;
    }

    void step(unsigned char opcode) {
        if (!number(opcode) && !string(opcode) && !container(opcode) && !stack(opcode))
            fail(fmt::format("opcode 0x{:02x} would import or call something, or is unknown", opcode));
    }

    bool number(unsigned char opcode) {
        switch (opcode) {
        case 'N':
            push({.kind = Kind::none, .number = 0});
            return true;
        case 0x88:
        case 0x89:
            push_boolean(opcode == 0x88);
            return true;
        case 'J':
            push_number(static_cast<std::int32_t>(static_cast<std::uint32_t>(unsigned_of(4))));
            return true;
        case 'K':
            push_number(static_cast<double>(unsigned_of(1)));
            return true;
        case 'M':
            push_number(static_cast<double>(unsigned_of(2)));
            return true;
        case 0x8a:
            push_number(long_integer(unsigned_of(1)));
            return true;
        case 0x8b:
            push_number(long_integer(unsigned_of(4)));
            return true;
        case 'G':
            push_number(binary_float());
            return true;
        case 'I': {
            const std::string_view words = line();
            if (words == "00" || words == "01")
                push_boolean(words == "01");
            else
                push_number(spelled(words));
            return true;
        }
        case 'L':
        case 'F':
            push_number(spelled(line()));
            return true;
        default:
            return false;
        }
    }

    bool string(unsigned char opcode) {
        switch (opcode) {
        case 0x8c: // SHORT_BINUNICODE
        case 'C': // SHORT_BINBYTES
        case 'U': // SHORT_BINSTRING
            push_text(take(unsigned_of(1)));
            return true;
        case 'X': // BINUNICODE
        case 'B': // BINBYTES
        case 'T': // BINSTRING
            push_text(take(unsigned_of(4)));
            return true;
        case 0x8d: // BINUNICODE8
        case 0x8e: // BINBYTES8
            push_text(take(unsigned_of(8)));
            return true;
        case 'V': // UNICODE
            push_text(line());
            return true;
        case 'S': // STRING
            push_text(unquoted_text(line()));
            return true;
        default:
            return false;
        }
    }

    bool container(unsigned char opcode) {
        switch (opcode) {
        case '}': // EMPTY_DICT
            push_container(Kind::dictionary);
            return true;
        case ']': // EMPTY_LIST
        case ')': // EMPTY_TUPLE
        case 0x8f: // EMPTY_SET
            push_container(Kind::list);
            return true;
        case 'd': { // DICT
            std::vector<Index> items = since_mark();
            if (items.size() % 2 != 0)
                fail("a key without a value");
            push_container(Kind::dictionary, std::move(items));
            return true;
        }
        case 'l': // LIST
        case 't': // TUPLE
        case 0x91: // FROZENSET
            push_container(Kind::list, since_mark());
            return true;
        case 0x85: // TUPLE1
        case 0x86: // TUPLE2
        case 0x87: // TUPLE3
            push_container(Kind::list, last(opcode - 0x84U));
            return true;
        case 'a': // APPEND
            extend(Kind::list, last(1));
            return true;
        case 'e': // APPENDS
        case 0x90: // ADDITEMS
            extend(Kind::list, since_mark());
            return true;
        case 's': // SETITEM
            extend(Kind::dictionary, last(2));
            return true;
        case 'u': // SETITEMS
            extend(Kind::dictionary, since_mark());
            return true;
        default:
            return false;
        }
    }

    /// Executes an opcode that only changes the stack, the memo or the framing.
    bool stack(unsigned char opcode) {
        switch (opcode) {
        case 0x80: // PROTO
            if (unsigned_of(1) > 5)
                fail("a protocol above 5");
            return true;
        case 0x95: // FRAME
            if (unsigned_of(8) > m_bytes.size() - m_at)
                fail("the data is truncated");
            return true;
        case '(': // MARK
            push({.kind = Kind::mark, .number = 0});
            return true;
        case '0': // POP
            if (m_stack.empty())
                fail("a value is missing");
            m_stack.pop_back();
            return true;
        case '1': // POP_MARK
            since_mark();
            return true;
        case '2': { // DUP
            const Index top = pop();
            m_stack.push_back(top);
            m_stack.push_back(top);
            return true;
        }
        case 0x94: // MEMOIZE
            remember(m_memo.size());
            return true;
        case 'q': // BINPUT
            remember(unsigned_of(1));
            return true;
        case 'r': // LONG_BINPUT
            remember(unsigned_of(4));
            return true;
        case 'p': // PUT
            remember(place_in_words());
            return true;
        case 'h': // BINGET
            recall(unsigned_of(1));
            return true;
        case 'j': // LONG_BINGET
            recall(unsigned_of(4));
            return true;
        case 'g': // GET
            recall(place_in_words());
            return true;
        default:
            return false;
        }
    }

    static constexpr Index no_value = ~Index{0};
    PickledData &m_data;
    std::string_view m_bytes;
    std::size_t m_at = 0;
    std::vector<Index> m_stack;
    std::vector<Index> m_memo;
};

PickledData::PickledData(std::string_view bytes) {
    if (bytes.size() > std::numeric_limits<Index>::max())
        throw InputError("", "the pickle is larger than 4 GiB", "expected a smaller file");
    PickleReader(*this, bytes).read();
}

const std::vector<PickledData::Index> &PickledData::items(Index value) const {
    static const std::vector<Index> none;
    return is_list(value) || is_dictionary(value) ? m_items[m_values[value].extent] : none;
}

std::optional<double> PickledData::number(Index value) const {
    return m_values[value].kind == Kind::number ? std::optional(m_values[value].number) : std::nullopt;
}

std::optional<bool> PickledData::boolean(Index value) const {
    return m_values[value].kind == Kind::boolean ? std::optional(m_values[value].number != 0) : std::nullopt;
}

std::optional<std::string_view> PickledData::text(Index value) const {
    const Value &held = m_values[value];
    return held.kind == Kind::text ? std::optional(std::string_view(held.begin, held.extent)) : std::nullopt;
}

std::optional<PickledData::Index> PickledData::find(Index dictionary, std::string_view key) const {
    if (!is_dictionary(dictionary))
        return std::nullopt;
    const std::vector<Index> &entries = items(dictionary);
    for (std::size_t i = 0; i + 1 < std::min(entries.size(), 2 * max_keys_searched); i += 2)
        if (text(entries[i]) == key)
            return entries[i + 1];
    return std::nullopt;
}

} // namespace meshwright
