// SPDX-License-Identifier: GPL-3.0-or-later
#include "input/json_document.h"

#include "input/diagnostic.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <istream>
#include <system_error>
#include <unordered_set>
#include <vector>

namespace meshwright {

namespace {

using Json = nlohmann::ordered_json;

/// Maximum number of members, far more than a real document has. Hashing the keys of a larger, malicious document could
/// take seconds.
constexpr std::size_t max_members = 20'000;

/// Builds the document while enforcing the limits, so that hostile input is rejected before it uses up memory or stack.
class GuardedBuilder : public nlohmann::json_sax<Json> {
public:
    explicit GuardedBuilder(int nesting)
        : m_nesting(static_cast<std::size_t>(nesting)) { }

    Json take() { return std::move(m_root); }
    const std::string &error() const { return m_error; }

    bool null() override { return add(Json(nullptr)); }
    bool boolean(bool value) override { return add(Json(value)); }
    bool number_integer(number_integer_t value) override { return add(Json(value)); }
    bool number_unsigned(number_unsigned_t value) override { return add(Json(value)); }
    bool number_float(number_float_t value, const string_t &text) override {
        return std::isfinite(value) ? add(Json(value)) : fail(fmt::format("the number {} is too large", text));
    }
    bool string(string_t &value) override { return add(Json(std::move(value))); }
    bool binary(binary_t &) override { return fail("binary data"); }
    bool start_object(std::size_t) override { return open(Json::object()); }
    bool start_array(std::size_t) override { return open(Json::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(string_t &name) override {
        if (m_keys.back().size() >= max_members)
            return fail(fmt::format("an object has more than {} members", max_members));
        if (!m_keys.back().insert(name).second)
            return fail(fmt::format("the key \"{}\" appears twice in one object", name));
        m_key = std::move(name);
        return true;
    }
    bool parse_error(std::size_t position, const std::string &, const nlohmann::detail::exception &error) override {
        if (m_error.empty())
            m_error = json_error_text(position, error.what());
        return false;
    }

private:
    bool fail(std::string what) {
        m_error = std::move(what);
        return false;
    }
    Json *place(Json value) {
        if (m_open.empty()) {
            m_root = std::move(value);
            return &m_root;
        }
        Json &parent = *m_open.back();
        if (parent.is_array()) {
            parent.push_back(std::move(value));
            return &parent.back();
        }
        // ordered_json finds keys by linear search; `m_keys` has already checked for duplicates in constant time per
        // key.
        auto &members = parent.get_ref<Json::object_t &>();
        members.emplace_back(std::move(m_key), std::move(value));
        return &members.back().second;
    }
    bool add(Json value) {
        place(std::move(value));
        return true;
    }
    bool open(Json container) {
        if (m_open.size() >= m_nesting)
            return fail(fmt::format("nested deeper than {} levels", m_nesting));
        m_open.push_back(place(std::move(container)));
        m_keys.emplace_back();
        return true;
    }
    bool close() {
        m_open.pop_back();
        m_keys.pop_back();
        return true;
    }

    std::size_t m_nesting;
    Json m_root;
    /// Open containers, outermost first. The pointers stay valid because only the innermost container grows.
    std::vector<Json *> m_open;
    std::vector<std::unordered_set<std::string>> m_keys;
    std::string m_key;
    std::string m_error;
};

std::string expected_document(const InputLimits &limits) {
    return fmt::format("expected one JSON object in UTF-8, at most {} MiB, nested at most {} levels",
                       limits.bytes >> 20, limits.nesting);
}

} // namespace

std::string json_error_text(std::size_t position, std::string_view message) {
    if (message.find("number overflow") != std::string_view::npos)
        return fmt::format("a number before byte {} is too large", position);
    if (message.find("UTF-8") != std::string_view::npos)
        return fmt::format("byte {} is not UTF-8", position);
    // "[json.exception.parse_error.101] parse error at line 1, column 66: syntax error while parsing object -
    // unexpected end of input; last read: '...'; expected '}'"
    const std::size_t place = message.find("line ");
    const std::size_t colon = message.find(':', place);
    const std::size_t reason = message.find(" - ", colon);
    if (place == std::string_view::npos || colon == std::string_view::npos || reason == std::string_view::npos)
        return fmt::format("invalid JSON at byte {}", position);
    std::string_view why = message.substr(reason + 3);
    constexpr std::string_view wanted = "; expected ";
    constexpr std::size_t longest = 40; // anything longer is text of the document that contains these words
    const std::size_t expected = why.rfind(wanted);
    std::string_view instead = expected == std::string_view::npos ? "" : why.substr(expected + wanted.size());
    if (instead.size() > longest)
        instead = {};
    why = why.substr(0, why.find(';'));
    return fmt::format("invalid JSON in {}: {}{}{}", message.substr(place, colon - place), why,
                       instead.empty() ? "" : " instead of ", instead);
}

Json parse_json(std::string_view text, const InputLimits &limits) {
    if (text.size() > limits.bytes)
        throw InputError("", fmt::format("the input is larger than {} MiB", limits.bytes >> 20),
                         expected_document(limits));
    GuardedBuilder builder(limits.nesting);
    if (!Json::sax_parse(text.begin(), text.end(), &builder))
        throw InputError("", builder.error().empty() ? "invalid JSON" : builder.error(), expected_document(limits));
    return builder.take();
}

Json read_json_stream(std::istream &stream) {
    constexpr std::size_t first_read = 64 << 10; // fits most documents; later reads double the buffer
    std::string text;
    while (stream && text.size() <= largest_input_bytes) {
        const std::size_t before = text.size();
        text.resize(std::min(largest_input_bytes + 1, std::max(first_read, 2 * before)));
        stream.read(text.data() + before, static_cast<std::streamsize>(text.size() - before));
        text.resize(before + static_cast<std::size_t>(stream.gcount()));
    }
    return parse_json(text);
}

Json read_json_file(const std::filesystem::path &path, const InputLimits &limits) {
    return parse_json(read_file(path, limits.bytes), limits);
}

std::string document_text(const Json &document) {
    std::string why;
    try {
        std::string text = document.dump(2) + "\n";
        if (text.size() > largest_input_bytes)
            text = document.dump() + "\n";
        if (parse_json(text) == document)
            return text;
        why = "it contains a value that JSON cannot represent";
    } catch (const Json::type_error &) {
        why = "it contains text that is not UTF-8";
    } catch (const InputError &error) {
        why = error.diagnostics().front().message.text;
    }
    throw InputError("", "would not be readable after saving: " + why, expected_document({}));
}

} // namespace meshwright
