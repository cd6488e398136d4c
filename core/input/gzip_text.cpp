// SPDX-License-Identifier: GPL-3.0-or-later
#include "input/gzip_text.h"

#include "input/diagnostic.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <limits>

namespace meshwright {

bool is_gzip(std::string_view bytes) {
    return bytes.size() > 2 && bytes[0] == '\x1f' && bytes[1] == '\x8b';
}

struct GzipReader::Inflater {
    explicit Inflater(std::string_view compressed)
        : rest(compressed) {
        constexpr int largest_window = 15;
        constexpr int gzip_only = 16;
        is_ready = inflateInit2(&stream, largest_window + gzip_only) == Z_OK;
    }
    ~Inflater() {
        if (is_ready)
            inflateEnd(&stream);
    }
    Inflater(const Inflater &) = delete;
    Inflater &operator=(const Inflater &) = delete;

    std::string_view rest; ///< compressed bytes not yet given to zlib
    z_stream stream{};
    bool is_ready = false;
    bool has_ended = false;
};

GzipReader::GzipReader(std::string_view bytes, std::size_t most)
    : m_inflater(std::make_unique<Inflater>(bytes))
    , m_left(most) { }

GzipReader::~GzipReader() = default;

GzipReader::int_type GzipReader::underflow() {
    Inflater &inflater = *m_inflater;
    z_stream &stream = inflater.stream;
    const auto damaged = [] {
        return InputError("", "the compressed data is damaged or cut short", "expected a complete gzip file");
    };
    if (!inflater.is_ready)
        throw damaged();
    stream.next_out = reinterpret_cast<Bytef *>(m_piece.data());
    stream.avail_out = static_cast<uInt>(m_piece.size());
    while (stream.avail_out == m_piece.size() && !inflater.has_ended) {
        if (stream.avail_in == 0) {
            const std::size_t now = std::min<std::size_t>(inflater.rest.size(), std::numeric_limits<uInt>::max());
            // The type of zlib's input is not const, but zlib does not modify it.
            stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(inflater.rest.data()));
            stream.avail_in = static_cast<uInt>(now);
            inflater.rest.remove_prefix(now);
        }
        const int status = inflate(&stream, Z_NO_FLUSH);
        if (status == Z_STREAM_END) {
            // A gzip file may consist of several members (RFC 1952, 2.2).
            const std::string_view next(reinterpret_cast<const char *>(stream.next_in), stream.avail_in);
            inflater.has_ended = !is_gzip(next) || inflateReset(&stream) != Z_OK;
        } else if (status != Z_OK) {
            throw damaged();
        }
    }
    const std::size_t got = m_piece.size() - stream.avail_out;
    if (got == 0)
        return traits_type::eof();
    if (got > m_left)
        throw InputError("", "the compressed file expands to more than the limit",
                         fmt::format("expected at most {} MiB", largest_expanded_bytes >> 20));
    m_left -= got;
    setg(m_piece.data(), m_piece.data(), m_piece.data() + got);
    return traits_type::to_int_type(m_piece.front());
}

TextReader::TextReader(std::string_view text) {
    char *const begin = const_cast<char *>(text.data()); // setg() takes non-const pointers
    setg(begin, begin, begin + text.size());
}

std::string beginning_of(std::string_view bytes, std::size_t most) {
    if (!is_gzip(bytes))
        return std::string(bytes.substr(0, most));
    std::string text;
    try {
        GzipReader reader(bytes);
        text.resize(most);
        text.resize(static_cast<std::size_t>(reader.sgetn(text.data(), static_cast<std::streamsize>(most))));
    } catch (const InputError &) {
        text.clear();
    }
    return text;
}

std::string expanded(std::string_view bytes, std::size_t most) {
    if (!is_gzip(bytes))
        return std::string(bytes);
    GzipReader reader(bytes, most);
    std::string text;
    std::string piece(1 << 16, '\0');
    for (;;) {
        const auto got = reader.sgetn(piece.data(), static_cast<std::streamsize>(piece.size()));
        text.append(piece, 0, static_cast<std::size_t>(got));
        if (got < static_cast<std::streamsize>(piece.size()))
            return text;
    }
}

} // namespace meshwright
