// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/plan_text.h"

#include "input/diagnostic.h"
#include "input/json_document.h"

#include <nlohmann/json.hpp>
#include <zlib.h>

#include <array>
#include <cstdint>

namespace meshwright {

namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr const char *expected_text = "expected the complete text from Copy Plan as Text";

bool is_skipped(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '>';
}

std::string_view without_leading_space(std::string_view text) {
    std::size_t begin = 0;
    while (begin < text.size() && is_skipped(text[begin]))
        ++begin;
    return text.substr(begin);
}

std::string base64(std::string_view bytes) {
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    std::uint32_t bits = 0;
    int count = 0;
    for (const char byte : bytes) {
        bits = bits << 8 | static_cast<unsigned char>(byte);
        for (count += 8; count >= 6; count -= 6)
            text += alphabet[bits >> (count - 6) & 63];
    }
    if (count > 0)
        text += alphabet[bits << (6 - count) & 63];
    return text;
}

/// Accepts the usual base64 alphabet and padding too, because other programs may have re-encoded the text.
std::string bytes_of(std::string_view text) {
    std::string bytes;
    std::uint32_t bits = 0;
    int count = 0;
    for (char c : text) {
        if (is_skipped(c) || c == '=')
            continue;
        c = c == '+' ? '-' : c == '/' ? '_' : c;
        const std::size_t value = alphabet.find(c);
        if (value == std::string_view::npos)
            throw InputError("", "the plan's text contains an invalid character", expected_text);
        bits = bits << 6 | static_cast<std::uint32_t>(value);
        if (count += 6; count >= 8) {
            count -= 8;
            bytes += static_cast<char>(bits >> count & 255);
        }
    }
    return bytes;
}

std::string compressed(const std::string &text) {
    uLongf size = compressBound(text.size());
    std::string bytes(size, '\0');
    // The buffer is large enough, so this can fail only if memory runs out.
    if (compress2(reinterpret_cast<Bytef *>(bytes.data()), &size, reinterpret_cast<const Bytef *>(text.data()),
                  text.size(), Z_BEST_COMPRESSION)
        != Z_OK)
        throw std::bad_alloc();
    bytes.resize(size);
    return bytes;
}

/// Expands piece by piece, so that a small text cannot expand beyond the size limit of a plan file.
std::string expanded_plan(const std::string &bytes) {
    z_stream stream{};
    if (inflateInit(&stream) != Z_OK)
        throw std::bad_alloc();
    const auto damaged = [&stream](const char *why) {
        inflateEnd(&stream);
        return InputError("", why, expected_text);
    };
    stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(bytes.data())); // zlib does not modify its input
    stream.avail_in = static_cast<uInt>(bytes.size());
    std::string text;
    std::array<char, 1 << 14> piece{};
    for (int status = Z_OK; status != Z_STREAM_END;) {
        stream.next_out = reinterpret_cast<Bytef *>(piece.data());
        stream.avail_out = static_cast<uInt>(piece.size());
        status = inflate(&stream, Z_NO_FLUSH);
        const std::size_t got = piece.size() - stream.avail_out;
        if ((status != Z_OK && status != Z_STREAM_END) || (got == 0 && status == Z_OK))
            throw damaged("the plan's text is truncated or corrupted");
        if (text.size() + got > largest_input_bytes)
            throw damaged("the plan's text expands to more than 16 MiB");
        text.append(piece.data(), got);
    }
    inflateEnd(&stream);
    return text;
}

} // namespace

std::string plan_text(const nlohmann::ordered_json &document) {
    return std::string(plan_text_prefix) + base64(compressed(document.dump()));
}

bool is_plan_text(std::string_view text) {
    return without_leading_space(text).starts_with(plan_text_prefix);
}

nlohmann::ordered_json plan_of_text(std::string_view text) {
    const std::string_view own = without_leading_space(text);
    if (!own.starts_with(plan_text_prefix))
        throw InputError("", "not a plan in text form", expected_text);
    if (own.size() > largest_input_bytes)
        throw InputError("", "the plan's text is larger than 16 MiB", expected_text);
    return parse_json(expanded_plan(bytes_of(own.substr(plan_text_prefix.size()))));
}

} // namespace meshwright
