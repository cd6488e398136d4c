// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <streambuf>
#include <string>
#include <string_view>

namespace meshwright {

/// Maximum expanded size of a compressed file: a profile of a few training steps takes up to about 100 MB.
inline constexpr std::size_t largest_expanded_bytes = 256u << 20;

/// Whether the bytes begin with the header of a gzip file (RFC 1952).
bool is_gzip(std::string_view bytes);

/// Expands a gzip file while it is read, so that only a small part of it is in memory. Reading throws InputError if the
/// data is damaged or expands to more than `most` bytes.
class GzipReader : public std::streambuf {
public:
    /// @param bytes  the compressed file, which must outlive the reader
    explicit GzipReader(std::string_view bytes, std::size_t most = largest_expanded_bytes);
    ~GzipReader() override;
    GzipReader(const GzipReader &) = delete;
    GzipReader &operator=(const GzipReader &) = delete;

protected:
    int_type underflow() override;

private:
    struct Inflater;
    std::unique_ptr<Inflater> m_inflater;
    std::size_t m_left; ///< number of bytes that may still be expanded
    std::array<char, 1 << 16> m_piece{};
};

/// A stream buffer over a text in memory that does not copy the text.
class TextReader : public std::streambuf {
public:
    explicit TextReader(std::string_view text);
};

/// The first bytes of a file, expanded if it is compressed. For a damaged file, the part that can be read.
std::string beginning_of(std::string_view bytes, std::size_t most);

/// The whole file, expanded if it is compressed. @throws InputError if it is damaged or larger than `most`
std::string expanded(std::string_view bytes, std::size_t most);

} // namespace meshwright
